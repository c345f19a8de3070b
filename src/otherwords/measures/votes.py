"""Votes: the label of each item, out of the answers of many people.

Answers are three arrays of the same length: the item, the worker and the label of each, numbered from 0. Items get a
label by majority, by a threshold with ties dropped (Dou et al. 2022, §2.4), or by how far each worker can be trusted,
which :func:`dawid_skene` estimates together with the labels. ``NONE`` is the label of an item that has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]
NO_LABEL = -1
FLOOR = 1e-10  # no answer of a worker has a probability of zero
ROUNDS = 100
TOLERANCE = 1e-5  # of the likelihood of an answer


@dataclass(frozen=True, slots=True)
class VoteTable:
    """The answers: item, worker and label of each."""

    items: Numbers
    workers: Numbers
    labels: Numbers
    size: tuple[int, int, int]  # how many items, workers and labels there are

    @classmethod
    def of(cls, items: list[int], workers: list[int], labels: list[int], size: tuple[int, int, int]) -> VoteTable:
        """The same from lists."""
        return cls(np.asarray(items, np.int64), np.asarray(workers, np.int64), np.asarray(labels, np.int64), size)


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """Dawid and Skene's model, fitted to answers."""

    shares: Shares  # of each item, how probable each label is
    priors: Shares  # of each label
    confusions: Shares  # of each worker and true label, how probable each answer is
    rounds: int

    @property
    def labels(self) -> Numbers:
        """The most probable label of each item; none for an item that nobody judged, or with two most probable ones."""
        return _unique_best(self.shares)


@dataclass(frozen=True, slots=True)
class F1:
    """How well one set of yes and no fits another that is taken as correct."""

    precision: float | None
    recall: float | None
    f1: float | None
    n: int


def vote_counts(answers: VoteTable) -> Numbers:
    """How often each label was given to each item."""
    items, _, labels = answers.size
    places = answers.items * labels + answers.labels
    return np.bincount(places, minlength=items * labels).reshape(items, labels)


def majority(answers: VoteTable) -> Numbers:
    """The label that most people gave to each item; none for a tie."""
    return _unique_best(vote_counts(answers).astype(np.float64))


def majority_of_others(answers: VoteTable) -> Numbers:
    """For each answer, the label that most of the other workers gave to its item; none for a tie, or without others."""
    _, workers, labels = answers.size
    others = vote_counts(answers).astype(np.float64)[answers.items]
    places = answers.items * workers + answers.workers
    ordered = np.sort(places)
    if (ordered[1:] != ordered[:-1]).all():
        others[np.arange(len(places)), answers.labels] -= 1
    else:  # somebody answered twice
        _, own = np.unique(places, return_inverse=True)
        by_worker = np.bincount(own * labels + answers.labels, minlength=labels * (own.max(initial=-1) + 1))
        others -= by_worker.reshape(-1, max(1, labels))[own]
    return _unique_best(others)


def by_threshold(positive: Numbers, threshold: int) -> Numbers:
    """1 where more than ``threshold`` people said yes, 0 where fewer did, none where exactly as many did."""
    return np.where(positive == threshold, NO_LABEL, (positive > threshold).astype(np.int64))


def _unique_best(shares: Shares) -> Numbers:
    """The column with the largest share of each row; none where two are equal or all are 0."""
    best = shares.max(axis=1, initial=0.0)
    unique = (shares == best[:, None]).sum(axis=1) == 1
    return np.where(unique & (best > 0), shares.argmax(axis=1), NO_LABEL)


def dawid_skene(answers: VoteTable, rounds: int = ROUNDS, tolerance: float = TOLERANCE) -> DawidSkene:
    """The most likely labels and the confusions of each worker, by expectation and maximisation.

    As in Dawid and Skene 1979, §3, starting from the shares of votes. An item without answers has no shares.
    """
    counts = vote_counts(answers).astype(np.float64)
    judged = counts.sum(axis=1) > 0
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    before, done = -np.inf, 0
    while done < max(1, rounds):
        priors = shares[judged].mean(axis=0) if judged.any() else shares.sum(axis=0)
        confusions = _confusions(answers, shares)
        shares, likelihood = _shares(answers, priors, confusions, judged)
        done += 1
        if likelihood - before < tolerance:
            break
        before = likelihood
    return DawidSkene(shares, priors, confusions, done)


def _confusions(answers: VoteTable, shares: Shares) -> Shares:
    """How often each worker gives each answer for each true label, given the shares of the labels."""
    _, workers, labels = answers.size
    places = answers.workers * labels + answers.labels
    counts = np.stack(
        [np.bincount(places, shares[answers.items, true], workers * labels) for true in range(labels)]
    ).reshape(labels, workers, labels)
    counts = np.maximum(counts.transpose(1, 0, 2), FLOOR)
    confusions: Shares = counts / counts.sum(axis=2, keepdims=True)
    return confusions


def _shares(answers: VoteTable, priors: Shares, confusions: Shares, judged: NDArray[np.bool_]) -> tuple[Shares, float]:
    """How probable each label is, given the confusions of the workers; and the mean log likelihood of an answer."""
    items, _, labels = answers.size
    answer_logs = np.log(confusions)
    summed = np.stack(
        [
            np.bincount(answers.items, answer_logs[answers.workers, true, answers.labels], items)
            for true in range(labels)
        ],
        axis=1,
    )
    logs = summed + np.log(np.maximum(priors, FLOOR))
    most = logs.max(axis=1, keepdims=True)
    scaled = np.exp(logs - most)
    total = scaled.sum(axis=1, keepdims=True)
    likelihood = (most + np.log(total))[judged].sum() / max(1, len(answers.items))
    return np.where(judged[:, None], scaled / total, 0.0), float(likelihood)


def f1(crowd: Numbers, experts: Numbers) -> F1:
    """F1 of the crowd's yes (1) against the experts', over the items that both have a label for."""
    both = (crowd != NO_LABEL) & (experts != NO_LABEL)
    ours, theirs = crowd[both] == 1, experts[both] == 1
    right = int((ours & theirs).sum())
    precision = right / int(ours.sum()) if ours.any() else None
    recall = right / int(theirs.sum()) if theirs.any() else None
    score = 2 * right / int(ours.sum() + theirs.sum()) if ours.any() or theirs.any() else None
    return F1(precision, recall, score, int(both.sum()))
