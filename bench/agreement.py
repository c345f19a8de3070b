"""Agreement of 100,000 pairs with six judgements each: against the naive bootstrap, and against ``krippendorff``.

Ours is every coefficient with 1,000 replicates. The naive way computes alpha anew for every replicate, with the
package that most people take, and no other coefficient. It runs a few replicates, as often as ours, and its time is
scaled to a thousand. Alpha alone, without an interval, is compared with the same package on the same table. At last
200 people who all judged the same 100 pairs, with 5 labels and with 100: every two of them met.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import krippendorff
import numpy as np
import numpy.typing as npt

from otherwords.engine import cores
from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.labelled import joint_coefficients
from otherwords.measures.agreement.pooled import krippendorff_alpha
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import LEVELS, Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.two_by_two import pairwise_coefficients

PAIRS, PEOPLE, REPLICATES = 100_000, 6, 1_000
MANY_PAIRS, MANY_PEOPLE = 100, 200
SECONDS = 10.0
NAIVE = 3  # replicates of the naive way
RUNS = 5  # the best counts, of ours and of the peer
CLOSE = 1e-9


def judgements(
    labels: int, missing: float, size: tuple[int, int] = (PAIRS, PEOPLE)
) -> tuple[Codes, npt.NDArray[np.float64]]:
    """People who agree on three pairs of five and guess on the rest; also as the table that the peer takes."""
    chance = np.random.default_rng(1)
    truth = chance.integers(0, labels, size[0])
    guess = chance.integers(0, labels, size)
    labelled = np.where(chance.random(size) < 0.6, truth[:, None], guess)
    there = chance.random(size) >= missing
    units, people = np.nonzero(there)
    names = tuple(f"annotator {number:03}" for number in range(size[1]))
    categories = tuple(str(label + 1) for label in range(labels))
    return Codes(units, people, labelled[there], names, categories), np.where(there, labelled + 1.0, np.nan).T


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    seconds = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def everything(codes: Codes) -> None:
    scale = Scale("ratio", tuple((label, float(label)) for label in codes.categories), "")
    setting = AgreementSetting("full", scale, Bootstrap(REPLICATES, 1, cores()))
    joint_coefficients(codes, setting)
    pairwise_coefficients(codes, setting)


def naive(table: npt.NDArray[np.float64]) -> None:
    chance = np.random.default_rng(1)
    for _ in range(NAIVE):
        krippendorff.alpha(table[:, chance.integers(0, PAIRS, PAIRS)], level_of_measurement="nominal")


def run() -> bool:
    reached = True
    print(f"agreement: {PAIRS:,} pairs × {PEOPLE} judgements, {REPLICATES:,} replicates")
    for labels, missing in ((5, 0.0), (5, 0.1), (16, 0.0)):
        codes, table = judgements(labels, missing)
        ours = best(lambda codes=codes: everything(codes), 2)  # type: ignore[misc]
        theirs = best(lambda table=table: naive(table), 2) * REPLICATES / NAIVE  # type: ignore[misc]
        reached &= ours < SECONDS
        print(
            f"  {labels} labels, {missing:.0%} missing: all coefficients {ours:.1f} s (target {SECONDS:.0f} s); "
            f"alpha alone the naive way {theirs:,.0f} s, {theirs / ours:,.0f} times as long"
        )
        reached &= alone(codes, table)
    for labels, missing in ((5, 0.0), (5, 0.15), (100, 0.0), (100, 0.15)):
        codes, _ = judgements(labels, missing, (MANY_PAIRS, MANY_PEOPLE))
        seconds = best(lambda codes=codes: everything(codes), 2)  # type: ignore[misc]
        reached &= seconds < SECONDS
        about = f"{MANY_PEOPLE} people, {labels} labels, {missing:.0%} missing"
        print(f"  {about}: all coefficients {seconds:.1f} s (target {SECONDS:.0f} s)")
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:,.0f} MB, the peer's part included")
    return reached


def alone(codes: Codes, table: npt.NDArray[np.float64]) -> bool:
    reached = True
    numbers = np.array([float(label) for label in codes.categories])
    for level in LEVELS:
        ours = best(lambda level=level: krippendorff_alpha(codes, level, numbers))  # type: ignore[misc]
        theirs = best(lambda level=level: krippendorff.alpha(table, level_of_measurement=level))  # type: ignore[misc]
        value, peer = krippendorff_alpha(codes, level, numbers), krippendorff.alpha(table, level_of_measurement=level)
        reached &= ours <= theirs and abs((value or 0) - float(peer)) < CLOSE
        print(f"    alpha, {level}: {1e3 * ours:.0f} ms, krippendorff {1e3 * theirs:.0f} ms, ratio {theirs / ours:.1f}")
    return reached
