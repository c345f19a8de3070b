"""Judgements as arrays: unit, annotator and label of each, as numbers.

The three columns are sorted by unit and annotator, so that no coefficient depends on the order in which people
worked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Codes:
    """Judgements by number: unit, annotator and label of each; units that nobody judged are not included."""

    units: Ints
    annotators: Ints
    labels: Ints
    names: tuple[str, ...]
    categories: tuple[str, ...]

    def where(self, keep: npt.NDArray[np.bool_]) -> Codes:
        """The judgements for which ``keep`` is true."""
        kept = {"units": self.units[keep], "annotators": self.annotators[keep], "labels": self.labels[keep]}
        return replace(self, **kept)  # type: ignore[arg-type]

    def of_annotators(self, numbers: Ints) -> Codes:
        """The judgements of some annotators, who are numbered anew."""
        number = _renumbering(numbers.tolist(), len(self.names))
        rest = self.where(number[self.annotators] >= 0)
        names = tuple(self.names[place] for place in numbers)
        return replace(rest, annotators=number[rest.annotators], names=names)

    def paired(self) -> Codes:
        """The judgements of units that have two or more."""
        _, unit, sizes = np.unique(self.units, return_inverse=True, return_counts=True)
        return self if (sizes > 1).all() else self.where(sizes[unit] > 1)

    def counts(self) -> Ints:
        """How often each unit got each label, one row per unit."""
        row = np.cumsum(np.diff(self.units, prepend=-1) != 0) - 1
        k = max(1, len(self.categories))
        size = (int(row.max()) + 1 if len(row) else 0) * k
        return np.bincount(row * k + self.labels, minlength=size).reshape(-1, k)


def encode_judgements(
    units: Ints, people: Ints, labels: Ints, names: tuple[str, ...], spelled: tuple[str, ...], first: Iterable[str] = ()
) -> Codes:
    """The arrays of numbered judgements, with only the names and labels that occur in them.

    Names are sorted; so are labels, except those that come ``first``.
    """
    order = np.lexsort((np.arange(len(units)), people, units))
    units, people, labels = units[order], people[order], labels[order]
    last = np.append((np.diff(units) != 0) | (np.diff(people) != 0), True)[: len(units)]
    units, people, labels = units[last], people[last], labels[last]
    ranks = {label: place for place, label in enumerate(dict.fromkeys(first))}
    used_people = sorted(np.unique(people).tolist(), key=names.__getitem__)
    used_labels = sorted(
        np.unique(labels).tolist(), key=lambda number: (ranks.get(spelled[number], len(ranks)), spelled[number])
    )
    annotators = _renumbering(used_people, len(names))[people]
    order = np.lexsort((annotators, units))
    return Codes(
        units[order],
        annotators[order],
        _renumbering(used_labels, len(spelled))[labels[order]],
        tuple(names[number] for number in used_people),
        tuple(spelled[number] for number in used_labels),
    )


def _renumbering(numbers: list[int], size: int) -> Ints:
    """New numbers, from 0, for those that are kept; -1 for the others."""
    places = np.full(max(1, size), -1, np.int64)
    places[numbers] = range(len(numbers))
    return places


def without_labels(codes: Codes, categories: Iterable[str]) -> Codes:
    """The same judgements with some labels treated as missing."""
    removed = set(categories)
    kept = [place for place, label in enumerate(codes.categories) if label not in removed]
    if len(kept) == len(codes.categories):
        return codes
    number = _renumbering(kept, len(codes.categories))
    rest = codes.where(number[codes.labels] >= 0)
    return replace(rest, labels=number[rest.labels], categories=tuple(codes.categories[place] for place in kept))


def units_by_size(codes: Codes) -> list[tuple[Ints, Ints]]:
    """The units grouped by their number of judgements: annotators and labels, one row per unit."""
    starts = np.flatnonzero(np.diff(codes.units, prepend=-1))
    sizes = np.diff(starts, append=len(codes.units))
    sets = []
    for size in np.unique(sizes):
        cells = starts[sizes == size][:, None] + np.arange(size)
        sets.append((codes.annotators[cells], codes.labels[cells]))
    return sets
