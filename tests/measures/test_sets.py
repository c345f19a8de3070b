"""Jaccard, Dice, overlap and PINC: by hand, and against plain Python sets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from otherwords.measures import measure
from otherwords.measures.cut import Tokenisation
from otherwords.measures.sets import set_statistics
from otherwords.text.ngrams import token_ngrams
from otherwords.text.tokenise import tokeniser
from tests.measures.texts import AWKWARD, PAIRS


def quotient(numerator: int, denominator: int, undefined: float) -> float:
    return numerator / denominator if denominator else undefined


@pytest.mark.parametrize(
    ("text1", "text2", "jaccard", "dice", "overlap"),
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
def test_by_hand(text1: str, text2: str, jaccard: float, dice: float, overlap: float) -> None:
    scores = [measure(name).scores([text1], [text2])[0] for name in ("jaccard", "dice", "overlap")]
    assert scores == [jaccard, dice, overlap]


def test_statistics_are_sizes() -> None:
    cut = Tokenisation(tokeniser("blank"))
    assert set_statistics(["a b a c"], ["c b x y"], cut).tolist() == [[3, 4, 2]]
    assert set_statistics(["a b a b"], ["a b c"], cut, (2, 2)).tolist() == [[2, 2, 1]]
    assert set_statistics(["a b a b"], ["a b c"], cut, (1, 3)).tolist() == [[2 + 2 + 2, 3 + 2 + 1, 2 + 1 + 0]]


@given(PAIRS)
@settings(max_examples=80)
def test_any_texts_equal_python_sets(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    for name in ("blank", "words", "13a", "char"):
        cut = tokeniser(name)
        jaccard, dice, overlap = (
            measure(f"{each}:tok={name}").scores(texts1, texts2) for each in ("jaccard", "dice", "overlap")
        )
        for place, (text1, text2) in enumerate(pairs):
            a, b = set(cut.tokens(text1)), set(cut.tokens(text2))
            assert jaccard[place] == quotient(len(a & b), len(a | b), 1.0)
            assert dice[place] == quotient(2 * len(a & b), len(a) + len(b), 1.0)
            c, d = ({*token_ngrams(cut.tokens(text), 1, 3)} for text in (text1, text2))
            assert overlap[place] == quotient(len(c & d), min(len(c), len(d)), float(len(c) == len(d)))


def test_lower_case_is_that_of_python() -> None:
    texts1, texts2 = ["ΟΔΟΣ İ A"], ["οδος i̇ a"]
    assert measure("jaccard:case=lc,tok=blank").scores(texts1, texts2).tolist() == [1.0]
    assert measure("jaccard:tok=blank").scores(texts1, texts2).tolist() == [0.0]


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


@pytest.mark.parametrize(
    ("source", "candidate", "expected"),
    [
        ("a b c d", "a b c d", 0.0),
        ("a b c d", "w x y z", 1.0),
        ("a b c d", "a b x d", (1 / 4 + 2 / 3 + 1 + 1) / 4),
        ("a b c d", "b a", (0 + 1) / 2),  # no trigrams: only two lengths count
        ("a b", "", 0.0),
        ("", "a", 1.0),
    ],
)
def test_pinc_by_hand(source: str, candidate: str, expected: float) -> None:
    assert measure("pinc").scores([source], [candidate])[0] == pytest.approx(expected, abs=1e-15)


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_pinc_of_any_texts_equals_its_definition(pairs: list[tuple[str, str]]) -> None:
    words = tokeniser("words").tokens
    scores = measure("pinc").scores(*zip(*pairs, strict=True))
    for (source, candidate), score in zip(pairs, scores, strict=True):
        shares = []
        for n in range(1, 5):
            theirs, ours = ({*token_ngrams(words(text), n)} for text in (source, candidate))
            if ours:
                shares.append(1 - len(ours & theirs) / len(ours))
        assert score == pytest.approx(sum(shares) / len(shares) if shares else 0.0, abs=1e-12)


def test_source_and_candidate_of_pinc_differ() -> None:
    assert measure("pinc:n=1").scores(["a b"], ["a"])[0] == 0.0
    assert measure("pinc:n=1").scores(["a"], ["a b"])[0] == 0.5
    assert not measure("pinc").symmetric
