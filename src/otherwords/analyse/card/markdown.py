"""The few elements of Markdown that a card consists of. All text from a corpus is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherwords.analyse.finding import Table, format_cell

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def plain(text: str) -> str:
    """Escape a text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def grid(titles: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> str:
    """A table whose cells are Markdown; ``numbers`` says which columns are aligned to the right."""
    rule = ["---:" if number else "---" for number in numbers]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (titles, rule, *rows))


def finding_table(table: Table) -> str:
    """A table of a finding."""
    columns = table.columns
    numbers = [column.kind in ("count", "share", "number") for column in columns]
    rows = [[plain(format_cell(cell, column)) for cell, column in zip(row, columns, strict=True)] for row in table.rows]
    return grid([plain(column.title) for column in columns], rows, numbers)


def section(title: str, *paragraphs: str) -> str:
    """A heading and its paragraphs; empty if all paragraphs are."""
    texts = [paragraph.strip("\n") for paragraph in paragraphs if paragraph.strip()]
    return "\n\n".join([f"## {title}", *texts]) + "\n" if texts else ""
