"""Agreement on types of everybody together: IAPTA is defined for two people, so of more the mean of every two counts.

In go the figures of every two annotators, out comes one figure of each measure, weighted by the units that the two
share. It has no interval: what is drawn for one pair of people is not drawn for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otherwords.measures.agreement.figure import Figure

TYPES = ("iapta-tpo-partial", "iapta-do-f1")
MEAN = "-mean"
SUMMED = "the units of a mean are summed over all pairs of annotators, so that one that several judged counts again"


def pooled(figures: Iterable[Figure]) -> list[Figure]:
    """The figures on types, of all who annotated them; of two people as it is."""
    found: dict[tuple[str, str], list[Figure]] = {}
    for one in figures:
        if one.measure.partition(":")[0] in TYPES and one.value is not None:
            found.setdefault((one.measure, one.labels), []).append(one)
    return [same[0] if len(same) == 1 else _mean(same) for same in found.values()]


def _mean(figures: Sequence[Figure]) -> Figure:
    units = sum(one.n for one in figures)
    value = sum((one.value or 0.0) * one.n for one in figures) / units
    name, colon, part = figures[0].measure.partition(":")
    return Figure(
        measure=f"{name}{MEAN}{colon}{part}",
        labels=figures[0].labels,
        value=value,
        n=units,
        annotators=tuple(dict.fromkeys(who for one in figures for who in one.annotators)),
        signature=figures[0].signature.replace(name, f"{name}{MEAN}", 1),
    )


def remarks(figures: Iterable[Figure]) -> list[str]:
    """A word about the units of means over pairs of annotators."""
    means = (one for one in figures if MEAN in one.measure and len(one.annotators) > 2)
    return [SUMMED] if next(means, None) is not None else []
