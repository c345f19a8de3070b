"""Coefficients of two annotators each: observed agreement, Cohen's kappa, Scott's pi, and their means over pairs.

Two annotators are compared on the units that both judged (Cohen 1960, 1968; Scott 1955). A bootstrap replicate is the
same for all pairs of annotators, so that a mean over pairs has an interval too. Of many annotators only the means are
computed, without intervals: :func:`all_pairs` takes one annotator after the other with all others at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Formula, Weights, divide, estimates
from otherwords.measures.agreement.scale import Floats
from otherwords.measures.agreement.shared_units import AnswerPatterns, Pair, pair_sums, shared_patterns

# Observed agreement; Cohen's, by the labels of each annotator; Scott's, by the labels of both.
Chance = Literal["none", "own", "shared"]
CELLS_AT_ONCE = 2**19  # labels of pairs of annotators; many small products take longer than a few large ones


@dataclass(frozen=True, slots=True)
class PairCoefficient:
    """A coefficient of two annotators: the distances of labels, and how chance agreement is estimated."""

    name: str
    apart: Floats
    chance: Chance

    @property
    def is_nominal(self) -> bool:
        return np.array_equal(self.apart, 1.0 - np.eye(len(self.apart)))


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Coefficients by pair of annotators, in the order of the coefficients, and their means over pairs.

    Means are by name of the subset of pairs; ``weighted`` by the units of each pair, ``plain`` over pairs. A pair whose
    coefficient is undefined is left out.
    """

    units: dict[Pair, int]
    by_pair: dict[Pair, list[Estimate]]
    weighted: dict[str, list[Estimate]]
    plain: dict[str, list[Estimate]]

    def means(self, name: str, annotator: int | None) -> PairMeans:
        """The means of a subset: all pairs of annotators, or those of one."""
        pairs = [pair for pair in self.units if annotator is None or annotator in pair]
        values = [[estimate.value is not None for estimate in self.by_pair[pair]] for pair in pairs]
        defined = [sum(column) for column in zip(*values, strict=True)]
        return PairMeans(
            self.weighted[name], self.plain[name], sum(map(self.units.__getitem__, pairs)), len(pairs), defined
        )


@dataclass(frozen=True, slots=True)
class PairMeans:
    """Means over pairs of annotators, and the numbers of pairs that have a value, both by coefficient."""

    weighted: list[Estimate]
    plain: list[Estimate]
    units: int  # summed over the pairs
    met: int  # pairs with a common unit
    defined: list[int]


def pairwise(
    codes: Codes,
    coefficients: list[PairCoefficient],
    bootstrap: Bootstrap,
    *,
    hub: int | None = None,
    subsets: dict[str, list[Pair]] | None = None,
) -> Pairwise:
    """Coefficients of every two annotators, or of one of them (``hub``) with every other.

    ``subsets`` are pairs to take means over, by name; the subset ``""`` is always all of them.
    """
    patterns = shared_patterns(codes, hub)
    number_of = {pair: number for number, pair in enumerate(patterns.rows)}
    subsets_by_name = {"": list(patterns.rows)} | (subsets or {})
    places = {
        name: [number_of[pair] for pair in subset if pair in number_of] for name, subset in subsets_by_name.items()
    }
    formula = _formula(patterns, coefficients, list(places.values()))
    results = iter(estimates(formula, patterns.sizes, bootstrap) if patterns.rows else [])
    by_pair = {pair: list(islice(results, len(coefficients))) for pair in patterns.rows}
    weighted, plain = {}, {}
    for name in places:
        weighted[name] = list(islice(results, len(coefficients)))
        plain[name] = list(islice(results, len(coefficients)))
    units = {pair: int(patterns.sizes[patterns.rows[pair]].sum()) for pair in patterns.rows}
    return Pairwise(units, by_pair, weighted, plain)


def _formula(patterns: AnswerPatterns, coefficients: list[PairCoefficient], subsets: list[list[int]]) -> Formula:
    """All coefficients of all pairs, from the total distance of two people's labels and how often each gave each."""
    distances = list({id(coefficient.apart): coefficient.apart for coefficient in coefficients}.values())
    which = {id(apart): number for number, apart in enumerate(distances)}
    sums = pair_sums(patterns, distances)

    def formula(weights: Weights) -> Floats:
        replicates = weights.shape[1]
        units = np.empty((len(patterns.rows), replicates))
        values = np.empty((len(patterns.rows), len(coefficients), replicates))
        of_pairs, at_once = sums(weights), max(1, CELLS_AT_ONCE // (patterns.k * replicates))
        for start in range(0, len(patterns.rows), at_once):
            columns = zip(*islice(of_pairs, at_once), strict=True)  # one for each pair and replicate
            first, second, seen = (np.concatenate(arrays, axis=1) for arrays in columns)
            here, shared = slice(start, start + at_once), first.sum(axis=0)
            units[here] = shared.reshape(-1, replicates)
            for number, coefficient in enumerate(coefficients):
                compared = seen[which[id(coefficient.apart)]], shared
                values[here, number] = _coefficient(coefficient, first, second, *compared).reshape(-1, replicates)
        means = [_means(units[subset], values[subset]) for subset in subsets]
        return np.concatenate([values.reshape(-1, replicates), *means])

    return formula


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Coefficients of every two annotators: by coefficient, first and second annotator; both halves are filled."""

    units: Floats  # that two annotators both judged
    values: Floats

    def means(self, annotator: int | None) -> PairMeans:
        """The means over all pairs of annotators, or over those of one."""
        first, second = np.triu_indices(len(self.units), 1)
        units, values = self.units[first, second], self.values[:, first, second]
        if annotator is not None:
            units, values = self.units[annotator], self.values[:, annotator]
        means = _means(units[:, None], values.T[:, :, None])[:, 0].tolist()
        estimated = [Estimate(mean if np.isfinite(mean) else None) for mean in means]
        weighted, plain = estimated[: len(values)], estimated[len(values) :]
        defined = np.isfinite(values).sum(axis=1).tolist()
        return PairMeans(weighted, plain, int(units.sum()), int((units > 0).sum()), defined)


def all_pairs(codes: Codes, coefficients: list[PairCoefficient]) -> AllPairs:
    """Coefficients of every two annotators, without intervals."""
    people, k = len(codes.names), len(codes.categories)
    units = np.zeros((people, people))
    values = np.full((len(coefficients), people, people), np.nan)
    at_once = max(1, CELLS_AT_ONCE // (people * k))
    for start in range(0, people, at_once):
        block = range(start, min(start + at_once, people))
        pairs, mine, theirs = _shared_answers(codes, block)
        first, second = (_label_counts(pairs, labels, k, len(block) * people) for labels in (mine, theirs))
        shared = first.sum(axis=0)
        units[block.start : block.stop] = shared.reshape(-1, people)
        for number, coefficient in enumerate(coefficients):
            distance = np.asarray(np.bincount(pairs, coefficient.apart[mine, theirs], len(shared)), np.float64)
            result = _coefficient(coefficient, first, second, distance, shared)
            values[number, block.start : block.stop] = result.reshape(-1, people)
    return AllPairs(units, values)


def _shared_answers(codes: Codes, block: range) -> tuple[Ints, Ints, Ints]:
    """The answers of some annotators beside those of all others to the same units, each with the number of the pair
    of annotators."""
    people = len(codes.names)
    label_of_unit = np.full(int(codes.units.max(initial=-1)) + 1, -1, np.int64)
    pairs, mine, theirs = [], [], []
    for row, person in enumerate(block):
        own = codes.annotators == person
        label_of_unit[:] = -1
        label_of_unit[codes.units[own]] = codes.labels[own]
        shared = np.flatnonzero((label_of_unit[codes.units] >= 0) & ~own)
        pairs.append(row * people + codes.annotators[shared])
        mine.append(label_of_unit[codes.units[shared]])
        theirs.append(codes.labels[shared])
    return np.concatenate(pairs), np.concatenate(mine), np.concatenate(theirs)


def _label_counts(pairs: Ints, labels: Ints, k: int, count: int) -> Floats:
    """How often each label was given in each pair of annotators, one column per pair."""
    return np.bincount(labels * count + pairs, minlength=k * count).reshape(k, count).astype(np.float64)


def _coefficient(
    coefficient: PairCoefficient, first: Floats, second: Floats, distance: Floats, units: Floats
) -> Floats:
    """A coefficient of many comparisons, one column each: the labels of both annotators and how far apart they are."""
    if coefficient.chance == "none":
        return 1 - divide(distance, units)
    labels1, labels2 = (first, second) if coefficient.chance == "own" else [(first + second) / 2] * 2
    if coefficient.is_nominal:  # how many differ; no product of matrices is needed
        expected = labels1.sum(axis=0) * labels2.sum(axis=0) - (labels1 * labels2).sum(axis=0)
    else:
        expected = (labels1 * (coefficient.apart @ labels2)).sum(axis=0)
    return 1 - divide(distance * units, expected)


def _means(units: Floats, values: Floats) -> Floats:
    """The means of each coefficient over pairs: weighted by units, then plain; undefined values are left out."""
    defined = np.isfinite(values)
    weights = np.where(defined, units[:, None], 0.0)
    filled = np.where(defined, values, 0.0)
    weighted = divide((filled * weights).sum(axis=0), weights.sum(axis=0))
    return np.concatenate([weighted, divide(filled.sum(axis=0), defined.sum(axis=0).astype(np.float64))])


def confusion_matrix(codes: Codes, pair: Pair) -> Ints:
    """How often each label of one annotator meets each label of the other, on the units that both judged."""
    first, second = (codes.where(codes.annotators == annotator) for annotator in pair)
    _, places1, places2 = np.intersect1d(first.units, second.units, assume_unique=True, return_indices=True)
    k = len(codes.categories)
    return np.bincount(first.labels[places1] * k + second.labels[places2], minlength=k * k).reshape(k, k)
