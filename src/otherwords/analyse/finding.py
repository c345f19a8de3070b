"""The result of an analysis: tables with exact numbers, figures that show them, and signatures of what they depend on.

Commands print findings, ``--json`` and ``--csv`` write them, the report lays them out. A table holds plain values; how
a value is displayed follows from the kind of its column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ColumnKind = Literal["text", "count", "share", "number", "pair"]  # a share is between 0 and 1, shown in per cent
Cell = str | int | float | bool | None
Spec = dict[str, Any]  # a Vega-Lite specification without its schema and configuration


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its key in JSON and CSV, its heading, and the kind of its values."""

    name: str
    title: str
    kind: ColumnKind = "text"
    digits: int = 2  # of a number or a share on display; files have all of them


LABEL, PAIRS = Column("label", "label"), Column("pairs", "pairs", "count")


def plain_columns(kind: ColumnKind, *names: str) -> list[Column]:
    """Columns of one kind whose headings are their names."""
    return [Column(name, name.replace("_", " "), kind) for name in names]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns."""

    name: str  # unique within a finding; also the name of its file
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def as_dicts(self) -> list[dict[str, Cell]]:
        """The rows as dictionaries by column name."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of some numbers; the title also serves readers who cannot see it, the caption says how to read it."""

    name: str
    title: str
    spec: Spec
    caption: str


@dataclass(frozen=True, slots=True)
class Example:
    """A pair that illustrates a label or a pattern."""

    id: str
    text1: str
    text2: str
    label: str | None
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Examples:
    """Some pairs of one label or pattern."""

    heading: str  # the label or pattern
    pairs: Sequence[Example]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one analysis of one corpus, or of a comparison of several."""

    name: str
    title: str
    about: str  # one or two sentences: what is measured, by which definition, from which paper
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    examples: Sequence[Examples] = ()
    remarks: Sequence[str] = ()  # what was left out, and why
    signatures: dict[str, str] = field(default_factory=dict)  # by table or column: all that its numbers depend on
    headlines: Sequence[str] = ()  # the result in a sentence, to be quoted

    def as_dict(self) -> dict[str, object]:
        """The JSON form: tables by name; figures are separate files."""
        return {
            "analysis": self.name,
            "title": self.title,
            "headlines": list(self.headlines),
            "tables": {table.name: table.as_dicts() for table in self.tables},
            "remarks": list(self.remarks),
            "signatures": self.signatures,
        }


def format_cell(cell: Cell, column: Column) -> str:
    """A value as it is displayed in a table."""
    if cell is None:
        return "–"
    if isinstance(cell, bool | str):
        return str(cell)
    if column.kind == "share":
        return f"{100 * cell:.{max(column.digits - 1, 0)}f} %"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.{column.digits}f}"


def quantity(number: int, noun: str) -> str:
    """A number with its noun: 1 pair, 2 pairs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
