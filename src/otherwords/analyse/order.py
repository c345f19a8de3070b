"""The order in which labels stand in tables and figures, whatever the scheme."""

from __future__ import annotations

import math
from collections.abc import Iterable

from otherwords.labels import is_valid, parse

UNLABELLED = "(none)"


def label_order(labels: Iterable[str]) -> list[str]:
    """Labels as a reader expects them: 4 before 3 before 2, a 1 before a 0, names by the alphabet."""

    def key(label: str) -> tuple[int, float, str]:
        if label == UNLABELLED:
            return (3, 0.0, label)
        if is_valid(label) and label != "x":
            return (0, -float(parse(label).base), label)
        try:
            number = float(label)
        except ValueError:
            return (1, 0.0, label)
        return (0, -number, label) if math.isfinite(number) else (1, 0.0, label)

    return sorted(labels, key=key)
