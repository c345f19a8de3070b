"""Whether probabilities mean what they say, and what is chosen on the dev part: temperatures and a threshold.

A temperature for each head makes its probabilities as likely as possible on the dev part (Guo et al. 2017); it changes
no order of classes within a head. The threshold of a binary task is the one with the highest accuracy, or F1, there.
The test parts are never looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from otherwords.errors import UsageError
from otherwords.learn.data.parts import LabelledParts
from otherwords.learn.data.task import NOT_ASKED, LabelTask, Probabilities, is_positive
from otherwords.learn.ladder import PairClassifier
from otherwords.learn.metrics.counts import Floats, Ints
from otherwords.learn.metrics.ranking import Flags, threshold_scores
from otherwords.learn.predictions import Chooser, DecisionRule, Predictions, head_probabilities, with_temperature

ThresholdRule = Literal["accuracy", "f1"] | float
COLDEST, HOTTEST = 0.05, 20.0  # temperatures that are tried
ROUNDS = 60  # of the golden section: 1e-12 of the interval
BINS = 10
GOLDEN = (math.sqrt(5) - 1) / 2


class ReliabilityBin(msgspec.Struct, frozen=True):
    """The pairs whose probability is in a range: how many, what they were given on average, and what is true."""

    low: float
    high: float
    n: int
    probability: float
    share: float


class Reliability(msgspec.Struct, frozen=True):
    """How far probabilities are from shares: the bins that have pairs, and the expected calibration error."""

    n: int
    error: float
    bins: list[ReliabilityBin]


def reliability(probabilities: Floats, right: Flags, bins: int = BINS) -> Reliability:
    """Compare probabilities with how often what they are about is so, in ranges of equal width."""
    places = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    found = []
    for place in range(bins):
        chosen = places == place
        if count := int(chosen.sum()):
            means = float(probabilities[chosen].mean()), float(right[chosen].mean())
            found.append(ReliabilityBin(place / bins, (place + 1) / bins, count, *means))
    error = sum(part.n * abs(part.probability - part.share) for part in found) / max(1, len(probabilities))
    return Reliability(len(probabilities), error, found)


def reliability_of(predictions: Predictions) -> Reliability:
    """In a binary task, of the probability of a paraphrase; otherwise, of that of the predicted label."""
    if predictions.task.name == "binary":
        return reliability(predictions.positive, np.array([is_positive(label) is True for label in predictions.gold]))
    places = [predictions.task.labels.index(label) for label in predictions.predicted]
    given = predictions.task.joint(predictions.heads)[np.arange(len(predictions)), places]
    right = np.array(predictions.predicted) == np.array(predictions.gold)
    return reliability(np.asarray(given, np.float64), right)


def negative_log_likelihood(head: Probabilities, targets: Ints, temperature: float = 1.0) -> float:
    """The mean over the rows that have a target."""
    asked = np.flatnonzero(targets != NOT_ASKED)
    given = with_temperature(head[asked], temperature)[np.arange(len(asked)), targets[asked]]
    return float(-np.log(np.clip(given, 1e-300, None)).mean())


def fit_temperature(head: Probabilities, targets: Ints) -> float:
    """The temperature with the smallest negative log-likelihood, by golden section; 1 if there is nothing to fit."""
    asked = targets != NOT_ASKED
    if not asked.any() or (head == head[0]).all():
        return 1.0

    def loss(logarithm: float) -> float:
        return negative_log_likelihood(head, targets, math.exp(logarithm))

    low, high = math.log(COLDEST), math.log(HOTTEST)
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    losses = loss(left), loss(right)
    for _ in range(ROUNDS):
        if losses[0] <= losses[1]:
            high, right = right, left
            left = high - GOLDEN * (high - low)
            losses = loss(left), losses[0]
        else:
            low, left = left, right
            right = low + GOLDEN * (high - low)
            losses = losses[1], loss(right)
    return math.exp((low + high) / 2)


def fit_temperatures(task: LabelTask, heads: Sequence[Probabilities], labels: Sequence[str]) -> tuple[float, ...]:
    """A temperature for each head."""
    targets = task.targets(labels)
    return tuple(fit_temperature(head, targets[:, number]) for number, head in enumerate(heads))


def fit_threshold(values: Floats, positive: Flags, rule: Literal["accuracy", "f1"] = "accuracy") -> float:
    """The threshold with the best score, halfway between two values; of equally good ones, the closest to 0.5."""
    known = np.unique(values)
    if len(known) < 2:
        return 0.5  # a model that gives all pairs the same says nothing about a threshold
    candidates = np.concatenate([[0.0], (known[1:] + known[:-1]) / 2, [np.nextafter(1.0, 2.0)], [0.5]])
    accuracy, _, _, f1 = threshold_scores(values, positive, candidates)
    scores = accuracy if rule == "accuracy" else f1
    best = candidates[scores >= scores.max() - 1e-12]
    return float(best[np.abs(best - 0.5).argmin()])


def choose_on_dev(threshold: ThresholdRule = "accuracy", *, calibrate: bool = True, jointly: bool = False) -> Chooser:
    """How to decide from what the dev part shows; a number is a threshold that is not chosen."""
    if not isinstance(threshold, str) and not 0 <= threshold <= 1:
        raise UsageError(f"a threshold of {threshold} is not between 0 and 1", code="bad-threshold")

    def choose(classifier: PairClassifier, parts: LabelledParts) -> DecisionRule:
        heads = head_probabilities(classifier, *parts.dev.texts)
        temperatures = fit_temperatures(parts.task, heads, parts.dev.labels) if calibrate else ()
        decision = DecisionRule(temperatures, jointly=jointly)
        if parts.task.name != "binary":
            return decision
        if not isinstance(threshold, str):
            return msgspec.structs.replace(decision, threshold=float(threshold))
        values = parts.task.positive(decision.calibrated(heads))
        positive = np.array([is_positive(label) is True for label in parts.dev.labels])
        return msgspec.structs.replace(decision, threshold=fit_threshold(values, positive, threshold))

    return choose
