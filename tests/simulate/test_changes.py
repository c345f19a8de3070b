"""Made-up phenomena: what the words show, under the types of a scheme."""

from __future__ import annotations

import pytest

from otherwords.annotate.phenomena import check_scopes
from otherwords.annotate.question import Question
from otherwords.annotate.schemes import scheme
from otherwords.simulate.changes import changes
from otherwords.simulate.marks import marked_otherwise
from otherwords.simulate.seen import look
from tests.simulate.texts import PAIRS

VILA = scheme("vila").question("types")


def types(text1: str, text2: str, question: Question = VILA) -> list[tuple[str, str, str]]:
    """Type and words of what is marked, what is identical left out."""
    found = []
    for one in question.normalise(changes(question, look(text1, text2, "en"), 0)):
        if one["type"] != "identical":
            words = [
                " … ".join(text[a:b] for a, b in one[scope]) for text, scope in ((text1, "scope1"), (text2, "scope2"))
            ]
            found.append((one["type"], words[0], words[1]))
    return found


@pytest.mark.parametrize(
    ("text1", "text2", "found"),
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
def test_what_the_words_show(text1: str, text2: str, found: list[tuple[str, str, str]]) -> None:
    assert types(text1, text2) == found


def test_shared_words_are_one_phenomenon() -> None:
    (alike,) = [
        one for one in changes(VILA, look("a big dog ran", "a small dog ran", "en"), 0) if one["type"] == "identical"
    ]
    assert (alike["scope1"], alike["scope2"]) == ([[0, 1], [6, 13]], [[0, 1], [8, 15]])


@pytest.mark.parametrize(
    "told",
    [
        [{"tag": "swap"}],
        [{"tag": "gone", "one_sided": True}],
        [{"tag": "swap", "projection": "required"}, {"tag": "gone", "one_sided": True, "overlap": False}],
        [{"tag": "same", "identical": True}],
    ],
)
@pytest.mark.parametrize("accuracy", [0.0, 0.6, 1.0])
def test_any_tag_set_has_something_to_mark(told: list[dict[str, object]], accuracy: float) -> None:
    question = Question(kind="types", types=told)
    for lang, text1, text2 in [*PAIRS, ("en", "Same.", "Same."), (None, "?", "!"), (None, "x", "\u200b")]:
        seen = look(text1, text2, lang)
        true = question.normalise(changes(question, seen, 0))
        check_scopes(true, text1, text2)
        said = marked_otherwise(question, seen, true, accuracy, "sim-anna")
        check_scopes(said, text1, text2)
        assert question.normalise(said) == said


def test_people_miss_rename_and_cut_otherwise() -> None:
    seen = look(PAIRS[6][1], PAIRS[6][2], "en")
    true = VILA.normalise(changes(VILA, seen, 0))
    assert marked_otherwise(VILA, seen, true, 1.0, "sim-anna") == true
    told = [marked_otherwise(VILA, seen, true, 0.5, number) for number in range(60)]
    assert any(len(one) < len(true) for one in told)
    kinds = {one["type"] for one in true}
    assert any({one["type"] for one in marks} - kinds for marks in told)
    scopes = {str([one["scope1"], one["scope2"]]) for one in true}
    assert any({str([one["scope1"], one["scope2"]]) for one in marks} - scopes for marks in told)
