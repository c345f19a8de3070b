"""How alike corpora are in the types of paraphrase they have (Vila et al. 2014, §5.1).

In go tables of types, out comes Pearson's correlation of the frequencies of every two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from otherwords.analyse.types import TypesTable, canonical, vila_types


@dataclass(frozen=True, slots=True)
class Correlation:
    """How alike the frequencies of types of two corpora are."""

    corpora: tuple[str, str]
    value: float | None
    types: int
    note: str | None = None


def correlations(tables: Sequence[TypesTable]) -> list[Correlation]:
    """Pearson of the frequencies of every two corpora; a type that a corpus does not have counts 0 (§5.1)."""
    frequencies = [_frequencies(table) for table in tables]
    used = {tag for one in frequencies for tag in one}
    tags = [*(used | set(vila_types()) if used & set(vila_types()) else used)]
    return [
        _correlation((tables[one].corpus, tables[two].corpus), frequencies[one], frequencies[two], tags)
        for one, two in combinations(range(len(tables)), 2)
    ]


def _frequencies(table: TypesTable) -> dict[str, float]:
    """By the one name of each type: a project may hold its own annotations beside a corpus that calls it otherwise."""
    found: dict[str, float] = {}
    for tag in table.counts:
        found[canonical(tag)] = found.get(canonical(tag), 0.0) + table.frequency(tag)
    return found


def _correlation(names: tuple[str, str], one: dict[str, float], two: dict[str, float], tags: list[str]) -> Correlation:
    if not one.keys() & two.keys():
        return Correlation(names, None, len(tags), "the two corpora have no type in common")
    value = pearson([one.get(tag, 0.0) for tag in tags], [two.get(tag, 0.0) for tag in tags])
    return Correlation(names, value, len(tags), None if value is not None else "all types are equally frequent in one")


def pearson(one: Iterable[float], two: Iterable[float]) -> float | None:
    """Pearson's correlation; None if one side never varies."""
    x, y = (np.asarray(list(side), np.float64) for side in (one, two))
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / spread if spread else None
