"""Who is exactly at the line of a gate is not above it."""

from __future__ import annotations

import pytest

from otherwords.annotate.batches import Gate
from otherwords.annotate.gate import Figures, shortfalls

GATE = Gate(accuracy=0.75, kappa=0.5)


@pytest.mark.parametrize(
    ("accuracy", "kappa", "reasons"),
    [
        (0.76, 0.51, []),
        (0.75, 0.51, ["75 % of the last 20 tests right, not more than 75 %"]),
        (0.76, 0.5, ["kappa 0.50 with the majority of the others on the last 30 pairs, not more than 0.50"]),
        (None, 0.51, []),
        (0.76, None, []),
    ],
)
def test_the_line(accuracy: float | None, kappa: float | None, reasons: list[str]) -> None:
    assert shortfalls(GATE, Figures(20, accuracy, 30, kappa)) == reasons
