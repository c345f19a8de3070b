"""Agreement from week to week: which weeks have enough units for a point of a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from otherwords.analyse.figures.charts import FEWEST_IN_LINE
from otherwords.measures.agreement import Coefficient

FEWEST_WEEKS = 2  # a single one is no line


@dataclass(frozen=True, slots=True)
class DrawnWeeks:
    """The weeks of a line in their order, and how many were left out because they have too few units."""

    weeks: dict[str, list[Coefficient]]
    too_small: int

    @property
    def is_line(self) -> bool:
        return len(self.weeks) >= FEWEST_WEEKS

    @property
    def remark(self) -> str:
        """Why weeks or the whole line are missing, as a sentence; empty if nothing is."""
        if not self.too_small or len(self.weeks) + self.too_small < FEWEST_WEEKS:
            return ""
        if not self.is_line:
            return (
                f"No line is drawn from week to week: it needs {FEWEST_WEEKS} weeks with {FEWEST_IN_LINE} units each."
            )
        noun, verb = ("week", "is") if self.too_small == 1 else ("weeks", "are")
        return f"{self.too_small} {noun} with fewer than {FEWEST_IN_LINE} units {verb} left out."


def weeks_to_draw(weeks: Mapping[str, list[Coefficient]]) -> DrawnWeeks:
    """The weeks with enough units for a point of a line."""
    large = {week: weeks[week] for week in sorted(weeks) if _units(weeks[week]) >= FEWEST_IN_LINE}
    return DrawnWeeks(large, len(weeks) - len(large))


def _units(coefficients: list[Coefficient]) -> int:
    return max((coefficient.n for coefficient in coefficients), default=0)
