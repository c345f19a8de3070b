"""The n-grams of a text, counted in columns: orders 1 to N, each n-gram as its first n - 1 words and its last word.

Texts come in one after the other and go to a temporary file as numbers; what stays in memory are the distinct n-grams.
An n-gram of order n is a row: ``prefix`` is the row of its first n - 1 words in the order below, ``suffix`` that of its
last n - 1 words, ``last`` the number of its last word. Rows are in the order of (prefix, last).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np
import numpy.typing as npt

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
SPECIAL = (UNKNOWN, BEGIN, END)
BEGIN_NUMBER, END_NUMBER = SPECIAL.index(BEGIN), SPECIAL.index(END)
CHUNK = 1 << 22  # positions of the text that are looked at together
NO_NGRAM = -1

Whole = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class NgramOrder:
    """All n-grams of one order, and how often each occurs."""

    prefix: Rows
    last: Rows
    suffix: Rows
    counts: Whole
    begins: npt.NDArray[np.bool_]  # whether the first word is the begin of a sentence

    def __len__(self) -> int:
        return len(self.last)


@dataclass(slots=True)
class CountedText:
    """The words of a text by number, its n-grams by order, and its size."""

    words: list[str] = field(default_factory=lambda: list(SPECIAL))
    orders: list[NgramOrder] = field(default_factory=list)
    sentences: int = 0
    tokens: int = 0  # without begin and end


def count_ngrams(sentences: Iterable[Sequence[str]], order: int, *, chunk: int = CHUNK) -> CountedText:
    """The n-grams of orders 1 to ``order`` in sentences of words. Sentences without words count for nothing."""
    result = CountedText()
    with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as rows_file:
        size = _write_numbers(sentences, result, file)
        if not size:
            return result
        numbers = np.memmap(file, np.int32, "r", shape=(size,))
        rows = np.memmap(rows_file, np.int32, "w+", shape=(size,))  # of the n-gram that begins at each position
        rows[:] = numbers
        result.orders.append(_single_words(numbers, len(result.words)))
        for length in range(2, order + 1):
            longer = _longer(numbers, rows, length, result.orders[-1], chunk)
            if not len(longer):  # no sentence is that long
                break
            result.orders.append(longer)
    return result


def _write_numbers(sentences: Iterable[Sequence[str]], result: CountedText, file: IO[bytes]) -> int:
    """Write sentences as numbers, each between a begin and an end; how many numbers."""
    known = {word: number for number, word in enumerate(result.words)}
    size = 0
    for sentence in sentences:
        words = [word for word in sentence if word not in SPECIAL]
        if not words:
            continue
        numbers = [BEGIN_NUMBER, *(known.setdefault(word, len(known)) for word in words), END_NUMBER]
        file.write(np.array(numbers, np.int32).tobytes())
        size += len(numbers)
        result.sentences += 1
        result.tokens += len(words)
    file.flush()
    result.words = list(known)
    return size


def _single_words(numbers: Rows, words: int) -> NgramOrder:
    counts = np.zeros(words, np.int64)
    for start in range(0, len(numbers), CHUNK):
        counts += np.bincount(numbers[start : start + CHUNK], minlength=words)
    own = np.arange(words, dtype=np.int32)
    return NgramOrder(np.zeros(words, np.int32), own, np.zeros(words, np.int32), counts, own == BEGIN_NUMBER)


def _longer(numbers: Rows, rows: Rows, length: int, below: NgramOrder, chunk: int) -> NgramOrder:
    """The n-grams that are longer by a word than those in ``rows``, which are replaced by them."""
    keys, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    waiting: list[tuple[Whole, Whole]] = []
    for _, found in _keys(numbers, rows, length, chunk):
        waiting.append(np.unique(found[found >= 0], return_counts=True))
        if sum(len(run[0]) for run in waiting) > max(chunk, len(keys)):
            keys, counts = _merged([(keys, counts), *waiting])
            waiting = []
    keys, counts = _merged([(keys, counts), *waiting])
    for start, found in _keys(numbers, rows, length, chunk):
        places = np.searchsorted(keys, found).astype(np.int32)
        rows[start : start + len(found)] = np.where(found >= 0, places, NO_NGRAM)
    prefix, last = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
    if length == 2:
        suffix = last
    else:
        below_keys = (below.prefix.astype(np.int64) << 32) | below.last
        suffix = np.searchsorted(below_keys, (below.suffix[prefix].astype(np.int64) << 32) | last).astype(np.int32)
    return NgramOrder(prefix, last, suffix, counts, below.begins[prefix])


def _keys(numbers: Rows, rows: Rows, length: int, chunk: int) -> Iterator[tuple[int, Whole]]:
    """For each position (row of the shorter n-gram, next word) as one number; -1 where the sentence ends before."""
    for start in range(0, len(numbers) - length + 1, chunk):
        end = min(start + chunk, len(numbers) - length + 1)
        shorter = rows[start:end].astype(np.int64)
        following = numbers[start + length - 1 : end + length - 1]
        yield start, np.where((shorter >= 0) & (following != BEGIN_NUMBER), (shorter << 32) | following, NO_NGRAM)


def _merged(runs: Sequence[tuple[Whole, Whole]]) -> tuple[Whole, Whole]:
    """Runs of keys and counts as one, in the order of the keys."""
    keys, inverse = np.unique(np.concatenate([run[0] for run in runs]), return_inverse=True)
    counts = np.concatenate([run[1] for run in runs])
    return keys, np.bincount(inverse, counts, minlength=len(keys)).astype(np.int64)
