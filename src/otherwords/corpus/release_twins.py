"""Pairs that are in a release twice, in either order, and whether they were labelled alike.

A pair is kept as a digest of its two texts in a fixed order, with its label as seen in that order: fourteen bytes a
pair, however long the texts are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from otherwords.corpus.configs import mirrored
from otherwords.corpus.release_pairs import Brief, read_lines
from otherwords.corpus.release_places import digest_of
from otherwords.text.normalise import normalise


@dataclass(frozen=True, slots=True)
class Twins:
    """Rows of a release that are the same pair."""

    rows: tuple[int, ...]
    alike: bool


class TwinSearch:
    """Takes all pairs of a release in their order, then tells which are the same."""

    def __init__(self) -> None:
        self._keys, self._labels = array("Q"), array("L")
        self._codes: dict[str | None, int] = {}

    def add(self, pair: Brief) -> None:
        one, other, label = _form(pair.text1), _form(pair.text2), pair.label
        if other < one:
            one, other, label = other, one, mirrored(label) if label is not None else None
        self._keys.append(digest_of(f"{one}\n{other}"))  # no normalised text has a line break
        self._labels.append(self._codes.setdefault(label, len(self._codes)))

    def found(self) -> Iterator[Twins]:
        """Every set of rows that are the same pair, in the order of the first."""
        keys: npt.NDArray[np.uint64] = np.array(self._keys, np.uint64)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]) != 0)
        ends = np.append(starts[1:], len(keys))
        several = ends - starts > 1
        sets = [order[start:end] for start, end in zip(starts[several], ends[several], strict=True)]
        for rows in sorted(sets, key=lambda rows: int(rows[0])):
            labels = {self._labels[row] for row in rows}
            yield Twins(tuple(int(row) for row in rows), len(labels) == 1)


def _form(text: str) -> str:
    """The one form of a text; most are in it already."""
    plain = text.isascii() and text.isprintable() and "  " not in text
    return text.strip() if plain else normalise(text)


def ids_at(path: Path, rows: set[int]) -> dict[int, str]:
    """The ids of some rows of a release."""
    found: dict[int, str] = {}
    first = 0
    for block in read_lines(path, Brief):
        found |= {row: block[row - first].id for row in rows if first <= row < first + len(block)}
        first += len(block)
        if len(found) == len(rows):
            break
    return found
