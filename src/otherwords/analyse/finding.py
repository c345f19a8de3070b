"""What an analysis says: tables with exact numbers, figures that show them, and what they depend on.

Every command that analyses prints findings, ``--json`` and ``--csv`` write them, the report lays them out. A table
holds plain values; how a value looks to a person follows from the kind of its column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["text", "count", "share", "number", "pair"]  # a share is between 0 and 1, shown in per cent
Cell = str | int | float | bool | None
Spec = dict[str, Any]  # a Vega-Lite description, without its schema and configuration


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its key in JSON and CSV, what people read above it, and what it holds."""

    name: str
    title: str
    kind: Kind = "text"
    digits: int = 2  # of a number or a share, for people; files have them all


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns."""

    name: str  # unique within a finding; also the name of its file
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def as_dicts(self) -> list[dict[str, Cell]]:
        """Its rows by the names of the columns."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of some of the numbers; the title says what is to be seen, also to who cannot see it."""

    name: str
    title: str
    spec: Spec


@dataclass(frozen=True, slots=True)
class Example:
    """A pair that shows what a label or a pattern is."""

    id: str
    text1: str
    text2: str
    label: str | None
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Examples:
    """Some pairs of one label or pattern."""

    of: str
    pairs: Sequence[Example]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one analysis says of one corpus, or of several beside each other."""

    name: str
    title: str
    about: str  # one or two sentences: what is measured, by which definition, and of which paper
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    examples: Sequence[Examples] = ()
    remarks: Sequence[str] = ()  # what was left out, and why
    signatures: dict[str, str] = field(default_factory=dict)  # of each number: all that it depends on

    def as_dict(self) -> dict[str, Any]:
        """Its JSON form: tables by name; figures are files of their own."""
        return {
            "analysis": self.name,
            "title": self.title,
            "tables": {table.name: table.as_dicts() for table in self.tables},
            "remarks": list(self.remarks),
            "signatures": self.signatures,
        }


def shown(cell: Cell, column: Column) -> str:
    """A value as people read it in a table."""
    if cell is None:
        return "–"
    if isinstance(cell, bool | str):
        return str(cell)
    if column.kind == "share":
        return f"{100 * cell:.{max(column.digits - 1, 0)}f} %"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.{column.digits}f}"
