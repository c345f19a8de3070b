"""The precision of a harvest, estimated from a stratified sample, with two intervals of 95 %.

Within a stratum, the annotated pairs of a region are a random sample of all its pairs there, whose number is known. So
the precision is the mean of the shares by stratum, weighted by how many pairs of each are harvested. The classical
interval is that of Korn & Graubard (1998): the exact one of Clopper and Pearson for a sample of the effective size. The
usual formula of stratified samples has no width where all annotated pairs are right, which is what a harvest looks for.
The effective size follows from the weights and, where that is less, from the variance within strata.

The prediction-powered estimate (Angelopoulos et al. 2023; 2024, §6 for λ) also knows what a model says about every pair
of the pool: it adds λ times the difference between the model's mean over the pool and over the sample. The variance
that this explains within strata narrows the classical interval; a model that explains nothing leaves it as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from otherwords.measures.intervals import MISSES, clopper_pearson

FEWEST_RESIDUALS = 10  # annotated pairs beyond one a stratum, to say what a model explains
PRIOR = 2.0  # pairs of the average share that a stratum's variance is estimated with
Numbers = npt.NDArray[np.float64]


class Interval(msgspec.Struct, frozen=True):
    """An estimate and its interval of 95 %."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:.1%} [{self.low:.1%}, {self.high:.1%}]"


@dataclass(frozen=True, slots=True)
class RegionStratum:
    """The part of a region in one stratum: its pairs in the pool, and which of the annotated ones are right.

    ``confidence`` is what a model says about the annotated pairs, ``mean_confidence`` its mean over the pool.
    """

    population: int
    right: Sequence[bool]
    confidence: Sequence[float] = ()
    mean_confidence: float = math.nan

    @property
    def annotated(self) -> int:
        return len(self.right)


def stratified_interval(
    right: Sequence[int], annotated: Sequence[int], population: Sequence[int], misses: float = MISSES
) -> Interval:
    """The share of right pairs over strata that each have an annotated pair, weighted by their population."""
    weights, counts = np.array(population, np.float64), np.array(annotated, np.float64)
    weights /= weights.sum()
    estimate = float(weights @ (np.array(right) / counts))
    # What is harvested is the rest of the pool, not all of it, and varies around the same share as the sample does.
    spread = weights**2 * (1 / counts + 1 / np.array(population))
    by_weights = 1 / float(spread.sum())
    centre = (estimate * by_weights + 1) / (by_weights + 2)
    steadied = (np.array(right) + PRIOR * centre) / (counts + PRIOR)
    variance = float((spread * steadied * (1 - steadied)).sum())
    size = min(by_weights, centre * (1 - centre) / variance)
    return Interval(*clopper_pearson(min(estimate, 1.0) * size, size, misses))


def usable_strata(strata: Sequence[RegionStratum]) -> list[RegionStratum]:
    """The strata with pairs to harvest and pairs that were annotated."""
    return [stratum for stratum in strata if stratum.annotated and stratum.population]


def classical(strata: Sequence[RegionStratum], misses: float = MISSES) -> Interval:
    """The precision by annotated pairs alone; strata without any are passed over."""
    known = usable_strata(strata)
    return stratified_interval(
        [sum(stratum.right) for stratum in known],
        [stratum.annotated for stratum in known],
        [stratum.population for stratum in known],
        misses,
    )


def prediction_powered(strata: Sequence[RegionStratum]) -> Interval | None:
    """The precision by annotated pairs and a model; None where the model has no confidence in some of them."""
    known = usable_strata(strata)
    if not all(_is_powered(stratum) for stratum in known):
        return None
    base = classical(known)
    weights = np.array([stratum.population for stratum in known], np.float64)
    weights /= weights.sum()
    right: list[Numbers] = []
    confidence: list[Numbers] = []
    shift = 0.0
    for weight, stratum in zip(weights, known, strict=True):
        labels, values = np.array(stratum.right, np.float64), np.array(stratum.confidence)
        shift += float(weight * (stratum.mean_confidence - values.mean()))
        scale = weight / stratum.annotated
        right.append((labels - labels.mean()) * scale)
        confidence.append((values - values.mean()) * scale)
    scales = np.array([(weight / stratum.annotated) ** 2 for weight, stratum in zip(weights, known, strict=True)])
    beyond = np.array([stratum.annotated - 1 for stratum in known])
    freedom = float(beyond @ scales) ** 2 / float(beyond @ scales**2) if beyond.any() else 0.0
    slope, explained = _regression(np.concatenate(right), np.concatenate(confidence), freedom)
    narrowed = math.sqrt(1 - explained)
    estimate = min(1.0, max(0.0, base.estimate + slope * shift))
    low = estimate - narrowed * (base.estimate - base.low)
    return Interval(estimate, max(0.0, low), min(1.0, estimate + narrowed * (base.high - base.estimate)))


def _is_powered(stratum: RegionStratum) -> bool:
    complete = len(stratum.confidence) == stratum.annotated and math.isfinite(stratum.mean_confidence)
    return complete and all(map(math.isfinite, stratum.confidence))


def _regression(right: Numbers, confidence: Numbers, freedom: float) -> tuple[float, float]:
    """λ, and the share of the variance that it explains, adjusted for having been chosen on the same pairs."""
    own, other, shared = float(right @ right), float(confidence @ confidence), float(right @ confidence)
    if freedom < FEWEST_RESIDUALS or own <= 0 or other <= 0:
        return 0.0, 0.0
    explained = 1 - (1 - shared**2 / (own * other)) * freedom / (freedom - 1)
    return (shared / other, min(explained, 1.0)) if explained > 0 else (0.0, 0.0)
