"""Bootstrap intervals over units, for coefficients that are functions of sums over units.

Equal units are one pattern with a weight. A replicate is another set of weights, so that a thousand replicates are a
product of matrices and no unit is looked at twice. A ``formula`` takes weights, one column per replicate, and returns
coefficients, one column per replicate; the value itself is the same formula on the original weights.

Replicates are drawn in blocks, each with its own stream of random numbers: any number of threads gives the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.engine import Engine
from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.scale import Floats

REPLICATES = 1000
LEVEL = 95  # per cent
NUMBERS_PER_BLOCK = 8 * 2**20  # weights in memory at a time, per thread
MOST_PER_BLOCK = 128  # replicates
EXACT = 2**24  # whole numbers up to here are exact in single precision
ALIKE = 20  # units per pattern from which on drawing patterns is faster than drawing units

Weights = npt.NDArray[Any]  # single or double precision
Formula = Callable[[Weights], Floats]


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are drawn."""

    replicates: int = REPLICATES
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient with its interval, None if undefined. ``undefined`` counts replicates without a value."""

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: int = 0


def estimates(formula: Formula, sizes: Ints, bootstrap: Bootstrap) -> list[Estimate]:
    """The coefficients of a formula on patterns of these sizes, each with its percentile interval."""
    values = formula(sizes[:, None].astype(np.float64))[:, 0]
    if not bootstrap.replicates or not sizes.sum():
        return [Estimate(float(value) if np.isfinite(value) else None) for value in values]
    tail = (100 - LEVEL) / 2
    results = []
    for value, row in zip(values, _replicates(formula, sizes, bootstrap), strict=True):
        defined = row[np.isfinite(row)]
        low = high = None
        if np.isfinite(value) and len(defined):
            low, high = map(float, np.percentile(defined, [tail, 100 - tail]))
        results.append(Estimate(float(value) if np.isfinite(value) else None, low, high, len(row) - len(defined)))
    return results


def _replicates(formula: Formula, sizes: Ints, bootstrap: Bootstrap) -> Floats:
    block = max(1, min(MOST_PER_BLOCK, NUMBERS_PER_BLOCK // len(sizes)))
    starts = range(0, bootstrap.replicates, block)

    def block_of(start: int) -> Floats:
        random = np.random.default_rng([bootstrap.seed, start])
        return formula(resample(random, sizes, min(block, bootstrap.replicates - start)))

    return np.concatenate(list(Engine(bootstrap.threads).map(block_of, starts)), axis=1)


def resample(random: np.random.Generator, sizes: Ints, replicates: int) -> Weights:
    """How often each pattern occurs in samples of units with replacement, one column per replicate."""
    units = int(sizes.sum())
    if units >= ALIKE * len(sizes):
        return as_exact(random.multinomial(units, sizes / units, size=replicates).T, units)
    weights = np.empty((replicates, len(sizes)), exact_type(units))
    pattern = np.repeat(np.arange(len(sizes)), sizes)
    for row in weights:
        chosen = random.integers(0, units, units, np.int64)
        row[:] = np.bincount(pattern[chosen] if units > len(sizes) else chosen, minlength=len(sizes))
    return np.ascontiguousarray(weights.T)


def exact_type(largest: float) -> type[np.float32] | type[np.float64]:
    """The smallest float type in which whole numbers up to ``largest`` are exact; single precision is half the work."""
    return np.float32 if largest < EXACT else np.float64


def as_exact(numbers: npt.NDArray[Any], largest: float) -> Weights:
    """Numbers in the smallest exact type, laid out row by row."""
    return np.ascontiguousarray(numbers, exact_type(largest))


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient; not a number where the denominator is 0."""
    undefined = np.full_like(numerator, np.nan, np.float64)
    return np.asarray(np.divide(numerator, denominator, out=undefined, where=denominator != 0))


def distinct_rows(rows: npt.NDArray[np.generic]) -> tuple[Ints, Ints]:
    """The distinct rows: the place of the first of each, and how many there are."""
    plain = np.ascontiguousarray(rows)
    if not plain.shape[1]:
        return np.zeros(1, np.int64), np.array([len(plain)], np.int64)
    keys = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return first, counts
