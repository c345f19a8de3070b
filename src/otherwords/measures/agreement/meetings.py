"""Where two annotators met: the units that both judged, reduced to what coefficients of two people are made of.

Units that the same people judged alike are one pattern. For each pair of annotators, sums over patterns are wanted of
either one's labels and of how far these are apart. Where nearly everybody judged nearly everything, these are one
product of matrices, less what each did where the other was absent; where people met here and there, a sum a pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints, sets_of
from otherwords.measures.agreement.resampling import EXACT, Weights, grouped
from otherwords.measures.agreement.scale import Floats

Pair = tuple[int, int]
Sums = tuple[Floats, Floats, Floats]  # labels of the first, labels of the second, each distance between them
DENSE = 0.5  # of all patterns a pair has to share, in the mean, for one product to be less work


@dataclass(frozen=True, slots=True)
class Meetings:
    """The patterns and their sizes; the labels of everybody who judged one, by annotator, and -1 where they did not."""

    sizes: Ints
    labels: dict[int, Ints]
    rows: dict[Pair, Ints]  # the patterns that both are in
    k: int

    @property
    def pairs(self) -> list[Pair]:
        return list(self.rows)


def meetings(codes: Codes, hub: int | None = None) -> Meetings:
    """All pairs of annotators who met, or those of one of them."""
    sizes: list[Ints] = []
    held: dict[int, list[tuple[Ints, Ints]]] = defaultdict(list)
    met: dict[Pair, list[Ints]] = defaultdict(list)
    begun = 0
    for who, labels in sets_of(codes):
        first, counts = grouped(np.concatenate([who, labels], axis=1))
        for column in range(who.shape[1]):
            for part in _alike(who[first, column]):
                held[int(who[first[part[0]], column])].append((part + begun, labels[first[part], column]))
        _meet(met, who[first], begun, hub)
        sizes.append(counts)
        begun += len(counts)
    rows = {pair: np.sort(np.concatenate(met[pair])) for pair in sorted(met)}
    return Meetings(np.concatenate(sizes or [np.zeros(0, np.int64)]), _labels(held, begun), rows, len(codes.categories))


def _alike(numbers: Ints) -> list[Ints]:
    """The places of equal numbers, together."""
    order = np.argsort(numbers, kind="stable")
    return [part for part in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1) if len(part)]


def _meet(met: dict[Pair, list[Ints]], who: Ints, begun: int, hub: int | None) -> None:
    for one in range(who.shape[1]):
        for two in range(one + 1, who.shape[1]):
            here = np.arange(len(who))
            if hub is not None:
                here = np.flatnonzero((who[:, one] == hub) | (who[:, two] == hub))
            for part in _alike(who[here, one] * (int(who.max()) + 1) + who[here, two]):
                rows = here[part]
                met[int(who[rows[0], one]), int(who[rows[0], two])].append(rows + begun)


def _labels(held: dict[int, list[tuple[Ints, Ints]]], patterns: int) -> dict[int, Ints]:
    told = {}
    for who, parts in held.items():
        told[who] = np.full(patterns, -1, np.int16)
        for rows, labels in parts:
            told[who][rows] = labels
    return told  # type: ignore[return-value]


def summing(met: Meetings, distances: list[Floats]) -> Callable[[Weights], Iterator[Sums]]:
    """What makes the sums of each pair, in their order, for weights of the patterns, a column a replicate."""
    shared = sum(len(rows) for rows in met.rows.values())
    if shared >= DENSE * len(met.sizes) * len(met.rows):
        return _dense(met, distances)
    return _sparse(met, distances)


def _sparse(met: Meetings, distances: list[Floats]) -> Callable[[Weights], Iterator[Sums]]:
    k = met.k
    apart = np.stack([one.ravel() for one in distances])
    cells = [_parts(met.labels[one][rows] * k + met.labels[two][rows], rows) for (one, two), rows in met.rows.items()]

    def sums(weights: Weights) -> Iterator[Sums]:
        for parts in cells:
            met_how_often = _added(parts, k * k, weights)
            table = met_how_often.reshape(k, k, -1)
            yield table.sum(axis=1), table.sum(axis=0), np.einsum("dc,cr->dr", apart, met_how_often)

    return sums


Parts = list[tuple[int, Ints]]  # a number, and the patterns that it is of


def _parts(numbers: Ints, rows: Ints) -> Parts:
    return [(int(numbers[part[0]]), rows[part]) for part in _alike(numbers.astype(np.int64))]


def _added(parts: Parts, count: int, weights: Weights) -> Floats:
    """The weights of the patterns of each number. Adding rows is less work than a product of small matrices."""
    sums = np.zeros((count, weights.shape[1]))
    for number, rows in parts:
        sums[number] = weights[rows].sum(axis=0)
    return sums


def _dense(met: Meetings, distances: list[Floats]) -> Callable[[Weights], Iterator[Sums]]:
    k, people = met.k, list(met.labels)
    everybody = [_one_hot(met.labels[who], k) for who in people]
    columns = np.concatenate([*everybody, *(_apart(*_both(met, pair), distances) for pair in met.rows)])
    absent = {(one, two): _alone(met, one, two) for pair in met.rows for one, two in (pair, pair[::-1])}

    def sums(weights: Weights) -> Iterator[Sums]:
        total = summed(columns, weights)
        labels = {who: total[place * k : (place + 1) * k] for place, who in enumerate(people)}
        rest = total[len(people) * k :].reshape(len(met.rows), len(distances), -1)
        for (one, two), apart in zip(met.rows, rest, strict=True):
            first = labels[one] - _added(absent[one, two], k, weights)
            yield first, labels[two] - _added(absent[two, one], k, weights), apart

    return sums


def _both(met: Meetings, pair: Pair) -> tuple[Ints, Ints]:
    return met.labels[pair[0]], met.labels[pair[1]]


def _alone(met: Meetings, one: int, two: int) -> Parts:
    """The patterns that one annotator is in and another is not, by the label of the one."""
    rows = np.flatnonzero((met.labels[one] >= 0) & (met.labels[two] < 0))
    return _parts(met.labels[one][rows], rows)


def _one_hot(labels: Ints, k: int) -> Weights:
    """A row a label, with 1 where it was given."""
    return np.asarray(labels == np.arange(k, dtype=labels.dtype)[:, None], np.float32)


def _apart(first: Ints, second: Ints, distances: list[Floats]) -> Weights:
    """A row a distance, with 0 where one of both is absent."""
    here = (first >= 0) & (second >= 0)
    apart = np.stack([np.where(here, one[first, second], 0.0) for one in distances])
    return apart.astype(np.float32) if np.array_equal(apart, np.rint(apart)) else apart


def summed(rows: Weights, weights: Weights) -> Floats:
    """Sums of rows over their columns with these weights, in single precision where that is exact."""
    units = float(weights[:, :1].sum(dtype=np.float64))
    large = rows.max(axis=1, initial=0) * units >= EXACT
    if rows.dtype == np.float64 or weights.dtype == np.float64 or large.all():
        return np.asarray(rows.astype(np.float64, copy=False) @ weights.astype(np.float64, copy=False))
    sums = np.asarray(rows @ weights, np.float64)
    if large.any():
        sums[large] = rows[large].astype(np.float64) @ weights.astype(np.float64)
    return sums
