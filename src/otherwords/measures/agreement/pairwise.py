"""Coefficients of two annotators each: observed agreement, Cohen's kappa, Scott's pi, and their means over pairs.

Two annotators are compared on the units that both judged (Cohen 1960, 1968; Scott 1955). All pairs of annotators are
drawn together in a replicate, so that a mean over pairs has an interval too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.meetings import Meetings, Pair, meetings, summing
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Formula, Weights, divided, estimates
from otherwords.measures.agreement.scale import Floats

Chance = Literal[
    "none", "own", "shared"
]  # observed agreement; Cohen's, by each one's labels; Scott's, by those of both


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of two annotators: how far labels are apart, and what agreement by chance is."""

    name: str
    apart: Floats
    chance: Chance


@dataclass(frozen=True, slots=True)
class Pairwise:
    """Coefficients by pair of annotators, in the order of the coefficients, and their means over pairs.

    A mean is taken over the pairs of one circle; ``weighted`` by the units of each pair, ``plain`` over pairs. A pair
    whose coefficient is undefined is left out of it.
    """

    units: dict[Pair, int]
    of_pairs: dict[Pair, list[Estimate]]
    weighted: dict[str, list[Estimate]]
    plain: dict[str, list[Estimate]]


def pairwise(
    codes: Codes,
    coefficients: list[Coefficient],
    bootstrap: Bootstrap,
    *,
    hub: int | None = None,
    circles: dict[str, list[Pair]] | None = None,
) -> Pairwise:
    """Coefficients of every two annotators, or of one of them (``hub``) with every other.

    ``circles`` are pairs to take means over, by name; all of them by themselves are the circle ``""``.
    """
    met = meetings(codes, hub)
    place = {pair: number for number, pair in enumerate(met.pairs)}
    wanted = {"": list(met.pairs)} | (circles or {})
    places = {name: [place[pair] for pair in circle if pair in place] for name, circle in wanted.items()}
    formula = _formula(met, coefficients, list(places.values()))
    told = iter(estimates(formula, met.sizes, bootstrap) if met.pairs else [])

    def some() -> list[Estimate]:
        return list(islice(told, len(coefficients)))

    of_pairs = {pair: some() for pair in met.pairs}
    means = {name: (some(), some()) for name in places}
    weighted, plain = ({name: both[which] for name, both in means.items()} for which in (0, 1))
    units = {pair: int(met.sizes[met.rows[pair]].sum()) for pair in met.pairs}
    return Pairwise(units, of_pairs, weighted, plain)


def _formula(met: Meetings, coefficients: list[Coefficient], circles: list[list[int]]) -> Formula:
    distances = list({id(one.apart): one.apart for one in coefficients}.values())
    which = {id(apart): number for number, apart in enumerate(distances)}
    sums = summing(met, distances)

    def formula(weights: Weights) -> Floats:
        units = np.empty((len(met.pairs), weights.shape[1]))
        values = np.empty((len(met.pairs), len(coefficients), weights.shape[1]))
        for place, (first, second, seen) in enumerate(sums(weights)):
            units[place] = first.sum(axis=0)
            for number, one in enumerate(coefficients):
                values[place, number] = _value(one, seen[which[id(one.apart)]], units[place], first, second)
        means = [_means(units[circle], values[circle]) for circle in circles]
        return np.concatenate([values.reshape(-1, weights.shape[1]), *means])

    return formula


def _means(units: Floats, values: Floats) -> Floats:
    """The means of each coefficient over pairs: weighted by units, then plain; what is undefined is left out."""
    defined = np.isfinite(values)
    weights = np.where(defined, units[:, None], 0.0)
    filled = np.where(defined, values, 0.0)
    weighted = divided((filled * weights).sum(axis=0), weights.sum(axis=0))
    return np.concatenate([weighted, divided(filled.sum(axis=0), defined.sum(axis=0).astype(np.float64))])


def _value(coefficient: Coefficient, seen: Floats, units: Floats, first: Floats, second: Floats) -> Floats:
    """A coefficient by how far apart two people's labels are in all, and how often each gave each label."""
    if coefficient.chance == "none":
        return 1 - divided(seen, units)
    if coefficient.chance == "shared":
        first = second = (first + second) / 2
    expected = (first * (coefficient.apart @ second)).sum(axis=0)
    return 1 - divided(seen * units, expected)


def confusion(codes: Codes, pair: Pair) -> Ints:
    """How often one annotator's label met the other's, on the units that both judged."""
    first, second = (codes.where(codes.annotators == who) for who in pair)
    _, one, two = np.intersect1d(first.units, second.units, assume_unique=True, return_indices=True)
    k = len(codes.categories)
    return np.bincount(first.labels[one] * k + second.labels[two], minlength=k * k).reshape(k, k)
