"""Simulated phenomena: what the words show, under the types of a scheme."""

from __future__ import annotations

import pytest

from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.phenomena import check_scopes
from otherwords.annotate.schemes.question import Question
from otherwords.simulate.phenomena import marked_phenomena, true_phenomena
from otherwords.simulate.visible_texts import look
from tests.simulate.texts import PAIRS

VILA = load_scheme("vila").question("types")


def types(text1: str, text2: str, question: Question = VILA) -> list[tuple[str, str, str]]:
    """Type and words of the phenomena, without identical words."""
    types_and_words = []
    for phenomenon in question.normalise(true_phenomena(question, look(text1, text2, "en"), 0)):
        if phenomenon["type"] != "identical":
            words = [
                " … ".join(text[a:b] for a, b in phenomenon[scope])
                for text, scope in ((text1, "scope1"), (text2, "scope2"))
            ]
            types_and_words.append((phenomenon["type"], words[0], words[1]))
    return types_and_words


@pytest.mark.parametrize(
    ("text1", "text2", "expected"),
    [
        ("She saw a dog.", "She saw a hound.", [("lex_same_polarity", "dog", "hound")]),
        ("She sees the dog.", "She saw the dog.", [("mor_inflectional", "sees", "saw")]),
        ("The Dog barks.", "The dog barks.", [("lex_spelling", "Dog", "dog")]),
        ("She entered the house.", "She went into the house.", [("lex_synt_ana", "entered", "went into")]),
        ("She came home early.", "She came home.", [("addition_deletion", "early", "")]),
        ("She came home.", "She soon came home.", [("addition_deletion", "", "soon")]),
        ("today it rained all day", "it rained all day today", [("order", "today", "today")]),
        ("Is it late?", "Is it late!", [("dis_punctuation", "?", "!")]),
    ],
)
def test_what_the_words_show(text1: str, text2: str, expected: list[tuple[str, str, str]]) -> None:
    assert types(text1, text2) == expected


def test_shared_words_are_one_phenomenon() -> None:
    (alike,) = [
        phenomenon
        for phenomenon in true_phenomena(VILA, look("a big dog ran", "a small dog ran", "en"), 0)
        if phenomenon["type"] == "identical"
    ]
    assert (alike["scope1"], alike["scope2"]) == ([[0, 1], [6, 13]], [[0, 1], [8, 15]])


@pytest.mark.parametrize(
    "tags",
    [
        [{"tag": "swap"}],
        [{"tag": "gone", "one_sided": True}],
        [{"tag": "swap", "projection": "required"}, {"tag": "gone", "one_sided": True, "overlap": False}],
        [{"tag": "same", "identical": True}],
    ],
)
@pytest.mark.parametrize("accuracy", [0.0, 0.6, 1.0])
def test_any_tag_set_has_something_to_mark(tags: list[dict[str, object]], accuracy: float) -> None:
    question = Question(kind="types", types=tags)
    for lang, text1, text2 in [*PAIRS, ("en", "Same.", "Same."), (None, "?", "!"), (None, "x", "\u200b")]:
        seen = look(text1, text2, lang)
        true = question.normalise(true_phenomena(question, seen, 0))
        check_scopes(true, text1, text2)
        marked = marked_phenomena(question, seen, true, accuracy, "sim-anna")
        check_scopes(marked, text1, text2)
        assert question.normalise(marked) == marked


def test_annotators_miss_rename_and_shorten_phenomena() -> None:
    seen = look(PAIRS[6][1], PAIRS[6][2], "en")
    true = VILA.normalise(true_phenomena(VILA, seen, 0))
    assert marked_phenomena(VILA, seen, true, 1.0, "sim-anna") == true
    answers = [marked_phenomena(VILA, seen, true, 0.5, number) for number in range(60)]
    assert any(len(marks) < len(true) for marks in answers)
    kinds = {phenomenon["type"] for phenomenon in true}
    assert any({phenomenon["type"] for phenomenon in marks} - kinds for marks in answers)
    scopes = {str([phenomenon["scope1"], phenomenon["scope2"]]) for phenomenon in true}
    assert any(
        {str([phenomenon["scope1"], phenomenon["scope2"]]) for phenomenon in marks} - scopes for marks in answers
    )
