"""An item of a paper: a number that it prints, and how it is recomputed from the released data or why it cannot be.

A paper is a list of items and a rule by which its files are recognised. What an item recomputes it takes from the
analyses of this room; nothing here says what should come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otherwords.analyse.reproduce.recomputed import Recomputed

if TYPE_CHECKING:
    from otherwords.analyse.reproduce.materials import Materials

BLANK = ("", "-", "–")  # cells of a printed table without a number
NO_DATA = "nothing but the paper"


Compute = Callable[["Materials"], Recomputed | None]


@dataclass(frozen=True, slots=True)
class PaperItem:
    """A number of a paper. Without ``compute``, ``needs`` is what is not released; with it, what has to be there."""

    place: str  # Table 1
    row: str
    column: str
    printed: str | None  # as the paper prints it; None where it is only drawn
    compute: Compute | None = None
    needs: str = ""
    step: float | None = None  # the precision, where the digits do not say
    because: str = ""  # why the released data give another number, where that is known
    within: float = 0.0  # how far that reason reaches
    definition: str = ""  # in what our definition differs from the paper's, or rests on a reading of it


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of file that a paper's numbers come from."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file is to a paper; without a role, why it is not used."""

    role: str | None
    about: str
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its items, the files that it needs, and how they are recognised."""

    name: str
    title: str
    items: Sequence[PaperItem]
    roles: Sequence[Role]
    recognise: Callable[[Path, str], Recognised | None]  # a file and its format; None: nothing of this paper


def printed_rows(table: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table as it stands in the code: the name of a row, a bar, and its cells with bars between."""
    for line in table.strip().splitlines():
        name, *cells = (cell.strip() for cell in line.split("|"))
        yield name, cells


def grid(
    place: str,
    columns: Sequence[str],
    table: str,
    compute: Callable[[str, str], Compute | None] = lambda row, column: None,
    needs: Callable[[str, str], str] = lambda row, column: "",
    **others: str | float,
) -> list[PaperItem]:
    """The items of a printed table; ``compute`` and ``needs`` are asked for each row and column."""
    items = []
    for row, cells in printed_rows(table):
        for column, cell in zip(columns, cells, strict=True):
            if cell not in BLANK:
                how = compute(row, column)
                items.append(PaperItem(place, row, column, cell, how, needs(row, column), **others))  # type: ignore[arg-type]
    return items
