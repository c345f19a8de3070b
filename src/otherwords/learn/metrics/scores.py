"""Scores of predicted labels with bootstrap intervals.

Pairs that share a sentence are not independent: what a model has understood of a sentence shows in all of them. So
units are drawn, not pairs: the connected components of pairs that share a sentence
(:func:`otherwords.learn.data.examples.LabelledPairs.units`). The signature says how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from otherwords.learn.metrics.counts import Floats, Ints, LabelTally, label_counts, unit_counts
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap, Estimate, Weights, distinct_rows, estimates

Interval = tuple[float, float] | None
OVERALL = ("accuracy", "precision", "recall", "f1", "macro_f1")
OF_A_LABEL = ("accuracy", "precision", "recall", "f1")


class LabelScores(msgspec.Struct, frozen=True):
    """The scores of one label against all others; ``low`` and ``high`` are the interval of the accuracy."""

    n: int  # pairs that have the label
    accuracy: float
    precision: float
    recall: float
    f1: float
    low: float | None
    high: float | None
    intervals: dict[str, Interval]


class Scores(msgspec.Struct, frozen=True):
    """The scores of predictions.

    Precision, recall and F1 are those of the positive label if there is one, otherwise means over labels weighted by
    their support (so that recall equals accuracy). ``low`` and ``high`` are the interval of the accuracy; ``intervals``
    has that of every score.
    """

    n: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    macro_f1: float
    low: float | None
    high: float | None
    intervals: dict[str, Interval]
    labels: dict[str, LabelScores]
    signature: str


def score_labels(
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    positive: str | None = None,
    labels: Sequence[str] = (),
    units: Ints | None = None,
    bootstrap: Bootstrap | None = None,
) -> Scores:
    """Score predictions. ``labels`` are those that are to be listed, in this order; others that occur follow."""
    drawn = bootstrap or Bootstrap()
    listed = list(dict.fromkeys([*labels, *([positive] if positive else []), *sorted({*gold, *predicted})]))
    places = None if positive is None else listed.index(positive)
    table = unit_counts(gold, predicted, listed, units)
    first, sizes = distinct_rows(table)
    patterns = table[first].T.astype(np.float64)

    def formula(weights: Weights) -> Floats:
        counts = label_counts(patterns @ weights.astype(np.float64))
        return np.concatenate([overall_scores(counts, places), *_of_each_label(counts)])

    found = estimates(formula, sizes, drawn)
    by_label = {}
    for number, label in enumerate(listed):
        own = dict(zip(OF_A_LABEL, found[len(OVERALL) + number :: len(listed)], strict=True))
        by_label[label] = LabelScores(
            n=int(table[:, 2 * len(listed) + number].sum()),
            accuracy=_value(own["accuracy"]),
            precision=_value(own["precision"]),
            recall=_value(own["recall"]),
            f1=_value(own["f1"]),
            low=own["accuracy"].low,
            high=own["accuracy"].high,
            intervals=_intervals(own),
        )
    overall = dict(zip(OVERALL, found, strict=False))
    return Scores(
        n=len(gold),
        accuracy=_value(overall["accuracy"]),
        precision=_value(overall["precision"]),
        recall=_value(overall["recall"]),
        f1=_value(overall["f1"]),
        macro_f1=_value(overall["macro_f1"]),
        low=overall["accuracy"].low,
        high=overall["accuracy"].high,
        intervals=_intervals(overall),
        labels=by_label,
        signature=_signature(positive, int(sizes.sum()), drawn),
    )


def overall_scores(counts: LabelTally, positive: int | None) -> Floats:
    """Accuracy, precision, recall, F1 and macro F1; a column per sample."""
    scores = [counts.precision(), counts.recall(), counts.f1()]
    chosen = [counts.weighted(score) if positive is None else score[positive] for score in scores]
    return np.stack([counts.accuracy(), *chosen, counts.macro(scores[2])])


def _of_each_label(counts: LabelTally) -> list[Floats]:
    return [counts.accuracy_of_each(), counts.precision(), counts.recall(), counts.f1()]


def _value(estimate: Estimate) -> float:
    return 0.0 if estimate.value is None else estimate.value


def _intervals(found: dict[str, Estimate]) -> dict[str, Interval]:
    return {
        name: None if estimate.low is None or estimate.high is None else (estimate.low, estimate.high)
        for name, estimate in found.items()
    }


def _signature(positive: str | None, units: int, bootstrap: Bootstrap) -> str:
    average = f"label:{positive}" if positive else "average:weighted"
    if not bootstrap.replicates:
        return f"{average}|interval:none"
    drawn = f"interval:bootstrap|level:{LEVEL}|by:unit|units:{units}"
    return f"{average}|{drawn}|replicates:{bootstrap.replicates}|seed:{bootstrap.seed}"
