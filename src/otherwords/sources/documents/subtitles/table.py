"""A table that says what each subtitle file is, for collections whose file names do not.

In goes a CSV, TSV or JSON Lines file with a column ``file`` and any of movie, series, season, episode,
year, version and lang; out come facts by file. A file is found by its path inside the folder, by its
name, or by its name without suffixes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.sources.documents.subtitles.naming import Facts
from otherwords.sources.documents.table_rows import Names, Row, rows, word
from otherwords.sources.files import bare_stem
from otherwords.sources.source import Source

_NAMES: Names = {
    "file": ("file", "filename", "path", "name"),
    "movie": ("movie", "film", "title"),
    "series": ("series", "show"),
    "season": ("season",),
    "episode": ("episode",),
    "year": ("year",),
    "version": ("version",),
    "lang": ("lang", "language"),
}
_NUMBERS = ("season", "episode", "year")
_FACTS = ("movie", "series", *_NUMBERS, "version", "lang")


@dataclass(slots=True)
class FactsTable:
    """Facts by file name, and which of them were asked for."""

    facts: dict[str, Facts] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def about(self, path: Path) -> Facts | None:
        """The facts about a file; None if the table has none."""
        for key in (path.as_posix(), path.name, bare_stem(path)):
            if key in self.facts:
                self.used.add(key)
                return self.facts[key]
        return None

    @property
    def unused(self) -> int:
        return len(self.facts.keys() - self.used)


def facts_table(source: Source, path: object) -> FactsTable:
    """The table at a path that the user named."""
    if not isinstance(path, str | Path):
        raise UsageError(f"the option table is the path of a file, not {path!r}")
    there = replace(source.beside(Path(path)), columns={})
    table = FactsTable()
    for number, row in rows(there, _NAMES):
        name = word(row, "file")
        if name is None:
            raise there.error("no column file, which says which file a row is about", number)
        if name in table.facts:
            raise there.error(f"the file {name!r} is in the table twice", number)
        table.facts[name] = _facts(there, number, row)
    return table


def _facts(there: Source, number: int, row: Row) -> Facts:
    cells = {name: word(row, name) for name in _FACTS}
    numbers: dict[str, int | None] = {}
    for name in _NUMBERS:
        cell = cells.pop(name)
        if cell is not None and not (cell.isdecimal() and len(cell) < 7):
            raise there.error(f"{name}: {cell!r} is not a whole number", number)
        numbers[name] = None if cell is None else int(cell)
    return Facts(**cells, **numbers)  # type: ignore[arg-type]
