"""What labels mean besides being equal or not: an order, distances, a zero.

A coefficient that weights disagreements needs the distances of labels; a scale has them, or says why it has none.
Labels outside the order (a skip) count as missing wherever order matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = get_args(Level)
Weighting = Literal["nominal", "linear", "quadratic"]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scale:
    """How labels relate. ``places`` has the position of each label; a label without one is outside the order."""

    level: Level = "nominal"
    places: tuple[tuple[str, float], ...] = ()
    why: str = "the labels are names without an order"  # why there is no higher level

    def outside(self, categories: tuple[str, ...]) -> tuple[str, ...]:
        """The labels that have no place in the order."""
        known = dict(self.places)
        return tuple(label for label in categories if label not in known)

    def lacks(self, level: Level, categories: tuple[str, ...]) -> str | None:
        """Why a coefficient of that level makes no sense for these labels; None if it does."""
        if LEVELS.index(level) > LEVELS.index(self.level):
            return self.why
        if level != "nominal" and not categories:
            return "no label that was given has a place on the scale"
        if level == "ratio" and min(self.numbers(categories), default=0.0) < 0:
            return "a ratio needs numbers that are not negative"
        return None

    def numbers(self, categories: tuple[str, ...]) -> Floats:
        """The positions of the labels; without an order, 0, 1, 2 …"""
        if self.level == "nominal":
            return np.arange(len(categories), dtype=np.float64)
        known = dict(self.places)
        return np.array([known[label] for label in categories], np.float64)


def numeric_scale(labels: list[str]) -> Scale | None:
    """The scale of labels that are all numbers; None if one is not."""
    try:
        numbers = {label: float(label) for label in labels}
    except ValueError:
        return None
    if not labels or not np.isfinite(list(numbers.values())).all():
        return None
    return Scale("ratio", tuple(sorted(numbers.items(), key=lambda item: item[1])), "")


def distances(weighting: Weighting, numbers: Floats) -> Floats:
    """The distance of every two labels: 0 for the same."""
    apart = np.abs(numbers[:, None] - numbers[None, :])
    if weighting == "nominal":
        return 1.0 - np.eye(len(numbers))
    return apart if weighting == "linear" else apart**2


def ratio_distances(numbers: Floats) -> Floats:
    """Krippendorff's metric for ratios: the square of difference over sum; two zeros are the same."""
    total = numbers[:, None] + numbers[None, :]
    apart = numbers[:, None] - numbers[None, :]
    return np.asarray(np.divide(apart, total, out=np.zeros_like(total), where=total != 0) ** 2)


def ordinal_weights(k: int) -> Floats:
    """Gwet's ordinal weights (Gwet 2014, §3.5): 1 less the share of pairs of ranks between two labels."""
    steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) + 1
    between = steps * (steps - 1) / 2
    return np.asarray(1.0 - between / between.max(initial=1.0))
