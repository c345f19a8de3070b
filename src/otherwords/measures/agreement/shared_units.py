"""The units that two annotators both judged, reduced to what coefficients of two people are made of.

Units with the same answers by the same people are one pattern. For each pair of annotators we need sums over patterns
of the labels of each and of the distances between them. Where nearly everybody judged nearly everything, these are
one product of matrices, less what each did where the other was absent; where people met here and there, a sum per
pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from otherwords.measures.agreement.codes import Codes, Ints, units_by_size
from otherwords.measures.agreement.resampling import EXACT, Weights, distinct_rows
from otherwords.measures.agreement.scale import Floats

Pair = tuple[int, int]
PairSums = tuple[Floats, Floats, Floats]  # labels of the first, labels of the second, each distance between them
DENSE = 0.5  # mean share of the patterns that a pair has in common from which on one product is less work


@dataclass(frozen=True, slots=True)
class AnswerPatterns:
    """The patterns and their sizes; the label of each pattern by annotator, -1 where they did not judge it."""

    sizes: Ints
    labels: dict[int, npt.NDArray[np.int16]]
    rows: dict[Pair, Ints]  # the patterns that both judged
    k: int


def shared_patterns(codes: Codes, hub: int | None = None) -> AnswerPatterns:
    """The patterns of all pairs of annotators with common units, or of the pairs of one annotator (``hub``)."""
    sizes: list[Ints] = []
    labels_of: dict[int, list[tuple[Ints, Ints]]] = defaultdict(list)
    offset = 0
    for annotators, labels in units_by_size(codes):
        first, counts = distinct_rows(np.concatenate([annotators, labels], axis=1))
        for column in range(annotators.shape[1]):
            for part in _equal_places(annotators[first, column]):
                labels_of[int(annotators[first[part[0]], column])].append((part + offset, labels[first[part], column]))
        sizes.append(counts)
        offset += len(counts)
    full = {annotator: np.full(offset, -1, np.int16) for annotator in labels_of}
    for annotator, parts in labels_of.items():
        for places, labels in parts:
            full[annotator][places] = labels
    pairs = combinations(sorted(full), 2)
    met = {pair: np.flatnonzero((full[pair[0]] >= 0) & (full[pair[1]] >= 0)) for pair in pairs if hub in (None, *pair)}
    rows = {pair: places for pair, places in met.items() if len(places)}
    return AnswerPatterns(np.concatenate(sizes or [np.zeros(0, np.int64)]), full, rows, len(codes.categories))


def _equal_places(numbers: Ints) -> list[Ints]:
    """The places of each number, together."""
    order = np.argsort(numbers, kind="stable")
    return [part for part in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1) if len(part)]


def pair_sums(patterns: AnswerPatterns, distances: list[Floats]) -> Callable[[Weights], Iterator[PairSums]]:
    """A function from weights of the patterns, one column per replicate, to the sums of each pair, in order."""
    shared = sum(len(rows) for rows in patterns.rows.values())
    if shared >= DENSE * len(patterns.sizes) * len(patterns.rows):
        return _dense(patterns, distances)
    return _sparse(patterns, distances)


def _sparse(patterns: AnswerPatterns, distances: list[Floats]) -> Callable[[Weights], Iterator[PairSums]]:
    k = patterns.k
    apart = np.stack([distance.ravel() for distance in distances])
    cells = [
        _parts(patterns.labels[first][rows] * k + patterns.labels[second][rows], rows)
        for (first, second), rows in patterns.rows.items()
    ]

    def sums(weights: Weights) -> Iterator[PairSums]:
        for parts in cells:
            cell_weights = _sums_by_number(parts, k * k, weights)
            table = cell_weights.reshape(k, k, -1)
            yield table.sum(axis=1), table.sum(axis=0), np.einsum("dc,cr->dr", apart, cell_weights)

    return sums


Parts = list[tuple[int, Ints]]  # a number, and its patterns


def _parts(numbers: npt.NDArray[np.integer], rows: Ints) -> Parts:
    return [(int(numbers[part[0]]), rows[part]) for part in _equal_places(numbers.astype(np.int64))]


def _sums_by_number(parts: Parts, count: int, weights: Weights) -> Floats:
    """The summed weights of each number. Adding rows is less work than a product of small matrices."""
    sums = np.zeros((count, weights.shape[1]))
    for number, rows in parts:
        sums[number] = weights[rows].sum(axis=0)
    return sums


def _dense(patterns: AnswerPatterns, distances: list[Floats]) -> Callable[[Weights], Iterator[PairSums]]:
    k, people, labels_of = patterns.k, list(patterns.labels), patterns.labels
    # One row per annotator and label, with 1 where it was given; then one per pair and distance, with 0 where one of
    # the two is absent.
    rows: list[Weights] = [
        (labels_of[name] == np.arange(k, dtype=np.int16)[:, None]).astype(np.float32) for name in people
    ]
    absent: dict[Pair, Parts] = {}  # the patterns that only the first of two annotators judged, by label
    for pair in patterns.rows:
        judged1, judged2 = (labels_of[annotator] >= 0 for annotator in pair)
        between = [distance[labels_of[pair[0]], labels_of[pair[1]]] for distance in distances]
        apart = np.where(judged1 & judged2, np.stack(between), 0.0)
        rows.append(apart.astype(np.float32) if np.array_equal(apart, np.rint(apart)) else apart)
        for (first, second), alone in ((pair, judged1 & ~judged2), (pair[::-1], judged2 & ~judged1)):
            places = np.flatnonzero(alone)
            absent[first, second] = _parts(labels_of[first][places], places)
    columns = np.concatenate(rows)

    def sums(weights: Weights) -> Iterator[PairSums]:
        total = weighted_sums(columns, weights)
        labels = {annotator: total[place * k : (place + 1) * k] for place, annotator in enumerate(people)}
        rest = total[len(people) * k :].reshape(len(patterns.rows), len(distances), -1)
        for (first, second), apart in zip(patterns.rows, rest, strict=True):
            labels1 = labels[first] - _sums_by_number(absent[first, second], k, weights)
            yield labels1, labels[second] - _sums_by_number(absent[second, first], k, weights), apart

    return sums


def weighted_sums(rows: Weights, weights: Weights) -> Floats:
    """Sums of rows over their columns with weights, in single precision where that is exact."""
    units = float(weights[:, :1].sum(dtype=np.float64))
    large = rows.max(axis=1, initial=0) * units >= EXACT
    if rows.dtype == np.float64 or weights.dtype == np.float64 or large.all():
        return np.asarray(rows.astype(np.float64, copy=False) @ weights.astype(np.float64, copy=False))
    sums = np.asarray(rows @ weights, np.float64)
    if large.any():
        sums[large] = rows[large].astype(np.float64) @ weights.astype(np.float64)
    return sums
