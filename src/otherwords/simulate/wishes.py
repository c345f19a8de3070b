"""What somebody wants simulated: how many people, how good they are, and what they do.

A bias says how often people give one answer where another is true: ``4:3=0.1`` is a 3 for every tenth 4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from otherwords.annotate.scheme import Scheme
from otherwords.errors import UsageError

TASKS = ("triage", "extract", "judge", "adjudicate")
OF_BATCHES = TASKS[2:]
MOST_PEOPLE = 50
_BIAS = re.compile(r"([^:=]+):([^:=]+)=(\d*\.?\d+)")
Bias = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the made-up people are, and what they do; ``most`` bounds how many judgements they give."""

    people: int = 4
    accuracy: float = 0.9
    bias: Bias = field(default_factory=dict)
    seconds: float = 8.0
    absent: float = 0.1
    seed: int = 0
    tasks: Sequence[str] = TASKS
    batches: Sequence[str] = ()
    most: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.people <= MOST_PEOPLE:
            raise UsageError(f"1 to {MOST_PEOPLE} people can be simulated, not {self.people}")
        if not 0 <= self.accuracy <= 1:
            raise UsageError(f"an accuracy lies between 0 and 1; {self.accuracy} does not")
        if not 0 <= self.absent < 1:
            raise UsageError(f"the share of days without somebody is 0 or more and less than 1, not {self.absent}")
        if not 0 < self.seconds < 1e5:
            raise UsageError(f"a judgement takes more than 0 and less than 100,000 seconds, not {self.seconds}")
        if self.most is not None and self.most < 0:
            raise UsageError(f"the number of judgements is 0 or more, not {self.most}")


def parse_bias(told: Iterable[str]) -> dict[tuple[str, str], float]:
    """Biases as they are written, each ``TRUE:SAID=SHARE``."""
    found: dict[tuple[str, str], float] = {}
    for one in told:
        parts = _BIAS.fullmatch(one.strip())
        if parts is None or parts[1] == parts[2]:
            raise UsageError(f"{one!r} is not a bias; 4:3=0.1 says 3 for every tenth 4")
        found[parts[1], parts[2]] = float(parts[3])
    for true in {pair[0] for pair in found}:
        if (share := sum(value for pair, value in found.items() if pair[0] == true)) > 1:
            raise UsageError(f"the biases of {true} add up to {share:g}, which is more than 1")
    return found


def parse_tasks(told: str | None, batches: Sequence[str]) -> tuple[str, ...]:
    """What to do, in the order of the work: by default all of it, or what is done to batches where some are named."""
    if told is None:
        return OF_BATCHES if batches else TASKS
    wanted = [one.strip() for one in told.split(",")]
    if unknown := [one for one in wanted if one not in TASKS]:
        raise UsageError(f"{unknown[0]!r} is nothing to do; choose of {', '.join(TASKS)}")
    return tuple(one for one in TASKS if one in wanted)


def check_bias(bias: Bias, schemes: Collection[Scheme]) -> None:
    """Refuse a bias between answers that no scheme at hand has."""
    for true, said in bias:
        if not any({true, said} <= {one.value for one in asked.values} for of in schemes for asked in of.questions):
            names = ", ".join(sorted({of.name for of in schemes}))
            raise UsageError(f"bias {true}:{said}: no question has these two answers; the schemes here are {names}")
