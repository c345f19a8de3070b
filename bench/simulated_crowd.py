"""A crowd that never was: people of five kinds who judge pairs through the gate of the site, in memory.

Each in turn does one task: at places that nobody foresees a hidden test, else the next pair that still wants a
judgement. After every answer the very gate of the site weighs what they have said by then. Who is paused does no more,
and what they said is void, so that others do it again. The same seed gives the same crowd.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from otherwords.annotate.batches import Gate
from otherwords.annotate.gate import figures, majority, shortfalls
from otherwords.annotate.gating import LOOKED_AT
from otherwords.measures.votes import Answers

KINDS = ("careful", "sloppy", "spammer", "reversed", "bot-fast")
CAREFUL = KINDS[0]
SHARES = (0.6, 0.16, 0.12, 0.06, 0.06)
PARAPHRASES = 0.4  # of all pairs
HARD, SLIPS_ON_HARD = 0.1, 0.2  # pairs on which people who take care are wrong, and how often
EVERY = 5
LONGEST = 1000  # tasks of one person, tests among them


@dataclass(slots=True)
class Worker:
    """Somebody of the crowd: how they answer, and what they have answered."""

    name: int
    kind: str
    skill: float  # how often they are right; of those who do not look, how often they say yes
    right: list[bool] = field(default_factory=list)  # their tests
    said: list[tuple[int, bool]] = field(default_factory=list)  # pair and answer
    reached: int = -1
    tasks: int = 0
    test_at: int = 0  # the place of the test in the block that they are at
    paused: list[str] = field(default_factory=list)

    def answer(self, truth: bool, hard: bool, chance: random.Random) -> bool:
        """What they say to a pair."""
        if self.kind in ("spammer", "bot-fast"):
            return chance.random() < self.skill
        if self.kind == CAREFUL and hard and chance.random() < SLIPS_ON_HARD:
            return not truth
        return truth if chance.random() < self.skill else not truth


@dataclass(slots=True)
class Crowd:
    """What came of it."""

    workers: list[Worker]
    truth: list[bool]
    hard: list[bool]
    said: list[dict[int, bool]]  # of each pair, by worker, what stands
    judged_by: list[set[int]]  # of each pair, also those whose judgement is void
    reopened: list[int] = field(default_factory=list)
    first: int = 0  # pair that may want a judgement
    void: int = 0

    def caught(self) -> dict[str, tuple[int, int]]:
        """Of each kind how many were paused, of how many."""
        of = Counter(one.kind for one in self.workers)
        paused = Counter(one.kind for one in self.workers if one.paused)
        return {kind: (paused[kind], of[kind]) for kind in KINDS}


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
        working = [one for one in working if _task(crowd, one, asked, chance) and _may_go_on(crowd, one, gate)]
    return crowd


def _task(crowd: Crowd, one: Worker, asked: int, chance: random.Random) -> bool:
    """Let somebody do their next task, if there is one for them."""
    if one.tasks % EVERY == 0:
        one.test_at = chance.randrange(EVERY)
    if one.tasks % EVERY == one.test_at:
        gold = chance.random() < 0.5
        one.right.append(one.answer(gold, False, chance) == gold)
    else:
        pair = _next_pair(crowd, one, asked)
        if pair is None:
            return False
        told = one.answer(crowd.truth[pair], crowd.hard[pair], chance)
        crowd.said[pair][one.name] = told
        crowd.judged_by[pair].add(one.name)
        one.said.append((pair, told))
    one.tasks += 1
    return one.tasks < LONGEST


def _next_pair(crowd: Crowd, one: Worker, asked: int) -> int | None:
    """The next pair after the last one that wants a judgement; at the end, one that was opened again."""
    while crowd.first < len(crowd.said) and len(crowd.said[crowd.first]) >= asked:
        crowd.first += 1
    for pair in range(max(one.reached + 1, crowd.first), len(crowd.said)):
        if len(crowd.said[pair]) < asked:
            one.reached = pair
            return pair
    one.reached = len(crowd.said)
    for place, pair in enumerate(crowd.reopened):
        if one.name not in crowd.judged_by[pair] and len(crowd.said[pair]) < asked:
            del crowd.reopened[place]
            return pair
    return None


def _may_go_on(crowd: Crowd, one: Worker, gate: Gate) -> bool:
    one.paused = shortfalls(gate, figures(gate, one.right, _shared(crowd, one, gate)))
    if one.paused:
        for pair, _ in one.said:
            del crowd.said[pair][one.name]
        crowd.reopened += [pair for pair, _ in one.said]
        crowd.void += len(one.said)
    return not one.paused


def _shared(crowd: Crowd, one: Worker, gate: Gate) -> list[tuple[bool, bool]]:
    """What somebody said lately, beside what most others say of the same pairs."""
    shared: list[tuple[bool, bool]] = []
    for pair, told in reversed(one.said[-LOOKED_AT * gate.window :]):
        most = majority(other for name, other in crowd.said[pair].items() if name != one.name)
        if most is not None:
            shared.append((told, bool(most)))
            if len(shared) == gate.window:
                break
    return shared[::-1]


def answers(crowd: Crowd) -> Answers:
    """What stands, as arrays."""
    rows = [(pair, name, int(told)) for pair, said in enumerate(crowd.said) for name, told in said.items()]
    items, workers, labels = (list(column) for column in zip(*rows, strict=True))
    return Answers.of(items, workers, labels, (len(crowd.said), len(crowd.workers), 2))
