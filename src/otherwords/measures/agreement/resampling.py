"""Bootstrap intervals over units, for coefficients that are functions of sums over units.

Units that are alike are one pattern with a weight. A replicate is another set of weights, so that a thousand replicates
are a product of matrices and no unit is looked at twice. ``formula`` takes weights, a column a replicate, and gives the
coefficients, a column a replicate; the value itself is the same formula on the weights as they are.

Replicates come in blocks, each with a stream of random numbers of its own: any number of threads gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.scale import Floats

REPLICATES = 1000
LEVEL = 95  # of a hundred intervals
NUMBERS_A_BLOCK = 8 * 2**20  # weights in memory at a time and thread
MOST_A_BLOCK = 128  # replicates
EXACT = 2**24  # whole numbers up to here are exact in single precision
ALIKE = 20  # units a pattern from which on drawing by pattern is faster than drawing units

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
    """A coefficient with its interval; what cannot be computed is None. ``undefined`` counts replicates without one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: int = 0


def estimates(formula: Formula, sizes: Ints, bootstrap: Bootstrap) -> list[Estimate]:
    """The coefficients of a formula on patterns of these sizes, each with its percentile interval."""
    values = formula(sizes[:, None].astype(np.float64))[:, 0]
    if not bootstrap.replicates or not sizes.sum():
        return [Estimate(_number(value)) for value in values]
    drawn = _replicates(formula, sizes, bootstrap)
    return [_estimate(value, row) for value, row in zip(values, drawn, strict=True)]


def _replicates(formula: Formula, sizes: Ints, bootstrap: Bootstrap) -> Floats:
    block = max(1, min(MOST_A_BLOCK, NUMBERS_A_BLOCK // len(sizes)))
    starts = range(0, bootstrap.replicates, block)

    def one(start: int) -> Floats:
        random = np.random.default_rng([bootstrap.seed, start])
        return formula(drawn(random, sizes, min(block, bootstrap.replicates - start)))

    with ThreadPoolExecutor(bootstrap.threads) as pool:
        return np.concatenate(list(pool.map(one, starts)), axis=1)


def drawn(random: np.random.Generator, sizes: Ints, replicates: int) -> Weights:
    """How often each pattern occurs when as many units as there are get drawn again, a column a replicate."""
    units = int(sizes.sum())
    if units >= ALIKE * len(sizes):
        return exact(random.multinomial(units, sizes / units, size=replicates).T, units)
    weights = np.empty((replicates, len(sizes)), exact_type(units))
    pattern = np.repeat(np.arange(len(sizes)), sizes)
    for row in weights:
        chosen = random.integers(0, units, units, np.int64)
        row[:] = np.bincount(pattern[chosen] if units > len(sizes) else chosen, minlength=len(sizes))
    return np.ascontiguousarray(weights.T)


def exact_type(largest: float) -> type[np.float32] | type[np.float64]:
    """The smallest type of numbers in which whole numbers up to there are exact: half the work where it does."""
    return np.float32 if largest < EXACT else np.float64


def exact(numbers: npt.NDArray[Any], largest: float) -> Weights:
    """Numbers in that type, laid out row by row."""
    return np.ascontiguousarray(numbers, exact_type(largest))


def _estimate(value: float, replicates: Floats) -> Estimate:
    defined = replicates[np.isfinite(replicates)]
    undefined = len(replicates) - len(defined)
    if not np.isfinite(value) or not len(defined):
        return Estimate(_number(value), undefined=undefined)
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high), undefined)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def divided(above: Floats, below: Floats) -> Floats:
    """The quotient; not a number where it is undefined."""
    return np.asarray(np.divide(above, below, out=np.full_like(above, np.nan, np.float64), where=below != 0))


def grouped(rows: npt.NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Rows that are alike as one: where the first of each stands, and how many there are."""
    plain = np.ascontiguousarray(rows)
    if not plain.shape[1]:
        return np.zeros(1, np.int64), np.array([len(plain)], np.int64)
    keys = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return first, counts
