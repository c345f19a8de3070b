"""Options of a split: by what, into which parts, with which seed; read from what a user wrote, and checked.

``80/10/10`` are train, dev and test, ``90/10`` train and test; ``train=70/test=30`` names them. Folds are equal parts
named by their numbers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isclose
from typing import Any, Literal, get_args

from otherwords.align.window import parse_moment
from otherwords.errors import UsageError
from otherwords.registry import suggest

By = Literal["group", "document", "time", "pair"]
NAMES = {2: ("train", "test"), 3: ("train", "dev", "test")}
KNOWN = NAMES[3]
DEFAULT_PARTS = "80/10/10"  # Kanerva et al. 2023, §5; Dou et al. 2022, §4


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """What was asked for; :meth:`shares` are the parts that follow from it."""

    by: str | None = None  # None: chosen by what the pairs have
    components: bool = False  # whether pairs that share a sentence stay together too
    parts: str = DEFAULT_PARTS
    folds: int = 0
    seed: int = 0
    before: tuple[str, ...] = ()  # by time: where each part but the first begins

    def __post_init__(self) -> None:
        if self.by is not None and self.by not in get_args(By):
            raise UsageError(f"--by {self.by}{suggest(self.by, list(get_args(By)))}", code="unknown-split-unit")
        if self.before and self.by != "time":
            raise UsageError("--before gives dates, which go with --by time", code="dates-without-time")
        if self.folds and self.by == "time":
            message = "--folds makes parts that are interchangeable; to split by time, give --parts"
            raise UsageError(message, code="folds-by-time")
        if self.folds < 0 or self.folds == 1:
            raise UsageError(f"--folds {self.folds}: give 2 or more", code="too-few-folds")
        parts = len(self.shares())
        if not self.before:
            return
        moments: list[int] = []
        for date in self.before:
            if (when := parse_moment(date)) is None:
                raise UsageError(f"--before {date}: not a date; write it as 2024-03-31", code="not-a-date")
            moments.append(when)
        if len(moments) != parts - 1:
            needed = "1 date" if parts == 2 else f"{parts - 1} dates"
            message = f"--before: {parts} parts need {needed}, not {len(moments)}"
            raise UsageError(message, code="wrong-number-of-dates")
        if any(later <= earlier for earlier, later in pairwise(moments)):
            message = f"--before {','.join(self.before)}: give the dates in ascending order"
            raise UsageError(message, code="dates-not-ascending")

    def shares(self) -> dict[str, float]:
        """The share of each part by its name; they sum to 1."""
        if self.folds:
            return {str(number): 1 / self.folds for number in range(self.folds)}
        pieces = [piece.strip() for piece in self.parts.split("/")]
        percentages: dict[str, float] = {}
        if any("=" in piece for piece in pieces):
            for text, _, value in (piece.partition("=") for piece in pieces):
                if (name := text.strip()) not in KNOWN:
                    message = f"--parts: no part is called {name!r}{suggest(name, list(KNOWN))}"
                    raise UsageError(message, code="no-such-part")
                percentages[name] = self._percentage(value)
        elif len(pieces) not in NAMES:
            message = f"--parts {self.parts}: give two or three, as in {DEFAULT_PARTS}, or --folds N for more"
            raise UsageError(message, code="wrong-number-of-parts")
        else:
            percentages = dict(zip(NAMES[len(pieces)], map(self._percentage, pieces), strict=True))
        if len(percentages) < 2 or len(percentages) != len(pieces):
            message = f"--parts {self.parts}: name two or three different parts"
            raise UsageError(message, code="wrong-number-of-parts")
        total = sum(percentages.values())
        if not isclose(total, 100, abs_tol=1e-6):
            message = f"--parts {self.parts}: the parts sum to {total:g}, not to 100"
            raise UsageError(message, code="wrong-sum-of-parts")
        return {name: percentages[name] / 100 for name in KNOWN if name in percentages}

    def as_dict(self) -> dict[str, Any]:
        """The options as JSON, and as parameters of the step."""
        return asdict(self) | {"before": list(self.before)}

    def _percentage(self, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            message = f"--parts {self.parts}: {text!r} is not a number; write {DEFAULT_PARTS} or train=80/test=20"
            raise UsageError(message, code="not-a-number") from None
        if not 0 < number < 100:
            message = f"--parts {self.parts}: a part has more than 0 and less than 100 per cent"
            raise UsageError(message, code="share-out-of-range")
        return number
