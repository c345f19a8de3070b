"""Means, medians and ratios, None where there is nothing to divide by; and values kept by label.

Sums are rounded once, at their end, so that a mean does not depend on the order of the pairs.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


class ValuesByLabel:
    """A number for every pair, by label, eight bytes each."""

    def __init__(self) -> None:
        self._values: dict[str, array[float]] = {}

    def add(self, labels: Sequence[str], values: NDArray[np.float64], places: Iterable[int]) -> None:
        """Add the values at these places."""
        for place in places:
            self._values.setdefault(labels[place], array("d")).append(float(values[place]))

    def get(self, labels: Iterable[str]) -> NDArray[np.float64]:
        """All values of these labels."""
        arrays = [np.frombuffer(self._values[label]) for label in labels if label in self._values]
        return np.concatenate(arrays) if arrays else np.zeros(0)


def mean(values: NDArray[np.float64]) -> float | None:
    """The mean, the same in every order."""
    return ratio(math.fsum(values.tolist()), len(values))


def median(values: NDArray[np.float64]) -> float | None:
    return float(np.median(values)) if len(values) else None


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
