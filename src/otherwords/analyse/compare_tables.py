"""Tables of several corpora beside each other.

In go the tables that an analysis gave of each corpus, out comes one with a column a corpus. Rows are matched by what
they begin with: a label, a pattern, a range. Of the numbers the one stands here that can be compared
between corpora of any size: a share where there is one, else a mean, else a count; the files of each corpus have all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from otherwords.analyse.finding import Cell, Column, Table, shown

RANGES = ("from", "to")
COMPARABLE = ("share", "number", "count")  # the first of these that a table has
Key = tuple[Cell, ...]


def side_by_side(tables: Mapping[str, Table]) -> Table | None:
    """One table of those that several corpora have under one name; None where there are no numbers to compare."""
    first = next(iter(tables.values()))
    keys = list(takewhile(_is_key, first.columns))
    value = comparable(first.columns[len(keys) :])
    if value is None:
        return None
    if not keys:
        return _turned(tables) if all(len(table.rows) == 1 for table in tables.values()) else None
    rows = {name: _by_key(table, [column.name for column in keys], value.name) for name, table in tables.items()}
    order = dict.fromkeys(key for told in rows.values() for key in told)
    columns = [*keys, *(Column(name, name, value.kind, value.digits) for name in tables)]
    title = f"{first.title}: {value.title}" if value.title != first.title else first.title
    return Table(first.name, title, columns, [(*key, *(told.get(key) for told in rows.values())) for key in order])


def comparable(columns: Sequence[Column]) -> Column | None:
    """The column that is put beside that of other corpora."""
    return next((column for kind in COMPARABLE for column in columns if column.kind == kind), None)


def _is_key(column: Column) -> bool:
    return column.kind in ("text", "pair") or column.name in RANGES


def _by_key(table: Table, keys: Sequence[str], value: str) -> dict[Key, Cell]:
    return {tuple(row.get(key) for key in keys): row.get(value) for row in table.as_dicts()}


def _turned(tables: Mapping[str, Table]) -> Table:
    """Tables of one row, turned by a right angle: what a number is stands before it."""
    first = next(iter(tables.values()))
    columns = [Column("what", ""), *(Column(name, name, "number") for name in tables)]
    told = [table.as_dicts()[0] for table in tables.values()]
    rows = [(column.title, *(shown(row.get(column.name), column) for row in told)) for column in first.columns]
    return Table(first.name, first.title, columns, rows)
