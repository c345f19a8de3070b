"""How a corpus is to be split: by what, into which parts, with which seed; read from what a user wrote and checked.

``80/10/10`` are train, dev and test, ``90/10`` train and test; ``train=70/test=30`` names them. Folds are equal parts
that are called by their numbers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isclose
from typing import Any, Literal, get_args

from otherwords.align.window import moment
from otherwords.errors import UsageError
from otherwords.registry import suggest

By = Literal["group", "document", "time", "pair"]
NAMES = {1: (), 2: ("train", "test"), 3: ("train", "dev", "test")}
KNOWN = NAMES[3]
USUAL = "80/10/10"  # Kanerva et al. 2023, §5; Dou et al. 2022, §4


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for; :meth:`shares` are the parts that follow from it."""

    by: str | None = None  # chosen by what the pairs have where it is left open
    components: bool = False  # whether pairs that share a sentence stay together too
    parts: str = USUAL
    folds: int = 0
    seed: int = 0
    before: tuple[str, ...] = ()  # by time: where each part but the first begins

    def __post_init__(self) -> None:
        if self.by is not None and self.by not in get_args(By):
            raise UsageError(f"--by {self.by}{suggest(self.by, list(get_args(By)))}")
        if self.before and self.by != "time":
            raise UsageError("--before gives dates, which go with --by time")
        if self.folds and self.by == "time":
            raise UsageError("--folds numbers units that are as good as each other; by time give --parts")
        if self.folds < 0 or self.folds == 1:
            raise UsageError(f"--folds {self.folds}: give 2 or more")
        shares = self.shares()
        if self.before:
            self._check_dates(len(shares))

    def _check_dates(self, parts: int) -> None:
        moments: list[int] = []
        for date in self.before:
            if (when := moment(date)) is None:
                raise UsageError(f"--before {date}: not a date; write it as 2024-03-31")
            moments.append(when)
        if len(moments) != parts - 1:
            raise UsageError(f"--before: {parts} parts need {parts - 1} dates, and there are {len(moments)}")
        if any(later <= earlier for earlier, later in pairwise(moments)):
            raise UsageError(f"--before {','.join(self.before)}: the dates have to rise")

    def shares(self) -> dict[str, float]:
        """The share of each part by its name; they sum to 1."""
        if self.folds:
            return {str(number): 1 / self.folds for number in range(self.folds)}
        pieces = [piece.strip() for piece in self.parts.split("/")]
        named = [piece.partition("=") for piece in pieces]
        if any(equals for _, equals, _ in named):
            return _summed(self.parts, {_known(name): _number(self.parts, value) for name, _, value in named})
        if len(pieces) not in NAMES or not NAMES[len(pieces)]:
            raise UsageError(f"--parts {self.parts}: give two or three, as in {USUAL}, or --folds N for more")
        numbers = [_number(self.parts, piece) for piece in pieces]
        return _summed(self.parts, dict(zip(NAMES[len(pieces)], numbers, strict=True)))

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it, and as the step's parameters have it."""
        return asdict(self) | {"before": list(self.before)}


def _known(name: str) -> str:
    if name.strip() not in KNOWN:
        raise UsageError(f"--parts: no part is called {name.strip()!r}{suggest(name.strip(), list(KNOWN))}")
    return name.strip()


def _number(told: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise UsageError(f"--parts {told}: {text!r} is no number; write {USUAL} or train=80/test=20") from None
    if not 0 < number < 100:
        raise UsageError(f"--parts {told}: a part has more than 0 and less than 100 per cent")
    return number


def _summed(told: str, numbers: dict[str, float]) -> dict[str, float]:
    if len(numbers) < 2 or len(numbers) != told.count("/") + 1:
        raise UsageError(f"--parts {told}: name two or three different parts")
    total = sum(numbers.values())
    if not isclose(total, 100, abs_tol=1e-6):
        raise UsageError(f"--parts {told}: the parts sum to {total:g}, not to 100")
    return {name: number / 100 for name, number in sorted(numbers.items(), key=lambda one: KNOWN.index(one[0]))}
