"""The lines beside the boxes of a recipe: which lane goes through which row, where it begins and where it ends.

A box of a diagram is as high as its text, which only a browser knows. So every row draws its own piece of each lane,
from edge to edge, and the pieces meet whatever the heights are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LANE, MARGIN = 16, 20  # pixels from lane to lane, and of the first from the boxes
ARRIVES, LEAVES = 26, 42  # pixels from the top of a row to where a lane ends at its box, or begins


@dataclass(frozen=True, slots=True)
class RailPiece:
    """A lane in a row, so many pixels from the left: whether it comes from above, goes on below, turns to the box."""

    x: int
    above: bool
    below: bool
    leaves: bool = False  # it begins at this box
    arrives: bool = False  # it ends here, or turns to this box on its way


def rails(reads: Sequence[tuple[str, Sequence[str]]]) -> tuple[list[list[RailPiece]], int]:
    """The pieces of each row, and the pixels that all lanes take; ``reads`` has the steps in order with their sources.

    A step that others read has one lane, from its own row to the last that reads it. A lane that is free again is used
    for the next one.
    """
    rows = {name: row for row, (name, _) in enumerate(reads)}
    readers: dict[str, list[int]] = {}
    for row, (_, sources) in enumerate(reads):
        for source in dict.fromkeys(sources):
            if rows.get(source, row) < row:
                readers.setdefault(source, []).append(row)
    lanes = _lanes({name: (rows[name], max(readers[name])) for name in sorted(readers, key=rows.__getitem__)})
    width = LANE * max(lanes.values()) + 2 * MARGIN if lanes else 0
    pieces: list[list[RailPiece]] = [[] for _ in reads]
    for name, lane in lanes.items():
        first, last = rows[name], max(readers[name])
        for row in range(first, last + 1):
            ends = {"leaves": row == first, "arrives": row in readers[name]}
            pieces[row].append(RailPiece(width - MARGIN - LANE * lane, row > first, row < last, **ends))
    return pieces, width


def _lanes(spans: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """The first free lane for each span, in the order of their beginnings; rows may touch in one lane, not overlap."""
    free_from: list[int] = []
    lanes = {}
    for name, (first, last) in spans.items():
        lane = next((place for place, row in enumerate(free_from) if row < first), len(free_from))
        free_from[lane:] = [last, *free_from[lane + 1 :]]
        lanes[name] = lane
    return lanes
