"""N-grams and their probabilities, against a definition that is written out, and against KenLM's own trainer."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from otherwords.models.fluency.kneser_ney import FALLBACK, smooth
from otherwords.models.fluency.ngrams import CountedText, count_ngrams
from otherwords.models.fluency.training import train, write_arpa
from otherwords.models.fluency.words import word_splitter
from tests.conftest import ROOT
from tests.errors import raises
from tests.models.fluency.small_text import sentences

LMPLZ = ROOT / "tests" / "fixtures" / "lmplz.arpa"  # lmplz -o 3 --discount_fallback < the sentences of small_text
SENTENCES = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=8)


def ngrams(counted: CountedText, order: int) -> dict[tuple[str, ...], int]:
    """The n-grams of an order as words, with their counts."""
    rows = counted.orders[order - 1]
    return {words: int(count) for words, count in zip(_words(counted, order), rows.counts, strict=True) if count}


def _words(counted: CountedText, order: int) -> list[tuple[str, ...]]:
    rows = counted.orders[order - 1]
    last = [counted.words[number] for number in rows.last]
    if order == 1:
        return [(word,) for word in last]
    before = _words(counted, order - 1)
    return [(*before[prefix], word) for prefix, word in zip(rows.prefix, last, strict=True)]


@given(texts=SENTENCES, order=st.integers(1, 4), chunk=st.integers(1, 9))
def test_every_ngram_is_counted_in_any_chunks(texts: list[list[str]], order: int, chunk: int) -> None:
    counted = count_ngrams(texts, order, chunk=chunk)
    for length in range(1, order + 1):
        expected: Counter[tuple[str, ...]] = Counter()
        for words in filter(None, texts):
            padded = ["<s>", *words, "</s>"]
            expected.update(tuple(padded[start : start + length]) for start in range(len(padded) - length + 1))
        assert (ngrams(counted, length) if length <= len(counted.orders) else {}) == expected


@given(texts=SENTENCES.filter(any), order=st.integers(2, 4))
def test_the_rows_of_shorter_ngrams_are_the_right_ones(texts: list[list[str]], order: int) -> None:
    counted = count_ngrams(texts, order)
    for length in range(2, len(counted.orders) + 1):
        shorter, rows = _words(counted, length - 1), counted.orders[length - 1]
        for words, prefix, suffix in zip(_words(counted, length), rows.prefix, rows.suffix, strict=True):
            assert (shorter[prefix], shorter[suffix]) == (words[:-1], words[1:])


@example(texts=[list(words) for words in ("ab", "b", "b", "baabdc", "bc", "dbaba")], order=3)  # a discount of 0
@given(texts=SENTENCES.filter(any), order=st.integers(1, 3))
def test_what_may_follow_a_context_adds_up_to_one(texts: list[list[str]], order: int) -> None:
    counted = count_ngrams(texts, order)
    probability, backoff = _tables(counted)
    words = [word for word in counted.words if word != "<s>"]
    for context in [(), *(key for key in backoff if key[-1] != "</s>")]:
        total = sum(_probability((*context, word), probability, backoff) for word in words)
        assert total == pytest.approx(1)


def _tables(counted: CountedText) -> tuple[dict[tuple[str, ...], float], dict[tuple[str, ...], float]]:
    probability: dict[tuple[str, ...], float] = {}
    backoff: dict[tuple[str, ...], float] = {}
    for length, values in enumerate(smooth(counted), 1):
        words = _words(counted, length)
        probability |= dict(zip(words, 10**values.probabilities, strict=True))
        if values.backoffs is not None:
            backoff |= dict(zip(words, 10**values.backoffs, strict=True))
    return probability, backoff


def _probability(
    ngram: tuple[str, ...], probability: dict[tuple[str, ...], float], backoff: dict[tuple[str, ...], float]
) -> float:
    """As a reader of an ARPA file computes it."""
    if ngram in probability:
        return probability[ngram]
    return backoff.get(ngram[:-1], 1.0) * _probability(ngram[1:], probability, backoff)


def test_a_text_too_small_for_discounts() -> None:
    values = smooth(count_ngrams([["a"]], 1))[0]
    total = 2  # "a" and the end of the sentence, both with the count 1 and the first discount
    share = 2 * FALLBACK[0] / total / 3  # what is left goes to "a", the end and the unknown word
    assert 10**values.probabilities == pytest.approx(np.array([share, 1, 0.25 + share, 0.25 + share]))


def test_the_same_file_as_kenlms_own_trainer(tmp_path: Path) -> None:
    counted = count_ngrams([sentence.split() for sentence in sentences(2000)], 3)
    file = io.BytesIO()
    write_arpa(counted, smooth(counted), file)
    ours, theirs = _entries(file.getvalue().decode()), _entries(LMPLZ.read_text(encoding="utf-8"))
    assert ours.keys() == theirs.keys()
    assert len(theirs) > 300
    for ngram, values in theirs.items():
        assert ours[ngram] == pytest.approx(values, abs=2e-6), ngram


def _entries(arpa: str) -> dict[str, tuple[float, float]]:
    """Log10 probability and back-off weight of every n-gram in an ARPA file."""
    rows = [line.split("\t") for line in arpa.splitlines() if "\t" in line]
    return {row[1]: (float(row[0]), float(row[2]) if len(row) > 2 else 0.0) for row in rows}


def test_nothing_to_train_on_leaves_no_file(tmp_path: Path) -> None:
    splitter = word_splitter("words", "mixed")
    with raises("nothing-to-train"):
        train(["", " \n"], tmp_path / "own.arpa", splitter)
    with raises("bad-model-option"):
        train(["a sentence"], tmp_path / "own.arpa", splitter, order=9)
    with raises("cannot-write"):
        train(["a sentence"], tmp_path / "nowhere" / "own.arpa", splitter)
    assert list(tmp_path.iterdir()) == []


def test_marks_of_sentences_in_a_text_are_left_out(tmp_path: Path) -> None:
    trained = train(
        ["<s> one two </s>", "one <unk> two"], tmp_path / "own.arpa", word_splitter("blank", "mixed"), order=2
    )
    assert (trained.sentences, trained.tokens) == (2, 4)
    assert trained.ngrams == (5, 3)
