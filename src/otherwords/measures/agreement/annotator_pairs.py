"""Which pairs of annotators are compared on what they marked in texts.

Two who marked spans are compared text by text, which takes a good part of a second; a hundred annotators are 4,950
pairs. Of more than a bound those with the most units in common are compared, and every coefficient says how many
are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

MOST_PAIRS = 100  # with 14 annotators or fewer all pairs are compared
NO_TWO = "no two annotators annotated a pair in common"


class AnnotatorPairs(NamedTuple):
    """The pairs of annotators that are compared, in the order of the annotators, and a note on the others."""

    pairs: list[tuple[str, str]]
    note: str | None = None


def compared_pairs(units: Mapping[str, Collection[str]], most: int = MOST_PAIRS) -> AnnotatorPairs:
    """All pairs of annotators, or those with the most ``units`` in common if there are more than ``most``."""
    pairs = list(combinations(units, 2))
    if len(pairs) <= most:
        return AnnotatorPairs(pairs)
    shared = _shared_units(units)[np.triu_indices(len(units), 1)]  # in the order of the pairs
    largest = np.argsort(-shared, kind="stable")[:most]
    chosen = np.sort(largest[shared[largest] > 0])
    together = "1 pair" if len(chosen) == 1 else f"{len(chosen):,} pairs"
    note = f"only the {together} of annotators who share most: {len(pairs) - len(chosen):,} left out"
    return AnnotatorPairs([pairs[place] for place in chosen], note)


def _shared_units(units: Mapping[str, Collection[str]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """How many units every two annotators have in common."""
    numbers: dict[str, int] = {}
    places = [[numbers.setdefault(unit, len(numbers)) for unit in by_one] for by_one in units.values()]
    annotated = np.zeros((len(units), len(numbers)), np.float32)
    for row, own in zip(annotated, places, strict=True):
        row[own] = 1
    return np.asarray(annotated @ annotated.T)
