"""Lines as sparse vectors of character n-grams, so that lines can be compared whatever the endings of their words.

Both texts share one vocabulary: lower-cased character 2–4-grams within words (Turku's lexical similarity: Kanerva et
al. 2023, §3.1), weighted by 1 + ln(count) and by their rarity among all lines, each line of length 1. Names, numbers
and rare words weigh most of themselves; "yes" and the dash before a speaker weigh little. Scripts without blanks
between words need nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from otherwords.text.ngrams import word_character_ngrams

ORDERS = (2, 4)  # Kanerva et al. 2023, §6: character 2–4-grams within word boundaries

Indices = npt.NDArray[np.int64]
Similarities = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LineVectors:
    """The lines of one text: line i has the n-grams ``grams[starts[i]:starts[i + 1]]`` with their weights."""

    starts: Indices
    grams: Indices
    weights: Similarities
    vocabulary: int  # the number of n-grams of both texts together

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self) -> Indices:
        """The line of every entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def dense(self, first: int, end: int, columns: Indices, width: int) -> Similarities:
        """Lines ``first`` to ``end`` as rows; ``columns`` says where each n-gram goes, -1 nowhere."""
        entries = slice(self.starts[first], self.starts[end])
        rows = np.repeat(np.arange(end - first), np.diff(self.starts[first : end + 1]))
        places = columns[self.grams[entries]]
        there = places >= 0
        matrix = np.zeros((end - first, width), np.float32)
        matrix[rows[there], places[there]] = self.weights[entries][there]
        return matrix


def line_vectors(lines1: Sequence[str], lines2: Sequence[str]) -> tuple[LineVectors, LineVectors]:
    """The vectors of both texts, over one vocabulary and with one set of weights."""
    rows, grams, vocabulary = _occurrences([*lines1, *lines2])
    lines = len(lines1) + len(lines2)
    keys, counts = np.unique(rows * max(vocabulary, 1) + grams, return_counts=True)
    rows, grams = np.divmod(keys, max(vocabulary, 1))
    rarity = np.log((1 + lines) / (1 + np.bincount(grams, minlength=vocabulary))) + 1
    weights = (1 + np.log(counts)) * rarity[grams]
    weights /= np.sqrt(np.bincount(rows, weights**2, minlength=lines))[rows]
    starts = np.searchsorted(rows, np.arange(lines + 1))
    cut = starts[len(lines1)]
    whole = weights.astype(np.float32)
    return (
        LineVectors(starts[: len(lines1) + 1], grams[:cut], whole[:cut], vocabulary),
        LineVectors(starts[len(lines1) :] - cut, grams[cut:], whole[cut:], vocabulary),
    )


def _occurrences(lines: Sequence[str]) -> tuple[Indices, Indices, int]:
    """The line and the n-gram of every occurrence, and the number of distinct n-grams."""
    numbers: dict[str, int] = {}
    word_grams: dict[str, list[int]] = {}
    grams: list[int] = []
    lengths = []
    for line in lines:
        before = len(grams)
        for word in line.lower().split():
            if word not in word_grams:
                ngrams = word_character_ngrams(word, *ORDERS)
                word_grams[word] = [numbers.setdefault(gram, len(numbers)) for gram in ngrams]
            grams += word_grams[word]
        lengths.append(len(grams) - before)
    rows = np.repeat(np.arange(len(lines)), lengths)
    return rows, np.array(grams, np.int64), len(numbers)


def cosines(vectors1: LineVectors, lines1: range, vectors2: LineVectors, lines2: range) -> Similarities:
    """The cosines of some lines of the first text with some of the second; 0 beyond the ends."""
    inside1 = range(max(lines1.start, 0), min(lines1.stop, len(vectors1)))
    inside2 = range(max(lines2.start, 0), min(lines2.stop, len(vectors2)))
    present = np.unique(vectors1.grams[vectors1.starts[inside1.start] : vectors1.starts[inside1.stop]])
    columns = np.full(vectors1.vocabulary, -1, np.int64)
    columns[present] = np.arange(len(present))
    block = np.zeros((len(lines1), len(lines2)), np.float32)
    inside = (
        vectors1.dense(inside1.start, inside1.stop, columns, len(present))
        @ vectors2.dense(inside2.start, inside2.stop, columns, len(present)).T
    )
    row, column = inside1.start - lines1.start, inside2.start - lines2.start
    block[row : row + len(inside1), column : column + len(inside2)] = inside
    return block
