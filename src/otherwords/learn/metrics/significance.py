"""Whether two models differ on one test: a paired permutation test by unit, for accuracy and F1 alike.

If two models were equally good, it would not matter whose answers are whose. So the answers of both are exchanged in
random units (pairs that share a sentence stay together), and p is how often the difference is then at least as large as
the one that was found (approximate randomisation; Yeh 2000). Where few units differ, all exchanges are tried and p is
exact; if every pair is a unit, that of the accuracy is then McNemar's exact test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.learn.metrics.counts import Floats, Ints, label_counts, unit_counts
from otherwords.learn.metrics.scores import OVERALL, overall_scores
from otherwords.measures.agreement.resampling import Bootstrap, distinct_rows

MOST_TRIED = 12  # units that differ; all 2**12 exchanges are tried
PER_BLOCK = 512  # exchanges at a time
ROUNDING = 1e-12  # differences that are equal but for it count as equal
COMPARED = ("accuracy", "f1")


class Comparison(msgspec.Struct, frozen=True):
    """The differences between the scores of two models, and how likely they are by chance."""

    accuracy: float
    f1: float
    p_accuracy: float
    p_f1: float
    signature: str


def compare_predictions(
    gold: Sequence[str],
    predicted: Sequence[str],
    other: Sequence[str],
    *,
    positive: str | None = None,
    units: Ints | None = None,
    bootstrap: Bootstrap | None = None,
) -> Comparison:
    """Compare what a model predicted with what another one did for the same pairs."""
    drawn = bootstrap or Bootstrap()
    labels = list(dict.fromkeys([*([positive] if positive else []), *sorted({*gold, *predicted, *other})]))
    place = None if positive is None else 0
    own, theirs = unit_counts(gold, predicted, labels, units), unit_counts(gold, other, labels, units)
    moved = theirs - own
    first, sizes = distinct_rows(moved)
    patterns = moved[first]
    differ = patterns.any(axis=1)
    patterns, sizes = patterns[differ], sizes[differ]
    sums = own.sum(axis=0)[:, None], theirs.sum(axis=0)[:, None]

    def differences(exchanged: NDArray[np.int64]) -> Floats:
        change = patterns.T @ exchanged
        scores = [overall_scores(label_counts(total), place) for total in (sums[0] + change, sums[1] - change)]
        return np.asarray((scores[0] - scores[1])[[OVERALL.index(name) for name in COMPARED]])

    found = differences(np.zeros((len(sizes), 1), np.int64))
    count, larger, exact = 0, np.zeros(len(COMPARED), np.int64), int(sizes.sum()) <= MOST_TRIED
    for exchanged in _all_exchanges(sizes) if exact else _random_exchanges(sizes, drawn):
        larger += (np.abs(differences(exchanged)) >= np.abs(found) - ROUNDING).sum(axis=1)
        count += exchanged.shape[1]
    p = larger / count if exact else (larger + 1) / (count + 1)  # what was found is one of the exchanges
    how = "exact" if exact else f"resamples:{count}|seed:{drawn.seed}"
    signature = f"test:paired-permutation|by:unit|units:{len(own)}|differ:{int(sizes.sum())}|{how}"
    return Comparison(float(found[0, 0]), float(found[1, 0]), float(p[0]), float(p[1]), signature)


def _all_exchanges(sizes: Ints) -> Iterator[NDArray[np.int64]]:
    """Every subset of the units, as the number of units of each pattern in it."""
    units = int(sizes.sum())
    chosen = (np.arange(2**units)[None, :] >> np.arange(units)[:, None]) & 1
    pattern = np.repeat(np.arange(len(sizes)), sizes)
    counts = np.zeros((len(sizes), 2**units), np.int64)
    np.add.at(counts, pattern, chosen)
    yield counts


def _random_exchanges(sizes: Ints, drawn: Bootstrap) -> Iterator[NDArray[np.int64]]:
    """Random subsets, in blocks with their own stream of random numbers."""
    for start in range(0, drawn.replicates, PER_BLOCK):
        random = np.random.default_rng([drawn.seed, start])
        columns = min(PER_BLOCK, drawn.replicates - start)
        yield random.binomial(sizes[:, None], 0.5, size=(len(sizes), columns)).astype(np.int64)
