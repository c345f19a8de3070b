"""The verdict on an item: equal at the printed precision, close for a reason, different, or not to be had.

- ✓ the recomputed number rounds to the printed one, on all the data that the paper has;
- ≈ it is close, and the reason is known: only a part of the data is here and sampling explains the difference, or
  somebody found out in what the released data differ;
- ≠ it differs; the reason is given if it is known, and said to be unknown if it is not;
- the paper only draws the number, and ours is shown;
- the data were not released; or they were, and are not in the folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from otherwords.analyse.finding import quantity
from otherwords.analyse.reproduce.item import PaperItem
from otherwords.analyse.reproduce.recomputed import Recomputed

Verdict = Literal["equal", "close", "different", "not released", "not here", "drawn"]
SIGNS: dict[Verdict, str] = {
    "equal": "✓",
    "close": "≈",
    "different": "≠",
    "not released": "not released",
    "not here": "not here",
    "drawn": "drawn only",
}
UNKNOWN = "differs, reason not known"
BEYOND = "differs by more than sampling explains, reason not known"
EXTRA_DIGITS = 1  # of a number that is not equal, so that the difference shows
_TINY = 1e-9
_NUMBER = re.compile(r"(?P<less><\s*)?(?P<number>-?[\d,]+(?:\.(?P<decimals>\d+))?)\s*(?P<unit>%?)")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as a paper prints it."""

    number: float
    digits: int  # after the point
    step: float  # the precision
    below: bool  # "<1%"
    unit: str

    def equals(self, number: float) -> bool:
        """Whether a number rounds to this one; for one with "<", whether it lies below."""
        if self.below:
            return number < self.number
        return abs(number - self.number) <= self.step / 2 + _TINY * max(1.0, abs(number))

    def within(self, low: float, high: float) -> bool:
        """Whether a number that rounds to this one lies in an interval."""
        half = self.step / 2
        return low < self.number if self.below else low <= self.number + half and self.number - half <= high

    def show(self, number: float, extra: int = 0) -> str:
        """Another number in the same form, with more digits if that is asked for."""
        digits = self.digits + extra if self.digits or self.unit or extra == 0 else self.digits
        return f"{number:,.{digits}f}{self.unit}"


@dataclass(frozen=True, slots=True)
class Result:
    """An item beside what it comes to here."""

    item: PaperItem
    verdict: Verdict
    ours: str | None = None
    value: Recomputed | None = None
    reason: str = ""

    @property
    def sign(self) -> str:
        return SIGNS[self.verdict]

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        item, value = self.item, self.value
        row: dict[str, object] = {"place": item.place, "row": item.row, "column": item.column, "printed": item.printed}
        row |= {"ours": self.ours, "value": value.number if value else None, "n": value.n if value else None}
        row |= {"of": value.whole if value else None, "unit": value.unit if value else None}
        row |= {"low": value.low if value else None, "high": value.high if value else None}
        return row | {"verdict": self.verdict, "sign": self.sign, "reason": self.reason}


def parse_printed(text: str, step: float | None = None) -> PrintedNumber:
    """``2.22``, ``86,170``, ``98%``, ``<1%``."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a printed number")
    digits = len(match["decimals"] or "")
    number = float(match["number"].replace(",", ""))
    return PrintedNumber(number, digits, step or 10.0**-digits, bool(match["less"]), match["unit"])


def decide(item: PaperItem, value: Recomputed | None) -> Result:
    """The verdict on an item, given what it came to; None if what it needs is not here."""
    if item.compute is None:
        return Result(item, "not released", reason=item.needs)
    if value is None:
        return Result(item, "not here", reason=item.needs)
    if item.printed is None:
        ours = f"{value.number:,.1f}" if item.column.startswith("%") else f"{value.number:,.3f}"
        return Result(item, "drawn", ours, value, _joined(_extent(value), value.note, value.because, item.definition))
    printed = parse_printed(item.printed, item.step)
    verdict, reasons = _compare(item, value, printed)
    ours = printed.show(value.number, 0 if verdict == "equal" else EXTRA_DIGITS)
    return Result(item, verdict, ours, value, _joined(*reasons, value.note, value.because, item.definition))


def _compare(item: PaperItem, value: Recomputed, printed: PrintedNumber) -> tuple[Verdict, list[str]]:
    """The verdict on a number that was recomputed, and the reasons for it."""
    where, because = _extent(value), [reason for reason in (value.because, item.because) if reason]
    if value.partial:
        if value.low is None or value.high is None:
            return "not here", [where, item.because]
        ends = " to ".join(printed.show(end, EXTRA_DIGITS) for end in (value.low, value.high))
        explained = f"{where}: sampling explains {ends}"
        if printed.within(value.low, value.high):
            return "close", [explained]
        return "different", [explained, *(because or [BEYOND])]
    if printed.equals(value.number):
        return "equal", [where]
    if item.because and abs(value.number - printed.number) <= item.within:
        return "close", [where, item.because]
    return "different", [where, *(because or [UNKNOWN])]


def _extent(value: Recomputed) -> str:
    """Of how many of the paper's units a number is, where that is not all of them."""
    if value.whole is None or value.n == value.whole:
        return ""
    if value.larger:
        return f"{quantity(value.n, value.unit.removesuffix('s'))} are released, {value.whole:,} are in the paper"
    return f"on {value.n:,} of {value.whole:,} {value.unit}"


def _joined(*parts: str) -> str:
    return "; ".join(dict.fromkeys(part for part in parts if part))
