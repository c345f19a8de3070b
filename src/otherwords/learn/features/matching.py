"""Which word of one text is which of the other: an alignment of equal words by their neighbours.

The words of a pair are matched in rounds: first those with the same neighbours on both sides, then on one side, then
equal words wherever they are, at last forms of one stem. Within a round the first occurrence in one text goes with the
first in the other. Each word is matched once at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.learn.features.words import Flags, Numbers, WordRows

BEYOND = -1  # the neighbour of a word at the end of its text


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """Matched words, by row and by their place in the first text."""

    rows: Numbers
    first: Numbers  # indexes into the words of the first column
    second: Numbers
    exact: Flags  # whether the words are equal, and not only their stems


def match_words(words1: WordRows, words2: WordRows) -> MatchedWords:
    """Match the words of each pair of rows."""
    free1, free2 = np.ones(len(words1.forms), np.bool_), np.ones(len(words2.forms), np.bool_)
    keys1, keys2 = _keys(words1, words2)
    found1, found2, exact = [], [], []
    for number, (key1, key2) in enumerate(zip(keys1, keys2, strict=True)):
        indexes1, indexes2 = _round(words1, words2, key1, key2, free1, free2)
        free1[indexes1] = free2[indexes2] = False
        found1.append(indexes1)
        found2.append(indexes2)
        exact.append(np.full(len(indexes1), number < len(keys1) - 1))
    first, second = np.concatenate(found1), np.concatenate(found2)
    order = np.argsort(first)
    return MatchedWords(words1.rows[first[order]], first[order], second[order], np.concatenate(exact)[order])


def neighbours(words: WordRows) -> tuple[Numbers, Numbers]:
    """The word before and the word after each word."""
    before, after = np.roll(words.forms, 1), np.roll(words.forms, -1)
    inhabited = words.counts > 0
    before[words.starts[:-1][inhabited]] = BEYOND
    after[words.starts[1:][inhabited] - 1] = BEYOND
    return before, after


def _keys(words1: WordRows, words2: WordRows) -> tuple[list[Numbers], list[Numbers]]:
    """What has to be equal in each round, for both sides."""
    size = len(words1.forms)
    before, after = (np.concatenate(both) + 1 for both in zip(neighbours(words1), neighbours(words2), strict=True))
    form = np.concatenate([words1.forms, words2.forms])
    span = int(max(form.max(initial=0), 0)) + 2
    right = _dense(form * span + after)
    rounds = [_dense(right * span + before), right, _dense(form * span + before), form]
    rounds.append(np.concatenate([words1.stems, words2.stems]))
    return [key[:size] for key in rounds], [key[size:] for key in rounds]


def _dense(keys: Numbers) -> Numbers:
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


def _round(
    words1: WordRows, words2: WordRows, key1: Numbers, key2: Numbers, free1: Flags, free2: Flags
) -> tuple[Numbers, Numbers]:
    """Pairs of free words with the same key in the same row, the first with the first."""
    own1, own2 = np.flatnonzero(free1), np.flatnonzero(free2)
    span = 1 + int(max(key1.max(initial=0), key2.max(initial=0)))
    numbered1, rank1 = _ranked(words1.rows[own1] * span + key1[own1])
    numbered2, rank2 = _ranked(words2.rows[own2] * span + key2[own2])
    most = 1 + int(max(rank1.max(initial=0), rank2.max(initial=0)))
    _, places1, places2 = np.intersect1d(
        numbered1 * most + rank1, numbered2 * most + rank2, assume_unique=True, return_indices=True
    )
    return own1[places1], own2[places2]


def _ranked(codes: Numbers) -> tuple[Numbers, Numbers]:
    """The codes, and how many equal ones stand before each."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    new = np.ones(len(codes), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    numbers = np.arange(len(codes))
    ranks = np.empty(len(codes), np.int64)
    ranks[order] = numbers - np.maximum.accumulate(np.where(new, numbers, 0))
    return codes, ranks
