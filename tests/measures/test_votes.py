"""Votes: majority, thresholds, Dawid–Skene against a plain version and another implementation, F1 against experts."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from otherwords.measures.votes import (
    NO_LABEL,
    VoteTable,
    by_threshold,
    dawid_skene,
    f1,
    majority,
    majority_of_others,
    vote_counts,
)

# item, worker, label
VOTES = [
    *((0, 0, 2), (0, 1, 2), (0, 2, 2), (0, 4, 0), (1, 0, 2), (1, 1, 2), (1, 3, 1), (1, 4, 2), (2, 0, 0), (2, 2, 0)),
    *((2, 3, 0), (2, 4, 0), (3, 1, 2), (3, 2, 2), (3, 3, 2), (4, 0, 1), (4, 1, 1), (4, 2, 1), (4, 4, 1), (5, 0, 1)),
    *((5, 1, 2), (5, 3, 1), (5, 4, 1), (6, 0, 1), (6, 2, 1), (6, 3, 1), (6, 4, 1), (7, 1, 0), (7, 2, 2), (7, 3, 0)),
    *((8, 0, 2), (8, 1, 2), (8, 2, 2), (8, 4, 2), (9, 0, 0), (9, 1, 0), (9, 3, 1), (9, 4, 0), (10, 0, 0)),
    *((10, 2, 0), (10, 3, 1), (10, 4, 0), (11, 1, 1), (11, 2, 1), (11, 3, 1)),
]
# what crowd-kit 1.4.2 makes of them, DawidSkene(n_iter=1) and (n_iter=3)
ONCE = {0: [0.016934, 0, 0.983066], 1: [0, 0.007541, 0.992459], 5: [0, 0.984699, 0.015301]}
ONCE |= {7: [0.916902, 0, 0.083098], 9: [0.994383, 0.005617, 0], 10: [0.992737, 0.007263, 0], 11: [0, 1, 0]}
THRICE_OF_7 = [0.999978, 0, 2.2e-05]


def answers(votes_cast: list[tuple[int, int, int]], items: int, workers: int, labels: int) -> VoteTable:
    columns = [[vote[place] for vote in votes_cast] for place in range(3)]
    return VoteTable.of(*columns, (items, workers, labels))


def drawn(items: int, skills: list[float], labels: int, seed: int) -> tuple[VoteTable, np.ndarray]:
    """Workers who are right with a probability of their own, and what is right."""
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, labels, items)
    votes_cast = [
        (item, worker, int(truth[item] if chance.random() < skill else chance.integers(0, labels)))
        for item in range(items)
        for worker, skill in enumerate(skills)
    ]
    return answers(votes_cast, items, len(skills), labels), truth


def test_votes_and_majority() -> None:
    table = answers([(0, 0, 1), (0, 1, 1), (0, 2, 0), (1, 0, 0), (1, 1, 1)], 3, 3, 2)
    assert vote_counts(table).tolist() == [[1, 2], [1, 1], [0, 0]]
    assert majority(table).tolist() == [1, NO_LABEL, NO_LABEL]  # a tie, and an item that nobody judged


def test_the_majority_of_the_others() -> None:
    table = answers([(0, 0, 1), (0, 1, 1), (0, 2, 0), (1, 0, 0), (1, 1, 1), (2, 2, 1)], 3, 3, 2)
    assert majority_of_others(table).tolist() == [NO_LABEL, NO_LABEL, 1, 1, 0, NO_LABEL]
    twice = answers([(0, 0, 1), (0, 0, 1), (0, 1, 0)], 1, 2, 2)  # one's own other answer is not one of the others
    assert majority_of_others(twice).tolist() == [0, 0, 1]
    drawn_votes, _ = drawn(40, [0.5, 0.9, 0.3, 0.7], 3, seed=5)
    rows = list(zip(*(c.tolist() for c in (drawn_votes.items, drawn_votes.workers, drawn_votes.labels)), strict=True))
    for (item, worker, _), label in zip(rows, majority_of_others(drawn_votes).tolist(), strict=True):
        others = Counter(vote for other_item, other, vote in rows if other_item == item and other != worker)
        (best, most), *rest = others.most_common(2)
        assert label == (NO_LABEL if rest and rest[0][1] == most else best)
    assert majority_of_others(answers([], 0, 0, 2)).tolist() == []


def test_a_threshold_drops_ties() -> None:
    positive = np.array([0, 1, 2, 3, 4, 5, 6])
    assert by_threshold(positive, 3).tolist() == [0, 0, 0, NO_LABEL, 1, 1, 1]
    assert by_threshold(positive, 4).tolist() == [0, 0, 0, 0, NO_LABEL, 1, 1]


def test_dawid_skene_is_what_another_implementation_computes() -> None:
    once = dawid_skene(answers(VOTES, 12, 5, 3), rounds=1)
    for item, shares in ONCE.items():
        assert once.shares[item] == pytest.approx(shares, abs=1e-6)
    assert once.shares.mean(axis=0) == pytest.approx([0.326746, 0.33376, 0.339494], abs=1e-6)
    thrice = dawid_skene(answers(VOTES, 12, 5, 3), rounds=3, tolerance=-math.inf)
    assert thrice.shares[7] == pytest.approx(THRICE_OF_7, abs=1e-6)
    assert thrice.rounds == 3


def plain(
    votes_cast: list[tuple[int, int, int]], items: int, workers: int, labels: int, rounds: int
) -> list[list[float]]:
    """The same without arrays."""
    by_item = {item: [(worker, label) for at, worker, label in votes_cast if at == item] for item in range(items)}
    shares = [
        [sum(label == wanted for _, label in by_item[item]) / len(by_item[item]) for wanted in range(labels)]
        for item in by_item
    ]
    for _ in range(rounds):
        priors = [sum(row[label] for row in shares) / items for label in range(labels)]
        counts = [[[1e-300] * labels for _ in range(labels)] for _ in range(workers)]
        for item, worker, label in votes_cast:
            for true in range(labels):
                counts[worker][true][label] += shares[item][true]
        matrices = [[[max(count, 1e-10) for count in row] for row in matrix] for matrix in counts]
        matrices = [[[count / sum(row) for count in row] for row in matrix] for matrix in matrices]
        for item in by_item:
            weights = [
                priors[true] * math.prod(matrices[worker][true][label] for worker, label in by_item[item])
                for true in range(labels)
            ]
            shares[item] = [weight / sum(weights) for weight in weights]
    return shares


@pytest.mark.parametrize("seed", range(5))
def test_dawid_skene_is_what_the_plain_version_computes(seed: int) -> None:
    table, _ = drawn(30, [0.9, 0.7, 0.5, 0.2], 3, seed)
    rows = list(zip(table.items.tolist(), table.workers.tolist(), table.labels.tolist(), strict=True))
    model = dawid_skene(table, rounds=4, tolerance=-math.inf)
    assert model.shares == pytest.approx(np.array(plain(rows, 30, 4, 3, 4)), abs=1e-9)


def test_dawid_skene_learns_whom_to_trust() -> None:
    table, truth = drawn(400, [0.95, 0.9, 0.1, 0.1, 0.1], 2, 3)
    model = dawid_skene(table)
    assert (model.labels == truth).mean() > (majority(table) == truth).mean() + 0.05
    trust = [model.confusions[worker].diagonal().mean() for worker in range(5)]
    assert min(trust[:2]) > 0.85
    assert max(trust[2:]) < 0.7
    assert model.confusions.sum(axis=2) == pytest.approx(1)
    assert model.priors.sum() == pytest.approx(1)


def test_dawid_skene_is_deterministic_and_ignores_the_order_of_workers() -> None:
    table, _ = drawn(50, [0.9, 0.6, 0.6], 2, 1)
    assert (dawid_skene(table).shares == dawid_skene(table).shares).all()
    renamed = VoteTable(table.items, 2 - table.workers, table.labels, table.size)
    assert dawid_skene(renamed).shares == pytest.approx(dawid_skene(table).shares)


@pytest.mark.parametrize(
    ("votes_cast", "items", "labels"),
    [
        ([], 0, []),
        ([], 2, [NO_LABEL, NO_LABEL]),
        ([(1, 0, 1)], 2, [NO_LABEL, 1]),
        ([(0, 0, 0), (0, 1, 1)], 1, [NO_LABEL]),
        ([(0, 0, 0), (1, 0, 0)], 2, [0, 0]),
    ],
)
def test_dawid_skene_of_very_few_votes(votes_cast: list[tuple[int, int, int]], items: int, labels: list[int]) -> None:
    assert dawid_skene(answers(votes_cast, items, 2, 2)).labels.tolist() == labels


@pytest.mark.parametrize(
    ("crowd", "experts", "expected"),
    [
        ([1, 1, 0, 0], [1, 0, 1, 0], (0.5, 0.5, 0.5, 4)),
        ([1, 1, 0, NO_LABEL], [1, 1, 1, 1], (1.0, 2 / 3, 0.8, 3)),
        ([0, 0], [1, 0], (None, 0.0, 0.0, 2)),
        ([1, 0], [0, 0], (0.0, None, 0.0, 2)),
        ([0, 0], [0, NO_LABEL], (None, None, None, 1)),
        ([], [], (None, None, None, 0)),
    ],
)
def test_f1_against_experts(crowd: list[int], experts: list[int], expected: tuple[float | None, ...]) -> None:
    result = f1(np.array(crowd, np.int64), np.array(experts, np.int64))
    assert (result.precision, result.recall, result.f1, result.n) == pytest.approx(expected)
