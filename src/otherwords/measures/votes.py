"""Votes: what a crowd says of each item, out of what each of many people said.

In go three arrays of the same length, one place for each answer: the item, the worker and the label, each numbered
from 0. Out comes a label for each item, by majority, by a threshold with ties dropped (Dou et al. 2022, §2.4), or by
how far each worker can be trusted, which :func:`dawid_skene` finds out together with the labels. ``NONE`` is the
label of an item that has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]
NONE = -1
FLOOR = 1e-10  # no worker is taken to be unable to say something
ROUNDS = 100
TOLERANCE = 1e-5  # of the likelihood of an answer


@dataclass(frozen=True, slots=True)
class Answers:
    """What was said: an item, a worker and a label at each place."""

    items: Numbers
    workers: Numbers
    labels: Numbers
    size: tuple[int, int, int]  # how many items, workers and labels there are

    @classmethod
    def of(cls, items: list[int], workers: list[int], labels: list[int], size: tuple[int, int, int]) -> Answers:
        """The same out of lists."""
        said, by, told = (np.asarray(column, np.int64) for column in (items, workers, labels))
        return cls(said, by, told, size)


@dataclass(frozen=True, slots=True)
class Believed:
    """What Dawid and Skene's model makes of answers."""

    shares: Shares  # of each item, how probable each label is
    priors: Shares  # of each label
    confusions: Shares  # of each worker and true label, how probable each answer is
    rounds: int

    @property
    def labels(self) -> Numbers:
        """The most probable label of each item; none of one that nobody judged, or where two are as probable."""
        return _first(self.shares)


@dataclass(frozen=True, slots=True)
class F1:
    """How well one set of yes and no fits another that is taken for right."""

    precision: float | None
    recall: float | None
    f1: float | None
    n: int


def votes(answers: Answers) -> Numbers:
    """How often each label was given to each item."""
    items, _, labels = answers.size
    places = answers.items * labels + answers.labels
    return np.bincount(places, minlength=items * labels).reshape(items, labels)


def majority(answers: Answers) -> Numbers:
    """The label that most gave to each item; none of a tie."""
    return _first(votes(answers).astype(np.float64))


def by_threshold(positive: Numbers, threshold: int) -> Numbers:
    """1 where more than so many said yes, 0 where fewer did; none where it were exactly so many."""
    return np.where(positive == threshold, NONE, (positive > threshold).astype(np.int64))


def _first(shares: Shares) -> Numbers:
    best = shares.max(axis=1, initial=0.0)
    alone = (shares == best[:, None]).sum(axis=1) == 1
    return np.where(alone & (best > 0), shares.argmax(axis=1), NONE)


def dawid_skene(answers: Answers, rounds: int = ROUNDS, tolerance: float = TOLERANCE) -> Believed:
    """The most likely labels, and what each worker says of each, by expectation and maximisation.

    As Dawid and Skene 1979, §3, beginning with the share of votes. An item without answers has no shares.
    """
    counted = votes(answers).astype(np.float64)
    judged = counted.sum(axis=1) > 0
    shares = counted / np.maximum(counted.sum(axis=1, keepdims=True), 1)
    before, done = -np.inf, 0
    while done < max(1, rounds):
        priors = shares[judged].mean(axis=0) if judged.any() else shares.sum(axis=0)
        confusions = _confusions(answers, shares)
        shares, likelihood = _shares(answers, priors, confusions, judged)
        done += 1
        if likelihood - before < tolerance:
            break
        before = likelihood
    return Believed(shares, priors, confusions, done)


def _confusions(answers: Answers, shares: Shares) -> Shares:
    """What each worker says of each label, given how probable the labels are."""
    _, workers, labels = answers.size
    places = answers.workers * labels + answers.labels
    told = np.stack(
        [np.bincount(places, shares[answers.items, true], workers * labels) for true in range(labels)]
    ).reshape(labels, workers, labels)
    told = np.maximum(told.transpose(1, 0, 2), FLOOR)
    summed: Shares = told / told.sum(axis=2, keepdims=True)
    return summed


def _shares(answers: Answers, priors: Shares, confusions: Shares, judged: NDArray[np.bool_]) -> tuple[Shares, float]:
    """How probable each label is, given what workers say; and the mean log likelihood of an answer."""
    items, _, labels = answers.size
    told = np.log(confusions)[answers.workers, :, answers.labels]
    summed = np.stack([np.bincount(answers.items, told[:, true], items) for true in range(labels)], axis=1)
    logs = summed + np.log(np.maximum(priors, FLOOR))
    most = logs.max(axis=1, keepdims=True)
    scaled = np.exp(logs - most)
    total = scaled.sum(axis=1, keepdims=True)
    likelihood = (most + np.log(total))[judged].sum() / max(1, len(answers.items))
    return np.where(judged[:, None], scaled / total, 0.0), float(likelihood)


def f1(crowd: Numbers, experts: Numbers) -> F1:
    """F1 of the crowd's yes (1) against the experts', over the items that both have a label for."""
    both = (crowd != NONE) & (experts != NONE)
    ours, theirs = crowd[both] == 1, experts[both] == 1
    right = int((ours & theirs).sum())
    precision = right / int(ours.sum()) if ours.any() else None
    recall = right / int(theirs.sum()) if theirs.any() else None
    score = 2 * right / int(ours.sum() + theirs.sum()) if ours.any() or theirs.any() else None
    return F1(precision, recall, score, int(both.sum()))
