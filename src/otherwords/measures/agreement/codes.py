"""Judgements as arrays: who said what about which unit, with labels and names as numbers.

In go rows of unit, annotator and label, some units judged by few; out come three columns of equal length, sorted by
unit and annotator. Every coefficient is computed on these, so that nothing depends on the order in which people worked.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Row = tuple[Hashable, str, str]  # unit, annotator, label


@dataclass(frozen=True, slots=True)
class Codes:
    """Judgements by number: unit, annotator and label of each; units that nobody judged are not among them."""

    units: Ints
    annotators: Ints
    labels: Ints
    names: tuple[str, ...]
    categories: tuple[str, ...]

    def where(self, keep: npt.NDArray[np.bool_]) -> Codes:
        """The judgements for which ``keep`` is true."""
        kept = {"units": self.units[keep], "annotators": self.annotators[keep], "labels": self.labels[keep]}
        return replace(self, **kept)  # type: ignore[arg-type]

    def _sorted(self) -> Codes:
        order = np.lexsort((self.annotators, self.units))
        columns = (self.units[order], self.annotators[order], self.labels[order])
        return Codes(*columns, self.names, self.categories)

    def counts(self) -> Ints:
        """How often each unit got each label: a row a unit."""
        row = np.cumsum(np.diff(self.units, prepend=-1) != 0) - 1
        k = max(1, len(self.categories))
        size = (int(row.max()) + 1 if len(row) else 0) * k
        return np.bincount(row * k + self.labels, minlength=size).reshape(-1, k)


def codes_of(rows: Iterable[Row], categories: Iterable[str] = ()) -> Codes:
    """The arrays of rows; of two judgements by the same person of the same unit the later counts.

    ``categories`` come first, in their order; labels that are not among them follow in the order of their names.
    """
    units: dict[Hashable, int] = {}
    people: dict[str, int] = {}
    labels: dict[str, int] = {}
    told = [
        (
            units.setdefault(unit, len(units)),
            people.setdefault(name, len(people)),
            labels.setdefault(label, len(labels)),
        )
        for unit, name, label in rows
    ]
    columns = np.array(told, np.int64).reshape(-1, 3).T
    return coded(columns[0], columns[1], columns[2], tuple(people), tuple(labels), categories)


def coded(
    units: Ints, people: Ints, labels: Ints, names: tuple[str, ...], spelled: tuple[str, ...], first: Iterable[str] = ()
) -> Codes:
    """The arrays of numbered judgements in their order, with only the names and labels that occur in them.

    Names are sorted; so are labels, but for those that come ``first``.
    """
    order = np.lexsort((np.arange(len(units)), people, units))
    units, people, labels = units[order], people[order], labels[order]
    last = np.append((np.diff(units) != 0) | (np.diff(people) != 0), True)[: len(units)]
    units, people, labels = units[last], people[last], labels[last]
    before = {label: place for place, label in enumerate(dict.fromkeys(first))}
    who = sorted(np.unique(people).tolist(), key=names.__getitem__)
    said = sorted(np.unique(labels).tolist(), key=lambda one: (before.get(spelled[one], len(before)), spelled[one]))
    codes = Codes(
        units,
        _numbered(who, len(names))[people],
        _numbered(said, len(spelled))[labels],
        tuple(names[one] for one in who),
        tuple(spelled[one] for one in said),
    )
    return codes._sorted()


def _numbered(kept: list[int], known: int) -> Ints:
    """New places for the kept ones."""
    places = np.full(max(1, known), -1, np.int64)
    places[kept] = range(len(kept))
    return places


def without(codes: Codes, categories: Iterable[str]) -> Codes:
    """The same judgements with some labels taken as missing."""
    gone = set(categories)
    kept = [place for place, label in enumerate(codes.categories) if label not in gone]
    if len(kept) == len(codes.categories):
        return codes
    number = _numbered(kept, len(codes.categories))
    rest = codes.where(number[codes.labels] >= 0)
    return replace(rest, labels=number[rest.labels], categories=tuple(codes.categories[place] for place in kept))


def sets_of(codes: Codes) -> list[tuple[Ints, Ints]]:
    """The units by how many judgements they have: annotators and labels of each, a row a unit."""
    starts = np.flatnonzero(np.diff(codes.units, prepend=-1))
    sizes = np.diff(starts, append=len(codes.units))
    sets = []
    for size in np.unique(sizes):
        cells = starts[sizes == size][:, None] + np.arange(size)
        sets.append((codes.annotators[cells], codes.labels[cells]))
    return sets
