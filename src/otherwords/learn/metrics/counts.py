"""What predictions are reduced to: how often each label was right, was predicted, and is the right one.

Every score of predicted labels is a function of these counts, and counts add up. So the counts of a sample are a
product of the weights of its units with what each unit adds, and intervals and tests come free
(:mod:`otherwords.measures.agreement.resampling`).

A score whose denominator is 0 is 0, as in scikit-learn with ``zero_division=0``: the precision of a label that is never
predicted, the recall of one that no pair has, the F1 of one with neither. Averages weighted by support leave labels out
that no pair has; the macro average is over the labels that were predicted or are right at least once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelTally:
    """Counts by label, the first axis; further axes are samples."""

    hits: Floats  # predicted and right
    predicted: Floats
    support: Floats  # pairs that have the label

    @property
    def pairs(self) -> Floats:
        """The number of pairs."""
        return np.asarray(self.support.sum(axis=0))

    def precision(self) -> Floats:
        """For each label, the share of its predictions that are right."""
        return quotient(self.hits, self.predicted)

    def recall(self) -> Floats:
        """For each label, the share of its pairs that are found."""
        return quotient(self.hits, self.support)

    def f1(self) -> Floats:
        """For each label, the harmonic mean of precision and recall."""
        return quotient(2 * self.hits, self.predicted + self.support)

    def accuracy(self) -> Floats:
        """The share of pairs with the right label."""
        return quotient(self.hits.sum(axis=0), self.pairs)

    def accuracy_of_each(self) -> Floats:
        """For each label, the share of pairs that are rightly called by it or by another."""
        wrong = self.predicted + self.support - 2 * self.hits
        return quotient(self.pairs - wrong, np.broadcast_to(self.pairs, wrong.shape))

    def weighted(self, scores: Floats) -> Floats:
        """The mean of a score over labels, weighted by support."""
        return quotient((self.support * scores).sum(axis=0), self.pairs)

    def macro(self, scores: Floats) -> Floats:
        """The plain mean of a score over the labels that occur."""
        occur = self.predicted + self.support > 0
        return quotient((occur * scores).sum(axis=0), occur.sum(axis=0).astype(np.float64))


def quotient(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    """The quotient; 0 where the denominator is 0."""
    zeros = np.zeros(np.shape(numerator))
    return np.asarray(np.divide(numerator, denominator, out=zeros, where=denominator != 0), np.float64)


def unit_counts(
    gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str], units: Ints | None = None
) -> Ints:
    """What each unit adds: a row with the hits, then the predictions, then the support of all labels.

    ``units`` is the number of the unit of each pair; without it, every pair is a unit of its own.
    """
    place = {label: number for number, label in enumerate(labels)}
    right = np.array([place[label] for label in gold], np.int64)
    answer = np.array([place[label] for label in predicted], np.int64)
    rows = np.arange(len(right)) if units is None else units
    table = np.zeros((int(rows.max(initial=-1)) + 1, 3 * len(labels)), np.int64)
    hit = right == answer
    np.add.at(table, (rows[hit], right[hit]), 1)
    np.add.at(table, (rows, len(labels) + answer), 1)
    np.add.at(table, (rows, 2 * len(labels) + right), 1)
    return table


def label_counts(sums: NDArray[np.generic]) -> LabelTally:
    """Sums of what units add, the first axis as their columns, as counts."""
    hits, predicted, support = np.split(np.asarray(sums, np.float64), 3)
    return LabelTally(hits, predicted, support)


def count_labels(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> LabelTally:
    """The counts of some predictions."""
    return label_counts(unit_counts(gold, predicted, labels).sum(axis=0))
