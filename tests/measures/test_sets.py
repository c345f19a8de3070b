"""Jaccard, Dice and overlap: against plain Python sets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from otherwords.measures import measure
from otherwords.measures.cut import Cut
from otherwords.measures.sets import set_statistics
from otherwords.text.ngrams import token_ngrams
from otherwords.text.tokenise import tokeniser
from tests.measures.texts import AWKWARD, PAIRS


def quotient(numerator: int, denominator: int, undefined: float) -> float:
    return numerator / denominator if denominator else undefined


@pytest.mark.parametrize(
    ("one", "two", "jaccard", "dice", "overlap"),
    [
        ("a b c", "b c d", 2 / 4, 4 / 6, 3 / 6),
        ("a a a", "a", 1.0, 1.0, 1.0),
        ("a b", "c d", 0.0, 0.0, 0.0),
        ("a b c d", "b", 1 / 4, 2 / 5, 1.0),
        ("", "", 1.0, 1.0, 1.0),
        (" \u3000", "", 1.0, 1.0, 1.0),
        ("a", "", 0.0, 0.0, 0.0),
    ],
)
def test_by_hand(one: str, two: str, jaccard: float, dice: float, overlap: float) -> None:
    found = [measure(name).scores([one], [two])[0] for name in ("jaccard", "dice", "overlap")]
    assert found == [jaccard, dice, overlap]


def test_statistics_are_sizes() -> None:
    cut = Cut(tokeniser("blank"))
    assert set_statistics(["a b a c"], ["c b x y"], cut).tolist() == [[3, 4, 2]]
    assert set_statistics(["a b a b"], ["a b c"], cut, (2, 2)).tolist() == [[2, 2, 1]]
    assert set_statistics(["a b a b"], ["a b c"], cut, (1, 3)).tolist() == [[2 + 2 + 2, 3 + 2 + 1, 2 + 1 + 0]]


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_any_texts_equal_python_sets(pairs: list[tuple[str, str]]) -> None:
    one, two = (list(side) for side in zip(*pairs, strict=True))
    for name in ("blank", "words", "13a", "char"):
        cut = tokeniser(name)
        jaccard, dice, overlap = (
            measure(f"{each}:tok={name}").scores(one, two) for each in ("jaccard", "dice", "overlap")
        )
        for place, (text1, text2) in enumerate(pairs):
            a, b = set(cut.tokens(text1)), set(cut.tokens(text2))
            assert jaccard[place] == quotient(len(a & b), len(a | b), 1.0)
            assert dice[place] == quotient(2 * len(a & b), len(a) + len(b), 1.0)
            c, d = ({*token_ngrams(cut.tokens(text), 1, 3)} for text in (text1, text2))
            assert overlap[place] == quotient(len(c & d), min(len(c), len(d)), float(len(c) == len(d)))


def test_lower_case_is_that_of_python() -> None:
    one, two = ["ΟΔΟΣ İ A"], ["οδος i̇ a"]
    assert measure("jaccard:case=lc,tok=blank").scores(one, two).tolist() == [1.0]
    assert measure("jaccard:tok=blank").scores(one, two).tolist() == [0.0]


def test_japanese_is_cut_by_mecab() -> None:
    chosen = measure("jaccard", lang="ja")
    assert chosen.tokeniser == "ja-mecab"
    assert chosen.scores(["猫が好きです。"], ["犬が好きです。"]).tolist() == [4 / 6]


def test_signatures() -> None:
    assert measure("jaccard:tok=blank,case=lc").signature() == "jaccard|tok:blank|case:lc|version:0.1.0"
    assert measure("dice").signature() == "dice|tok:words-u17.0|case:mixed|version:0.1.0"
    assert measure("overlap:n=2").signature() == "overlap|n:2-2|tok:words-u17.0|case:mixed|version:0.1.0"


def test_awkward_texts_share_all_with_themselves() -> None:
    for name in ("jaccard", "dice", "overlap"):
        assert measure(name).scores(AWKWARD, AWKWARD).tolist() == [1.0] * len(AWKWARD)
