"""Coefficients of all annotators together: observed agreement, Fleiss, Krippendorff's alpha, Gwet's AC1 and AC2.

All of them follow from how often each unit got each label; who gave it does not matter, and a unit may have any
number of judgements. A unit is reduced to the products of its counts; the formulas work on sums of these
(Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; Fleiss 1971; Gwet 2014, chapters 2 to 5).

Whole numbers are summed throughout, in single precision where that is exact and in double where it is not, so that
the same seed gives the same values on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.resampling import (
    Bootstrap,
    Estimate,
    Weights,
    as_exact,
    distinct_rows,
    divide,
    estimates,
)
from otherwords.measures.agreement.scale import Floats, Level, Scale, distances, ordinal_weights, ratio_distances
from otherwords.measures.agreement.shared_units import weighted_sums


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over units, the last axis being replicates.

    In ``coincidences`` a unit of m judgements counts m times (Krippendorff), in ``shares`` once (Fleiss, Gwet);
    ``units`` counts those with two judgements or more. ``lone`` are the labels of units that have only one.
    """

    coincidences: Floats
    shares: Floats
    units: Floats
    lone: Floats


CoefficientFormula = Callable[[Sums], Floats]


def pooled(codes: Codes, coefficients: list[CoefficientFormula], bootstrap: Bootstrap) -> list[Estimate]:
    """Coefficients on the same judgements, each with its interval."""
    counts = codes.counts()
    small = counts.astype(np.uint8 if counts.max(initial=0) < 256 else np.uint32)
    first, sizes = distinct_rows(small)
    summing = _summing(counts[first])

    def formula(weights: Weights) -> Floats:
        sums = summing(weights)
        return np.stack([coefficient(sums) for coefficient in coefficients])

    return estimates(formula, sizes, bootstrap)


def _summing(patterns: Ints) -> Callable[[Weights], Sums]:
    """A function from weights of patterns, one column per replicate, to sums."""
    k = patterns.shape[1]
    row, column = np.triu_indices(k)
    judgements = patterns.sum(axis=1)
    sets = []
    for size in np.unique(judgements[judgements > 1]):
        rows = np.flatnonzero(judgements == size)
        counts = patterns[rows]
        sets.append((int(size), rows, as_exact((counts[:, row] * (counts[:, column] - (row == column))).T, size**2)))
    alone = np.flatnonzero(judgements == 1)
    single = as_exact(patterns[alone].T, 1)

    def sums(weights: Weights) -> Sums:
        shape = (len(row), weights.shape[1])
        coincidences, shares, units = np.zeros(shape), np.zeros(shape), np.zeros(shape[1])
        for size, rows, products in sets:
            of_size = weights[rows]
            total = weighted_sums(products, of_size)
            coincidences += total / (size - 1)
            shares += total / (size * (size - 1))
            units += of_size.sum(axis=0, dtype=np.float64)
        square = np.empty((2, k, k, weights.shape[1]))
        square[:, row, column] = square[:, column, row] = coincidences, shares
        return Sums(square[0], square[1], units, weighted_sums(single, weights[alone]))

    return sums


def observed(sums: Sums) -> Floats:
    """How often two judgements of a unit are the same, averaged over units."""
    return divide(np.einsum("ccr->r", sums.shares), sums.units)


def fleiss(sums: Sums) -> Floats:
    """Fleiss' kappa; with varying numbers of judgements as in Gwet 2014, §2.5, where each unit counts the same."""
    chance = (_label_shares(sums) ** 2).sum(axis=0)
    return divide(observed(sums) - chance, 1 - chance)


def _label_shares(sums: Sums) -> Floats:
    """The share of each label in a unit, averaged over all units, also those with one judgement."""
    totals = sums.shares.sum(axis=1) + sums.lone
    return divide(totals, np.broadcast_to(totals.sum(axis=0), totals.shape))


def alpha(level: Level, numbers: Floats) -> CoefficientFormula:
    """Krippendorff's alpha for labels at the positions ``numbers``, which increase for all levels but the nominal."""
    if level == "ratio":
        fixed = ratio_distances(numbers)
    else:
        fixed = distances("nominal" if level == "nominal" else "quadratic", numbers)

    def coefficient(sums: Sums) -> Floats:
        marginals, apart = sums.coincidences.sum(axis=1), fixed[:, :, None]
        if level == "ordinal":  # Krippendorff's metric: the square of the number of judgements between two labels
            middle = np.cumsum(marginals, axis=0) - marginals / 2
            apart = np.asarray((middle[:, None] - middle[None, :]) ** 2)
        seen = (sums.coincidences * apart).sum(axis=(0, 1))
        expected = (marginals[:, None] * marginals[None, :] * apart).sum(axis=(0, 1))
        return 1 - divide((marginals.sum(axis=0) - 1) * seen, expected)

    return coefficient


def specific(place: int) -> CoefficientFormula:
    """The share of the other judgements of a unit that agree with one that gave this label (Fleiss 1971, §4)."""
    return lambda sums: divide(sums.coincidences[place, place], sums.coincidences[place].sum(axis=0))


def one_label(place: int) -> CoefficientFormula:
    """Nominal alpha of one label against all others."""

    def coefficient(sums: Sums) -> Floats:
        total, own = sums.coincidences.sum(axis=(0, 1)), sums.coincidences[place].sum(axis=0)
        seen = 2 * (own - sums.coincidences[place, place])
        return 1 - divide((total - 1) * seen, 2 * own * (total - own))

    return coefficient


def gwet(weights: Floats, given: Ints) -> CoefficientFormula:
    """Gwet's AC1 with the identity as weights, AC2 with others: 1 for equal labels, less for more distant ones.

    The weights are those of all labels that could be given; ``given`` are the places of those that were. A label that
    nobody gave still counts among those that chance can hit (Gwet 2014, §4.3: q categories of the scale).
    """
    k, between = len(weights), weights[np.ix_(given, given)]

    def coefficient(sums: Sums) -> Floats:
        agreed = divide(np.einsum("cd,cdr->r", between, sums.shares), sums.units)
        share = _label_shares(sums)
        unlike = (share * (1 - share)).sum(axis=0)
        chance = weights.sum() * divide(unlike, np.full_like(unlike, k * (k - 1)))
        return divide(agreed - chance, 1 - chance)

    return coefficient


def gwet_weights(name: str, scale: Scale, categories: tuple[str, ...]) -> Floats:
    """The weights of agreement of that name in Gwet 2014, §3.5."""
    if name == "identity":
        return np.eye(len(categories))
    if name == "ordinal":
        return ordinal_weights(len(categories))
    apart = distances("linear" if name == "linear" else "quadratic", scale.numbers(categories))
    return np.asarray(1 - apart / (apart.max(initial=0) or 1.0))


def krippendorff_alpha(codes: Codes, level: Level, numbers: Floats) -> float | None:
    """Alpha alone, without an interval: one product of matrices."""
    counts = codes.counts().astype(np.float64)
    judgements = counts.sum(axis=1)
    several = judgements > 1
    counts, others = counts[several], judgements[several] - 1
    share = counts / others[:, None]
    coincidences = counts.T @ share - np.diag(share.sum(axis=0))
    nothing = np.zeros(1)
    sums = Sums(coincidences[:, :, None], coincidences[:, :, None], nothing, nothing)
    value = float(alpha(level, numbers)(sums)[0])
    return value if np.isfinite(value) else None
