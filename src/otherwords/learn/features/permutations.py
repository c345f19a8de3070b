"""The places of matched words as permutations, one for each pair, and what is counted in them.

Read in the order of the first text, the places that the matched words have in the second are a permutation. Its
inversions are the pairs of words that stand in the other order (Kendall 1938); its longest increasing subsequence is
the most words that can be said not to have moved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.learn.features.matching import MatchedWords
from otherwords.learn.features.words import Flags, Numbers

CELLS = 4_000_000  # of the largest table that is made of the words of several pairs


@dataclass(frozen=True, slots=True)
class Permutations:
    """For each matched word its rank in either text among the matched words of its pair."""

    rows: Numbers  # the pair of each word
    sizes: Numbers  # matched words of each pair
    starts: Numbers
    rank1: Numbers
    rank2: Numbers
    inversions: Numbers  # of each pair
    longest: Numbers  # increasing subsequence of each pair
    kept: Flags  # whether a word is in one of those; the others have moved


def permutations_of(matched: MatchedWords, pairs: int) -> Permutations:
    """The permutations of matched words."""
    sizes = np.bincount(matched.rows, minlength=pairs)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    numbers = np.arange(len(matched.rows))
    rank2 = np.empty(len(numbers), np.int64)
    rank2[np.lexsort((matched.second, matched.rows))] = numbers
    base = starts[matched.rows]
    permutations = Permutations(
        matched.rows,
        sizes,
        starts,
        numbers - base,
        rank2 - base,
        np.zeros(pairs, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(len(numbers), np.bool_),
    )
    for rows in _by_size(sizes):
        _count(permutations, rows)
    return permutations


def _by_size(sizes: Numbers) -> list[Numbers]:
    """The pairs that have matched words, those of about the same size together, as many as fit into a table."""
    order = np.argsort(sizes, kind="stable")
    order = order[np.searchsorted(sizes[order], 1) :]
    groups = []
    while len(order):
        cells = sizes[order] ** 2 * np.arange(1, len(order) + 1)
        fitting = max(1, int(np.searchsorted(cells, CELLS)))
        groups.append(order[:fitting])
        order = order[fitting:]
    return groups


def _count(permutations: Permutations, rows: Numbers) -> None:
    """Count in the permutations of some pairs, all at once: a row of a table each, filled up to the longest."""
    sizes = permutations.sizes[rows, None]
    places = np.arange(int(sizes.max()))
    real = places < sizes
    index = np.where(real, permutations.starts[rows, None] + places, 0)
    # Beyond the end ranks go on rising, so that nothing there is an inversion.
    ranks = np.where(real, permutations.rank2[index], places).astype(np.int32)
    up_to, onwards = np.ones_like(ranks), np.ones_like(ranks)  # longest subsequences that end, or begin, at a word
    inversions = np.zeros(len(rows), np.int64)
    for place in places[1:]:
        smaller = ranks[:, :place] < ranks[:, place, None]
        inversions += place - np.count_nonzero(smaller, axis=1)
        up_to[:, place] += (smaller * up_to[:, :place]).max(axis=1)
    for place in places[-2::-1]:
        larger = (ranks[:, place + 1 :] > ranks[:, place, None]) & real[:, place + 1 :]
        onwards[:, place] += (larger * onwards[:, place + 1 :]).max(axis=1)
    longest = (real * up_to).max(axis=1)
    permutations.inversions[rows] = inversions
    permutations.longest[rows] = longest
    permutations.kept[index[real]] = (up_to + onwards - 1 == longest[:, None])[real]
