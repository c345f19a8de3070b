"""Figures with their targets, line by line, and whether all were met."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A limit that a figure has to keep."""

    sign: str
    limit: float

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:,g}"

    def met(self, value: float) -> bool:
        return value <= self.limit if self.sign == "≤" else value >= self.limit


class Table:
    """Prints figures, each with its target if it has one, and remembers whether all were met."""

    def __init__(self) -> None:
        self.met = True

    def line(self, name: str, value: float, target: Target | None = None, form: str = ",.1f") -> None:
        verdict = "" if target is None else "ok" if target.met(value) else "MISSED"
        self.met &= verdict != "MISSED"
        print(f"  {name:<44} {value:>10{form}}   {target or ''!s:<8} {verdict}", flush=True)
