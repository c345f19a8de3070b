"""The recall of a search: some rows, chosen at random, are searched exactly, and what was found of their true
neighbours is counted.

One sample decides when a search has found enough, another one, of other rows, is stated: a search that stops when its
sample is good would otherwise state what was good by chance.

A neighbour that is as near as the last true one counts as found, whichever of several equal ones it is. The interval is
Wilson's for the number of rows, which is wide enough because neighbours of one row are found or missed together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.errors import DataError
from otherwords.measures.intervals import wilson
from otherwords.mining.neighbours.exact import search
from otherwords.mining.neighbours.lists import RecallEstimate
from otherwords.mining.neighbours.quantised import Ints, Keys, QuantisedRows, key_scores

SAMPLE = 1_000


@dataclass(frozen=True, slots=True)
class RecallSample:
    """Rows with their true neighbours."""

    chosen: Ints
    truth: Keys
    seed: int

    def estimate(self, found: Keys) -> RecallEstimate:
        """The recall of lists of the chosen rows, which have exact scores and are sorted."""
        shares = row_recall(self.truth, found[:, : self.truth.shape[1]])
        share, low, high = wilson(float(shares.sum()), len(shares))
        return RecallEstimate(share, low, high, len(shares), self.seed)


@dataclass(frozen=True, slots=True)
class RecallSamples:
    """Two samples of different rows: one decides when to stop, the other one is stated."""

    deciding: RecallSample
    stated: RecallSample


def recall_samples(rows: QuantisedRows) -> RecallSamples:
    """Rows chosen by the seed of the options, all searched exactly in one pass."""
    generator = np.random.default_rng([rows.options.seed, 1])  # other rows than those that pivots are made of
    size = min(SAMPLE, max(rows.rows // 2, 1))
    drawn = generator.choice(rows.rows, min(2 * size, rows.rows), replace=False)
    truth = search(rows, drawn, min(rows.options.k, rows.rows))
    deciding, stated = (
        RecallSample(drawn[part], truth[part], rows.options.seed) for part in (slice(0, size), slice(-size, None))
    )
    return RecallSamples(deciding, stated)


def row_recall(truth: Keys, found: Keys) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """For each row the share of its true neighbours that was found; 1 where there are none to find."""
    wanted = (truth != 0).sum(axis=1)
    last = np.take_along_axis(truth, np.maximum(wanted - 1, 0)[:, None], axis=1)
    near = (found != 0) & (key_scores(found) >= key_scores(last))
    shares = np.minimum(near.sum(axis=1), wanted) / np.maximum(wanted, 1)
    return np.where(wanted == 0, 1.0, shares)


def refuse_recall(estimate: RecallEstimate, wanted: float, probes: int) -> DataError:
    """What to say of a search that did not find enough."""
    return DataError(
        f"the search found {estimate.share:.4f} of the true neighbours of {estimate.rows:,} random rows "
        f"({estimate.low:.4f} to {estimate.high:.4f}) after {probes} probes, and {wanted:g} is wanted; "
        "ask for a lower recall, or look whether the vectors differ at all",
        code="recall-not-reached",
    )
