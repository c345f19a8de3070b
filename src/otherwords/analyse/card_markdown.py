"""The few things of Markdown that a card is made of. Whatever comes from a corpus is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherwords.analyse.finding import Table, shown

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def plain(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def grid(titles: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> str:
    """A table; the cells are Markdown already."""
    rule = ["---:" if number else "---" for number in numbers]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (titles, rule, *rows))


def table(found: Table) -> str:
    """A table of a finding."""
    numbers = [column.kind in ("count", "share", "number") for column in found.columns]
    rows = [[plain(shown(cell, column)) for cell, column in zip(row, found.columns, strict=True)] for row in found.rows]
    return grid([plain(column.title) for column in found.columns], rows, numbers)


def section(title: str, *paragraphs: str) -> str:
    """A heading and what stands under it; nothing where nothing does."""
    told = [paragraph.strip("\n") for paragraph in paragraphs if paragraph.strip()]
    return "\n\n".join([f"## {title}", *told]) + "\n" if told else ""
