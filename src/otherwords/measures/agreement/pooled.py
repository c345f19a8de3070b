"""Coefficients of all annotators together: observed agreement, Fleiss, Krippendorff's alpha, Gwet's AC1 and AC2.

All of them follow from how often each unit got each label; who gave it does not matter, and a unit may have any number
of judgements. A unit is reduced to the products of its counts, the formulas work on sums of these (Krippendorff 2011,
"Computing Krippendorff's alpha-reliability"; Fleiss 1971; Gwet 2014, chapters 2 to 5).

Whole numbers are summed throughout, in single precision where that is exact and in double where it is not, so that the
same seed gives the same figures on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.meetings import summed
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Weights, divided, estimates, exact, grouped
from otherwords.measures.agreement.scale import (
    Floats,
    Level,
    Scale,
    distances,
    ordinal_weights,
    ratio_distances,
)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over units, the last axis being replicates.

    ``coincidences`` has a unit of m judgements as m of them (Krippendorff), ``shares`` as one (Fleiss, Gwet); ``units``
    counts those with two judgements or more. ``lone`` are the labels of units that have only one.
    """

    coincidences: Floats
    shares: Floats
    units: Floats
    lone: Floats


Coefficient = Callable[[Sums], Floats]


def pooled(codes: Codes, coefficients: list[Coefficient], bootstrap: Bootstrap) -> list[Estimate]:
    """Coefficients on the same judgements, each with its interval."""
    counts = codes.counts()
    small = counts.astype(np.uint8 if counts.max(initial=0) < 256 else np.uint32)
    first, sizes = grouped(small)
    summing = _summing(counts[first])

    def formula(weights: Weights) -> Floats:
        sums = summing(weights)
        return np.stack([one(sums) for one in coefficients])

    return estimates(formula, sizes, bootstrap)


def _summing(patterns: Ints) -> Callable[[Weights], Sums]:
    """What makes the sums of replicates of patterns of counts."""
    k = patterns.shape[1]
    one, two = np.triu_indices(k)
    judgements = patterns.sum(axis=1)
    sets = []
    for size in np.unique(judgements[judgements > 1]):
        rows = np.flatnonzero(judgements == size)
        counts = patterns[rows]
        sets.append((int(size), rows, exact((counts[:, one] * (counts[:, two] - (one == two))).T, size**2)))
    alone = np.flatnonzero(judgements == 1)
    single = exact(patterns[alone].T, 1)

    def sums(weights: Weights) -> Sums:
        shape = (len(one), weights.shape[1])
        coincidences, shares, units = np.zeros(shape), np.zeros(shape), np.zeros(shape[1])
        for size, rows, products in sets:
            of_size = weights[rows]
            total = summed(products, of_size)
            coincidences += total / (size - 1)
            shares += total / (size * (size - 1))
            units += of_size.sum(axis=0, dtype=np.float64)
        lone = summed(single, weights[alone])
        return Sums(_square(coincidences, k), _square(shares, k), units, lone)

    return sums


def _square(triangle: Floats, k: int) -> Floats:
    one, two = np.triu_indices(k)
    full = np.empty((k, k, triangle.shape[1]))
    full[one, two] = full[two, one] = triangle
    return full


def observed(sums: Sums) -> Floats:
    """How often two judgements of a unit are the same, the mean over units."""
    return divided(np.einsum("ccr->r", sums.shares), sums.units)


def fleiss(sums: Sums) -> Floats:
    """Fleiss' kappa; with varying numbers of judgements as Gwet 2014, §2.5 has it, each unit counting the same."""
    chance = (_labelled(sums) ** 2).sum(axis=0)
    return divided(observed(sums) - chance, 1 - chance)


def _labelled(sums: Sums) -> Floats:
    """The share of each label in a unit, the mean over all units, also those with one judgement."""
    labelled = sums.shares.sum(axis=1) + sums.lone
    return divided(labelled, np.broadcast_to(labelled.sum(axis=0), labelled.shape))


def alpha(level: Level, numbers: Floats) -> Coefficient:
    """Krippendorff's alpha for labels that stand at ``numbers``, which rise for every level but the nominal."""
    if level == "ordinal":
        return lambda sums: _alpha(sums.coincidences, _ordinal(sums.coincidences.sum(axis=1)))
    fixed = {
        "nominal": distances("nominal", numbers),
        "interval": distances("quadratic", numbers),
        "ratio": ratio_distances(numbers),
    }[level][:, :, None]
    return lambda sums: _alpha(sums.coincidences, fixed)


def _ordinal(marginals: Floats) -> Floats:
    """Krippendorff's ordinal metric: the square of how many judgements lie between two labels."""
    middle = np.cumsum(marginals, axis=0) - marginals / 2
    return np.asarray((middle[:, None] - middle[None, :]) ** 2)


def _alpha(coincidences: Floats, apart: Floats) -> Floats:
    marginals = coincidences.sum(axis=1)
    seen = (coincidences * apart).sum(axis=(0, 1))
    expected = (marginals[:, None] * marginals[None, :] * apart).sum(axis=(0, 1))
    return 1 - divided((marginals.sum(axis=0) - 1) * seen, expected)


def specific(place: int) -> Coefficient:
    """Of the judgements that gave a label, how many of the others of the same unit gave it too (Fleiss 1971, §4)."""
    return lambda sums: divided(sums.coincidences[place, place], sums.coincidences[place].sum(axis=0))


def one_label(place: int) -> Coefficient:
    """Nominal alpha of one label against all others."""

    def coefficient(sums: Sums) -> Floats:
        total, own = sums.coincidences.sum(axis=(0, 1)), sums.coincidences[place].sum(axis=0)
        seen = 2 * (own - sums.coincidences[place, place])
        return 1 - divided((total - 1) * seen, 2 * own * (total - own))

    return coefficient


def gwet(weights: Floats) -> Coefficient:
    """Gwet's AC1 for the identity as weights, AC2 for others; 1 for equal labels, less the further they are apart."""
    k = len(weights)

    def coefficient(sums: Sums) -> Floats:
        agreed = divided(np.einsum("cd,cdr->r", weights, sums.shares), sums.units)
        share = _labelled(sums)
        unlike = (share * (1 - share)).sum(axis=0)
        chance = weights.sum() * divided(unlike, np.full_like(unlike, k * (k - 1)))
        return divided(agreed - chance, 1 - chance)

    return coefficient


def gwet_weights(name: str, scale: Scale, categories: tuple[str, ...]) -> Floats:
    """The weights of agreement that Gwet 2014, §3.5 calls by that name."""
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
