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


@dataclass(frozen=True, slots=True)
class PairCoefficient:
    """A coefficient of two annotators: the distances of labels, and how chance agreement is estimated."""

    name: str
    apart: Floats
    chance: Chance


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
        units = np.empty((len(patterns.rows), weights.shape[1]))
        values = np.empty((len(patterns.rows), len(coefficients), weights.shape[1]))
        for place, (first, second, seen) in enumerate(sums(weights)):
            units[place] = first.sum(axis=0)
            both = (first + second) / 2
            for number, coefficient in enumerate(coefficients):
                distance = seen[which[id(coefficient.apart)]]
                if coefficient.chance == "none":
                    values[place, number] = 1 - divide(distance, units[place])
                    continue
                labels1, labels2 = (both, both) if coefficient.chance == "shared" else (first, second)
                expected = (labels1 * (coefficient.apart @ labels2)).sum(axis=0)
                values[place, number] = 1 - divide(distance * units[place], expected)
        means = [_means(units[subset], values[subset]) for subset in subsets]
        return np.concatenate([values.reshape(-1, weights.shape[1]), *means])

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
    label_of_unit = np.full(int(codes.units.max(initial=-1)) + 1, -1, np.int64)
    for person in range(people):
        own = codes.annotators == person
        label_of_unit[:] = -1
        label_of_unit[codes.units[own]] = codes.labels[own]
        shared = np.flatnonzero((label_of_unit[codes.units] >= 0) & ~own)
        others, theirs = codes.annotators[shared], codes.labels[shared]
        mine = label_of_unit[codes.units[shared]]
        first, second = (
            np.bincount(others * k + labels, minlength=people * k).reshape(people, k).astype(np.float64)
            for labels in (mine, theirs)
        )
        units[person] = first.sum(axis=1)
        for number, coefficient in enumerate(coefficients):
            distance = np.asarray(np.bincount(others, coefficient.apart[mine, theirs], people), np.float64)
            if coefficient.chance == "none":
                values[number, person] = 1 - divide(distance, units[person])
                continue
            labels1, labels2 = (first, second) if coefficient.chance == "own" else [(first + second) / 2] * 2
            expected = ((labels1 @ coefficient.apart) * labels2).sum(axis=1)
            values[number, person] = 1 - divide(distance * units[person], expected)
    return AllPairs(units, values)


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
