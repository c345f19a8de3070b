"""What is swapped and what is refused, sentence by sentence."""

from __future__ import annotations

import pytest

from otherwords.acquire.swap.records import (
    AGREEMENT,
    EQUAL,
    KEEPS_MEANING,
    NEIGHBOUR,
    NOTHING,
    OVERLAP,
    SEVERAL_FORMS,
    SINGLE,
    TYPES,
    USE,
    SwapOptions,
    SwapResult,
    TaggedSentence,
)
from otherwords.acquire.swap.replacements import Vocabulary
from otherwords.acquire.swap.swaps import swaps
from otherwords.errors import UsageError
from otherwords.models.edges import TaggedText, TaggedToken
from tests.acquire.swap.tagging import tagged

MADE = [
    ("en", "entities", "Peter told Alice a story.", "Alice told Peter a story."),
    ("en", "entities", "The king of Spain wrote to Portugal.", "The king of Portugal wrote to Spain."),
    ("en", "adjectives", "An old man met a young girl.", "A young man met an old girl."),
    (
        "en",
        "verbs",
        "The mayor opened the library and closed the pool.",
        "The mayor closed the library and opened the pool.",
    ),
    ("en", "noun-phrases", "The boy followed the dog across the field.", "The dog followed the boy across the field."),
    ("en", "numbers", "He was born in 1931 and died in 1987.", "He was born in 1987 and died in 1931."),
    ("en", "numbers", "They left on 3 May and came back on 19 May.", "They left on 19 May and came back on 3 May."),
    ("ru", "entities", "Она переехала из Самары в Казань.", "Она переехала из Казани в Самару."),
    ("ru", "adjectives", "Высокая девочка сидела за низким мальчиком.", "Низкая девочка сидела за высоким мальчиком."),
    ("ru", "adjectives", "Он купил черный стол и белую лампу.", "Он купил белый стол и черную лампу."),
    (
        "ru",
        "verbs",
        "Комиссия приняла первое предложение и отклонила второе.",
        "Комиссия отклонила первое предложение и приняла второе.",
    ),
    (
        "fi",
        "entities",
        "Joukkue hävisi Varsovassa mutta voitti Vilnassa.",
        "Joukkue hävisi Vilnassa mutta voitti Varsovassa.",
    ),
    (
        "fi",
        "adjectives",
        "Tyttö piirsi iloisen hevosen ja surullisen pellen.",
        "Tyttö piirsi surullisen hevosen ja iloisen pellen.",
    ),
    (
        "es",
        "adjectives",
        "La caja pesada estaba sobre una mesa ligera.",
        "La caja ligera estaba sobre una mesa pesada.",
    ),
    (
        "es",
        "numbers",
        "Salió de Lima el 3 de mayo y llegó el 19 de mayo.",
        "Salió de Lima el 19 de mayo y llegó el 3 de mayo.",
    ),
]
REFUSED = [
    ("en", "entities", "Peter and Alice sang a song.", KEEPS_MEANING),
    ("en", "entities", "The film was shown in Rome, Milan and Turin.", KEEPS_MEANING),
    ("en", "entities", "France borders Germany.", KEEPS_MEANING),
    ("en", "entities", "The mayor of London and the mayor of Paris resigned.", KEEPS_MEANING),
    ("en", "adjectives", "She bought a small red car.", KEEPS_MEANING),
    ("en", "verbs", "They sang and danced.", KEEPS_MEANING),
    ("en", "verbs", "The nurse woke the patient before the surgeon arrived.", USE),
    ("en", "noun-phrases", "The dogs chased the postman.", AGREEMENT),
    ("en", "entities", "Daniel trusted Daniel.", EQUAL),
    ("en", "entities", "Mary lives in Canada.", TYPES),
    ("en", "entities", "It rained all day.", NOTHING),
    ("en", "adjectives", "The tall tree fell.", SINGLE),
    ("en", "numbers", "He has 1 brother and 12 cousins.", AGREEMENT),
    ("en", "numbers", "The war lasted from 1914 -- 1918 .", NOTHING),
    ("ru", "numbers", "В классе 21 парта и 30 стульев.", AGREEMENT),
    ("ru", "entities", "Паром идёт из Таллина в Хельсинки.", SEVERAL_FORMS),
    ("fi", "entities", "Yhtiö siirsi konttorinsa Turusta Ouluun.", AGREEMENT),
    ("es", "adjectives", "Compró una cámara barata y vendió un objetivo caro.", AGREEMENT),
]


def result(lang: str, kind: str, text: str, **options: object) -> SwapResult:
    (sentence,) = tagged(lang, [text])
    chosen = SwapOptions(kinds=(kind,), per_sentence=99, **options)  # type: ignore[arg-type]
    (found,) = swaps([sentence], chosen, vocabulary=Vocabulary.of_sentences([sentence]))
    return found


@pytest.mark.parametrize(("lang", "kind", "text", "expected"), MADE)
def test_exchanged(lang: str, kind: str, text: str, expected: str) -> None:
    assert expected in [candidate.text for candidate in result(lang, kind, text).candidates]


@pytest.mark.parametrize(("lang", "kind", "text", "reason"), REFUSED)
def test_refused(lang: str, kind: str, text: str, reason: str) -> None:
    found = result(lang, kind, text)
    assert ([candidate.text for candidate in found.candidates], found.reason) == ([], reason)


@pytest.mark.parametrize("case", MADE, ids=lambda case: case[2])
def test_every_change_says_where_it_is_in_both_texts(case: tuple[str, str, str, str]) -> None:
    lang, kind, text, _ = case
    for candidate in result(lang, kind, text).candidates:
        assert candidate.kind == kind
        assert len(candidate.changes) >= 2
        rebuilt, end = "", 0
        for change in sorted(candidate.changes, key=lambda change: change.start1):
            assert text[change.start1 : change.end1] == change.words1
            assert candidate.text[change.start2 : change.end2] == change.words2
            rebuilt += text[end : change.start1] + change.words2
            end = change.end1
        assert rebuilt + text[end:] == candidate.text


def test_an_article_that_cannot_be_known_is_refused() -> None:
    found = result("en", "adjectives", "A big house stood near a UN camp and an empty church.")
    assert all("a empty" not in candidate.text.lower() for candidate in found.candidates)


def test_the_overlap_is_a_threshold() -> None:
    text = "Высокая девочка сидела за низким мальчиком."
    (candidate,) = result("ru", "adjectives", text).candidates
    assert candidate.overlap == pytest.approx(5 / 9)  # the words of both: four words and the mark of nine
    assert result("ru", "adjectives", text, overlap=0.6).reason == OVERLAP


def test_a_language_model_ranks_candidates() -> None:
    (sentence,) = tagged("en", ["The old farmer from Paris sold the young horse to Martha in London."])

    def likes_london_first(texts: object) -> list[float | None]:
        assert isinstance(texts, list)
        return [-1.0 if text.startswith("The old farmer from London") else -2.0 for text in texts]

    options = SwapOptions(kinds=("entities", "adjectives"), per_sentence=1)
    (found,) = swaps([sentence], options, fluency=likes_london_first)
    assert found.candidates[0].text.startswith("The old farmer from London")
    assert found.candidates[0].fluency == 1.0


def test_at_most_so_many_and_kinds_take_turns() -> None:
    (sentence,) = tagged("en", ["The old farmer from Leeds sold the young horse to Martha in Bristol in 1912."])
    (few,) = swaps([sentence], SwapOptions(per_sentence=2))
    assert len({candidate.kind for candidate in few.candidates}) == 2


def test_a_word_is_replaced_by_one_of_the_pool_in_the_same_form() -> None:
    pool = tagged("en", ["The baker sold the bread.", "The tailor mended the coat."])
    vocabulary = Vocabulary.of_sentences(pool)
    found = list(swaps(pool, SwapOptions(kinds=("replace",), per_sentence=9), vocabulary=vocabulary))
    texts = [candidate.text for candidate in found[0].candidates]
    assert texts
    for text in texts:
        assert sum(a != b for a, b in zip(text.split(), pool[0].text.split(), strict=True)) == 1
        assert set(text.strip(".").lower().split()) <= {"the", "baker", "sold", "bread", "tailor", "mended", "coat"}


def test_replacing_needs_a_vocabulary_and_kinds_have_names() -> None:
    with pytest.raises(UsageError) as caught:
        list(swaps([], SwapOptions(kinds=("replace",))))
    assert caught.value.code == "no-vocabulary"
    with pytest.raises(UsageError) as caught:
        list(swaps([], SwapOptions(kinds=("entitys",))))
    assert caught.value.code == "unknown-swap-kind"
    with pytest.raises(UsageError) as caught:
        list(swaps([], SwapOptions(kinds=())))
    assert caught.value.code == "no-swap-kind"


def test_a_language_without_rules_exchanges_what_has_the_same_features() -> None:
    words = [("Stor", "ADJ", "Degree=Pos"), ("hund", "NOUN", ""), ("ser", "VERB", ""), ("liten", "ADJ", "Degree=Pos")]
    text, tokens = "", []
    for word, pos, features in [*words, ("katt", "NOUN", "")]:
        start = len(text) + bool(text)
        text += f" {word}" if text else word
        tokens.append(TaggedToken(start, len(text), word.lower(), pos, features))
    sentence = TaggedSentence("s", text, "sv", TaggedText(tuple(tokens)))
    (found,) = swaps([sentence], SwapOptions(kinds=("adjectives",)))
    assert [candidate.text for candidate in found.candidates] == ["Liten hund ser stor katt"]
    assert NEIGHBOUR not in found.kinds.values()
