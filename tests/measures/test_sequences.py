"""Longest common subsequence, lengths and edit distance."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from rapidfuzz.distance import LCSseq, Levenshtein

from otherwords import _kernels
from otherwords.measures import measure, token_counts
from otherwords.measures.cut import Tokenisation
from otherwords.text.tokenise import tokeniser
from tests.errors import raises
from tests.measures.texts import AWKWARD, PAIRS, TEXTS


@pytest.mark.parametrize(
    ("text1", "text2", "lcs", "lengths", "edit"),
    [
        ("a b c d", "a c d", 3 / 4, 3 / 4, 2 / 7),
        ("a b", "b a", 1 / 2, 1.0, 2 / 3),
        ("", "", 1.0, 1.0, 0.0),
        ("a", "", 0.0, 0.0, 1.0),
        ("kitten", "sitting", 0.0, 1.0, 3 / 7),
    ],
)
def test_by_hand(text1: str, text2: str, lcs: float, lengths: float, edit: float) -> None:
    scores = [measure(name).scores([text1], [text2])[0] for name in ("lcs", "length-ratio", "edit")]
    assert scores == [lcs, lengths, edit]


@given(PAIRS)
@settings(max_examples=60)
def test_any_texts_equal_rapidfuzz(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    words = tokeniser("words").tokens
    for text1, text2, score in zip(texts1, texts2, measure("lcs").scores(texts1, texts2), strict=True):
        longer = max(len(words(text1)), len(words(text2)))
        assert score == (LCSseq.similarity(words(text1), words(text2)) / longer if longer else 1.0)


@given(PAIRS)
@settings(max_examples=60)
def test_any_edit_distance_equals_rapidfuzz(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    assert measure("edit").scores(texts1, texts2).tolist() == list(map(Levenshtein.normalized_distance, texts1, texts2))


@pytest.mark.parametrize("alphabet", ["ab", "aäß日本🙂 ", "".join(map(chr, range(0x20, 0x800)))])
def test_edit_distances_of_long_texts_cross_the_blocks_of_64_characters(alphabet: str) -> None:
    rng = random.Random(5)
    lengths = [0, 1, 63, 64, 65, 127, 128, 129, 500]
    texts1, texts2 = (["".join(rng.choices(alphabet, k=n)) for n in rng.choices(lengths, k=80)] for _ in range(2))
    assert measure("edit").scores(texts1, texts2).tolist() == list(map(Levenshtein.normalized_distance, texts1, texts2))
    assert measure("edit").scores(texts1, texts1).tolist() == [0.0] * 80


def test_long_texts_cross_the_blocks_of_64_tokens() -> None:
    rng = random.Random(3)
    lengths = [0, 1, 63, 64, 65, 127, 128, 129, 500, 700]
    texts1, texts2 = ([" ".join(rng.choices("abcdefg", k=n)) for n in rng.choices(lengths, k=60)] for _ in range(2))
    statistics = Tokenisation(tokeniser("blank")).statistics(_kernels.common_subsequence, texts1, texts2)
    for text1, text2, (length1, length2, common) in zip(texts1, texts2, statistics.tolist(), strict=True):
        a, b = text1.split(), text2.split()
        assert (length1, length2, common) == (len(a), len(b), LCSseq.similarity(a, b))


@given(TEXTS)
@settings(max_examples=60)
def test_token_counts_are_lengths(text: str) -> None:
    for name in ("blank", "words", "13a", "intl", "zh", "char"):
        assert token_counts([text], name).tolist() == [len(tokeniser(name).tokens(text))]


def test_token_counts_by_default_are_words() -> None:
    assert token_counts(AWKWARD).tolist() == [len(tokeniser("words").tokens(text)) for text in AWKWARD]


def test_columns_of_different_length_are_refused() -> None:
    for name in ("lcs", "length-ratio", "edit", "jaccard", "char-cosine"):
        with raises("unequal-columns"):
            measure(name).scores(["a", "b"], ["c"])
