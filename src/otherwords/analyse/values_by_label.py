"""A number of every pair, kept by label until the last pair is seen, eight bytes each.

Sums are rounded once, at their end, so that no mean depends on the order in which the pairs came.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


class ValuesByLabel:
    """Numbers by label."""

    def __init__(self) -> None:
        self._values: dict[str, array[float]] = {}

    def add(self, labels: Sequence[str], values: NDArray[np.float64], places: Iterable[int]) -> None:
        """Take the values in these places."""
        for place in places:
            self._values.setdefault(labels[place], array("d")).append(float(values[place]))

    def of(self, labels: Iterable[str]) -> NDArray[np.float64]:
        """All values of these labels."""
        held = [np.frombuffer(self._values[label]) for label in labels if label in self._values]
        return np.concatenate(held) if held else np.zeros(0)


def mean(values: NDArray[np.float64]) -> float | None:
    """The mean, the same in every order."""
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def median(values: NDArray[np.float64]) -> float | None:
    """The median."""
    return float(np.median(values)) if len(values) else None
