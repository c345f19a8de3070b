"""The options of a simulation: how many annotators, how good they are, and what they do.

A bias is how often annotators give one answer where another is true: ``4:3=0.1`` is a 3 for every tenth 4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import UsageError

TASKS = ("triage", "extract", "seed", "judge", "adjudicate")
BATCH_TASKS = ("judge", "adjudicate")
MOST_PEOPLE = 50
SIMILARITY = 0.55  # how much of the truth follows from how similar two texts are; the rest is chance
_BIAS = re.compile(r"([^:=]+):([^:=]+)=(\d*\.?\d+)")
Bias = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """How good the simulated annotators are, and what they do; ``most`` limits how many judgements they give."""

    people: int = 4
    accuracy: float = 0.9
    bias: Bias = field(default_factory=dict)
    seconds: float = 8.0
    absent: float = 0.1
    similarity: float = SIMILARITY
    seed: int = 0
    tasks: Sequence[str] = TASKS
    batches: Sequence[str] = ()
    most: int | None = None

    def __post_init__(self) -> None:
        for valid, message in (
            (1 <= self.people <= MOST_PEOPLE, f"1 to {MOST_PEOPLE} people can be simulated, not {self.people}"),
            (0 <= self.accuracy <= 1, f"the accuracy must be between 0 and 1, not {self.accuracy}"),
            (0 <= self.similarity <= 1, f"the weight of similarity must be between 0 and 1, not {self.similarity}"),
            (0 <= self.absent < 1, f"the share of absent days must be 0 or more and less than 1, not {self.absent}"),
            (0 < self.seconds < 1e5, f"a judgement takes more than 0 and under 100,000 seconds, not {self.seconds}"),
            (self.most is None or self.most >= 0, f"the number of judgements must be 0 or more, not {self.most}"),
        ):
            if not valid:
                raise UsageError(message, code="wrong-simulation-option")


def parse_bias(spellings: Iterable[str]) -> dict[tuple[str, str], float]:
    """Read biases, each spelled ``TRUE:ANSWER=SHARE``."""
    bias: dict[tuple[str, str], float] = {}
    for spelling in spellings:
        parts = _BIAS.fullmatch(spelling.strip())
        if parts is None or parts[1] == parts[2]:
            message = f"{spelling!r} is not a bias; write 4:3=0.1 for a 3 in place of every tenth 4"
            raise UsageError(message, code="not-a-bias")
        bias[parts[1], parts[2]] = float(parts[3])
    for true in {pair[0] for pair in bias}:
        if (share := sum(value for pair, value in bias.items() if pair[0] == true)) > 1:
            raise UsageError(f"the biases of {true} add up to {share:g}, which is more than 1", code="bias-above-one")
    return bias


def parse_tasks(spelling: str | None, batches: Sequence[str]) -> tuple[str, ...]:
    """The tasks in the order of the work: by default all, or those of batches if some batches are named."""
    if spelling is None:
        return BATCH_TASKS if batches else TASKS
    chosen = [task.strip() for task in spelling.split(",")]
    if unknown := [task for task in chosen if task not in TASKS]:
        raise UsageError(f"{unknown[0]!r} is not a task; choose from {', '.join(TASKS)}", code="unknown-task")
    return tuple(task for task in TASKS if task in chosen)


def check_bias(bias: Bias, schemes: Collection[Scheme]) -> None:
    """Refuse a bias between answers that are not answers to one question of these schemes."""
    questions = [{option.value for option in question.values} for scheme in schemes for question in scheme.questions]
    for true, answer in bias:
        if not any({true, answer} <= values for values in questions):
            names = ", ".join(sorted({scheme.name for scheme in schemes}))
            message = f"bias {true}:{answer}: no question has these two answers; the schemes here are {names}"
            raise UsageError(message, code="unknown-label")
