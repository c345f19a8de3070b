"""A short form of the simulated crowd of ``python -m bench crowd``: the gate stops whom it should, and nobody else."""

from __future__ import annotations

import numpy as np
import pytest
from bench.crowd import NO_GATE, accuracies, picture, shares
from bench.simulated_crowd import CAREFUL, KINDS, Crowd, answers, simulate


@pytest.fixture(scope="module")
def gated() -> Crowd:
    return simulate(150, 2_000, seed=7)


def test_the_gate_catches_bad_workers_and_spares_careful_ones(gated: Crowd) -> None:
    paused = shares(gated)
    assert paused["all bad"] >= 95
    assert paused[CAREFUL] <= 2
    assert all(worker.paused for worker in gated.workers if worker.kind == "reversed")


def test_no_pair_has_more_judgements_than_asked_for_nor_two_of_one_worker(gated: Crowd) -> None:
    assert max(len(answers) for answers in gated.judgements) <= 6
    assert np.mean([len(answers) == 6 for answers in gated.judgements]) > 0.95
    void = {worker.name for worker in gated.workers if worker.paused}
    assert not any(void & set(answers) for answers in gated.judgements)


def test_the_same_seed_gives_the_same_crowd() -> None:
    first, second = (simulate(30, 200, seed=3) for _ in range(2))
    assert first.judgements == second.judgements
    assert simulate(30, 200, seed=4).judgements != first.judgements


def test_dawid_and_skene_make_up_for_a_missing_gate(gated: Crowd) -> None:
    free = simulate(150, 2_000, seed=7, gate=NO_GATE)
    assert not any(worker.paused for worker in free.workers)
    without, with_gate = accuracies(free), accuracies(gated)
    assert without["Dawid–Skene"] > without["majority"] + 3
    assert with_gate["majority"] > without["majority"] + 3
    assert answers(free).size == (2_000, 150, 2)


def test_the_picture_has_every_kind(gated: Crowd) -> None:
    drawn = picture(gated, {"with the gate": accuracies(gated)})
    assert [row["kind"] for row in drawn["hconcat"][0]["data"]["values"]] == list(KINDS)
