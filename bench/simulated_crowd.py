"""A simulated crowd: workers of five kinds who judge pairs through the gate of the site, in memory.

Each worker in turn does one task: at random places a hidden test, otherwise the next pair that needs a judgement. After
every answer, the gate of the site is applied to the answers so far. A paused worker does no more tasks, and their
judgements are void, so that others repeat them. The same seed gives the same crowd.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from otherwords.annotate.batches.batch import Gate
from otherwords.annotate.crowd.gate import gate_figures, majority, shortfalls
from otherwords.annotate.crowd.gate_watch import WINDOWS_READ
from otherwords.measures.votes import VoteTable

KINDS = ("careful", "sloppy", "spammer", "reversed", "bot-fast")
CAREFUL = KINDS[0]
SHARES = (0.6, 0.16, 0.12, 0.06, 0.06)
PARAPHRASES = 0.4  # of all pairs
HARD, SLIPS_ON_HARD = 0.1, 0.2  # pairs on which people who take care are wrong, and how often
EVERY = 5
LONGEST = 1000  # tasks of one person, tests among them


@dataclass(slots=True)
class Worker:
    """A worker of the crowd: how they answer, and what they have answered."""

    name: int
    kind: str
    skill: float  # how often they are right; of those who do not look, how often they say yes
    right: list[bool] = field(default_factory=list)  # their tests
    answered: list[tuple[int, bool]] = field(default_factory=list)  # pair and answer
    reached: int = -1
    tasks: int = 0
    test_at: int = 0  # the place of the test in the block that they are at
    paused: list[str] = field(default_factory=list)

    def answer(self, truth: bool, hard: bool, chance: random.Random) -> bool:
        """Their answer to a pair."""
        if self.kind in ("spammer", "bot-fast"):
            return chance.random() < self.skill
        if self.kind == CAREFUL and hard and chance.random() < SLIPS_ON_HARD:
            return not truth
        return truth if chance.random() < self.skill else not truth


@dataclass(slots=True)
class Crowd:
    """The state of the simulation, and at the end its result."""

    workers: list[Worker]
    truth: list[bool]
    hard: list[bool]
    judgements: list[dict[int, bool]]  # for each pair, the valid ones by worker
    judged_by: list[set[int]]  # for each pair, also workers whose judgement is void
    reopened: list[int] = field(default_factory=list)
    first: int = 0  # pair that may want a judgement
    void: int = 0

    def caught(self) -> dict[str, tuple[int, int]]:
        """For each kind, how many workers were paused, and how many there are."""
        all_workers = Counter(worker.kind for worker in self.workers)
        paused = Counter(worker.kind for worker in self.workers if worker.paused)
        return {kind: (paused[kind], all_workers[kind]) for kind in KINDS}


def people(count: int, chance: random.Random) -> list[Worker]:
    """A crowd of all kinds, in a random order."""
    kinds = [kind for kind, share in zip(KINDS, SHARES, strict=True) for _ in range(round(share * count))]
    chance.shuffle(kinds)
    skills = {
        CAREFUL: (0.97, 0.995),
        "sloppy": (0.55, 0.75),
        "spammer": (0.3, 0.7),
        "reversed": (0.02, 0.1),
        "bot-fast": (1.0, 1.0),
    }
    return [Worker(name, kind, chance.uniform(*skills[kind])) for name, kind in enumerate(kinds)]


def simulate(count: int = 500, pairs: int = 10_000, asked: int = 6, seed: int = 1, gate: Gate | None = None) -> Crowd:
    """Let a crowd judge pairs until all have their judgements, or nobody is left who may."""
    chance, gate = random.Random(seed), gate or Gate()
    truth = [chance.random() < PARAPHRASES for _ in range(pairs)]
    hard = [chance.random() < HARD for _ in range(pairs)]
    workers = people(count, chance)
    crowd = Crowd(workers, truth, hard, [{} for _ in range(pairs)], [set() for _ in range(pairs)])
    working = list(workers)
    while working:
        chance.shuffle(working)
        working = [
            worker for worker in working if _task(crowd, worker, asked, chance) and _may_go_on(crowd, worker, gate)
        ]
    return crowd


def _task(crowd: Crowd, worker: Worker, asked: int, chance: random.Random) -> bool:
    """Do a worker's next task, if there is one; whether there may be another."""
    if worker.tasks % EVERY == 0:
        worker.test_at = chance.randrange(EVERY)
    if worker.tasks % EVERY == worker.test_at:
        gold = chance.random() < 0.5
        worker.right.append(worker.answer(gold, False, chance) == gold)
    else:
        pair = _next_pair(crowd, worker, asked)
        if pair is None:
            return False
        answer = worker.answer(crowd.truth[pair], crowd.hard[pair], chance)
        crowd.judgements[pair][worker.name] = answer
        crowd.judged_by[pair].add(worker.name)
        worker.answered.append((pair, answer))
    worker.tasks += 1
    return worker.tasks < LONGEST


def _next_pair(crowd: Crowd, worker: Worker, asked: int) -> int | None:
    """The next pair after the last one that wants a judgement; at the end, one that was opened again."""
    while crowd.first < len(crowd.judgements) and len(crowd.judgements[crowd.first]) >= asked:
        crowd.first += 1
    for pair in range(max(worker.reached + 1, crowd.first), len(crowd.judgements)):
        if len(crowd.judgements[pair]) < asked:
            worker.reached = pair
            return pair
    worker.reached = len(crowd.judgements)
    for place, pair in enumerate(crowd.reopened):
        if worker.name not in crowd.judged_by[pair] and len(crowd.judgements[pair]) < asked:
            del crowd.reopened[place]
            return pair
    return None


def _may_go_on(crowd: Crowd, worker: Worker, gate: Gate) -> bool:
    worker.paused = shortfalls(gate, gate_figures(gate, worker.right, _shared(crowd, worker, gate)))
    if worker.paused:
        for pair, _ in worker.answered:
            del crowd.judgements[pair][worker.name]
        crowd.reopened += [pair for pair, _ in worker.answered]
        crowd.void += len(worker.answered)
    return not worker.paused


def _shared(crowd: Crowd, worker: Worker, gate: Gate) -> list[tuple[bool, bool]]:
    """A worker's latest answers, each with the majority of the others on the same pair."""
    shared: list[tuple[bool, bool]] = []
    for pair, answer in reversed(worker.answered[-WINDOWS_READ * gate.window :]):
        most = majority(other for name, other in crowd.judgements[pair].items() if name != worker.name)
        if most is not None:
            shared.append((answer, bool(most)))
            if len(shared) == gate.window:
                break
    return shared[::-1]


def answers(crowd: Crowd) -> VoteTable:
    """The valid judgements, as arrays."""
    rows = [
        (pair, name, int(answer))
        for pair, judgements in enumerate(crowd.judgements)
        for name, answer in judgements.items()
    ]
    items, workers, labels = (list(column) for column in zip(*rows, strict=True))
    return VoteTable.of(items, workers, labels, (len(crowd.judgements), len(crowd.workers), 2))
