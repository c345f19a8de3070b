"""From counts to IAPTA scores: plain, pairwise, typewise and both, with intervals.

Every score is a function of sums over pairs. So a bootstrap replicate is a weight per pair, all replicates are one
matrix product, and the value itself is the replicate in which every pair has weight 1. A pair or a type in which
neither annotator marked anything is left out of the means over pairs or types; one in which only one did scores 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RATIOS = ("agr-w", "agr-ph", "tpo-partial", "tpo-total", "do-k1", "do-k2", "do-f1")
VARIANTS = ("", "-pairwise", "-typewise", "-pairwise-typewise")
LEVEL = 0.95
_REPLICATES_PER_BLOCK = 50


class OverlapTable(NamedTuple):
    """The counts of all pairs."""

    cells: Floats  # pair × type × count
    words: Floats  # pair × annotator: tokens covered by phenomena of any type


def scores(table: OverlapTable) -> Floats:
    """Every score, variant × ratio; nan where nobody marked anything."""
    columns = _columns(table)
    values: Floats = _scores(columns.sum(axis=0)[None], table.cells.shape[1])[0]
    return values


def interval(table: OverlapTable, replicates: int, seed: int) -> tuple[Floats, Floats] | None:
    """The ends of the middle 95 % of each score over samples of pairs with replacement; None without samples."""
    columns, (pairs, types, _) = _columns(table), table.cells.shape
    random = np.random.default_rng(seed)
    samples = []
    for start in range(0, replicates, _REPLICATES_PER_BLOCK):
        size = min(_REPLICATES_PER_BLOCK, replicates - start)
        places = random.integers(pairs, size=(size, pairs)) + np.arange(size)[:, None] * pairs
        weights = np.bincount(places.ravel(), minlength=size * pairs).reshape(size, pairs)
        block = _scores(weights.astype(np.float64) @ columns, types)
        samples.append(block[~np.isnan(block[:, 0, 0])])  # a sample without any marks has no score
    if not sum(map(len, samples)):
        return None
    low, high = np.quantile(np.concatenate(samples), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high


def _columns(table: OverlapTable) -> Floats:
    """Everything that is summed over pairs, one row per pair: counts, and ratios with whether they are defined."""
    plain = table.cells.sum(axis=1)
    plain[:, :2] = table.words
    parts = [plain, _summands(ratios(plain)), table.cells, _summands(ratios(table.cells))]
    return np.hstack([part.reshape(len(plain), -1) for part in parts])


def _summands(of_pairs: Floats) -> Floats:
    """Ratios with 0 for undefined ones, plus one column that says whether the ratios of the cell are defined."""
    defined = ~np.isnan(of_pairs[..., :1])
    return np.concatenate([np.where(defined, of_pairs, 0.0), defined], axis=-1)


def _scores(sums: Floats, types: int) -> Floats:
    """Replicate × variant × ratio from sums of columns, one row per replicate."""
    replicates, ratio = len(sums), len(RATIOS) + 1
    counts = (sums.shape[1] - ratio * (types + 1)) // (types + 1)
    plain, pairwise, cells, both = np.split(sums, np.cumsum([counts, ratio, counts * types]), axis=1)
    typewise = _summands(ratios(cells.reshape(replicates, types, counts)))
    mean_of_pairs = _mean(both.reshape(replicates, types, ratio))
    return np.stack(
        [ratios(plain), _mean(pairwise), _mean(typewise.sum(axis=1)), _mean(_summands(mean_of_pairs).sum(axis=1))],
        axis=1,
    )


def _mean(sums: Floats) -> Floats:
    """Sums of ratios over the number of defined ones, which comes last."""
    counts = np.broadcast_to(sums[..., -1:], sums[..., :-1].shape)
    return np.where(counts > 0, _divide(sums[..., :-1], counts), np.nan)


def ratios(sums: Floats) -> Floats:
    """The seven ratios of equations 1, 4 and 13–14 from counts in the last dimension."""
    words1, words2, ph1, ph2, partial1, partial2, total1, total2, covered1, covered2 = np.moveaxis(sums, -1, 0)
    phenomena = ph1 + ph2
    k1, k2 = _divide(covered1, ph1), _divide(covered2, ph2)
    values = [
        _divide(np.minimum(words1, words2), np.maximum(words1, words2)),
        _divide(np.minimum(ph1, ph2), np.maximum(ph1, ph2)),
        _divide(partial1 + partial2, phenomena),
        _divide(total1 + total2, phenomena),
        k1,
        k2,
        _divide(2 * k1 * k2, k1 + k2),
    ]
    return np.where(phenomena[..., None] > 0, np.stack(values, axis=-1), np.nan)


def _divide(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
