from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text.ngrams import (
    character_ngrams,
    token_ngrams,
    word_character_ngrams,
)
from tests.errors import raises


def test_token_ngrams_in_order_of_length_then_place() -> None:
    assert list(token_ngrams(["to", "be", "or"], 1, 2)) == [("to",), ("be",), ("or",), ("to", "be"), ("be", "or")]
    assert list(token_ngrams(["one"], 2)) == []


def test_character_ngrams_are_code_points_across_words() -> None:
    assert list(character_ngrams("a 👍🏽", 2)) == ["a ", " 👍", "👍🏽"]
    assert list(character_ngrams("", 1, 3)) == []


def test_ngrams_within_words_are_padded() -> None:
    assert list(word_character_ngrams("ab  c", 2, 3)) == [" a", "ab", "b ", " ab", "ab ", " c", "c ", " c "]


def test_a_short_word_gives_itself_once() -> None:
    assert list(word_character_ngrams("a", 4, 6)) == [" a "]
    assert list(word_character_ngrams("a", 2, 6)) == [" a", "a ", " a "]


def test_repeated_ngrams_are_repeated() -> None:
    assert Counter(character_ngrams("abab", 2)) == {"ab": 2, "ba": 1}


@pytest.mark.parametrize(("low", "high"), [(0, 1), (2, 1), (-1, None)])
def test_impossible_lengths_are_refused(low: int, high: int | None) -> None:
    with raises("wrong-ngram-lengths"):
        list(character_ngrams("abc", low, high))


@given(st.lists(st.text(max_size=3), max_size=12), st.integers(1, 4), st.integers(0, 3))
def test_how_many_there_are(tokens: list[str], low: int, more: int) -> None:
    expected = sum(max(0, len(tokens) - n + 1) for n in range(low, low + more + 1))
    assert len(list(token_ngrams(tokens, low, low + more))) == expected


@given(st.text(st.sampled_from("ab cä\n"), max_size=30), st.integers(1, 4), st.integers(0, 2))
def test_within_words_as_scikit_learn_does(text: str, low: int, more: int) -> None:
    sklearn = pytest.importorskip("sklearn.feature_extraction.text")
    analyse = sklearn.CountVectorizer(analyzer="char_wb", ngram_range=(low, low + more)).build_analyzer()
    assert list(word_character_ngrams(text, low, low + more)) == analyse(text)
