"""The user's table of facts about subtitle files, for collections whose file names do not have them.

It is a CSV, TSV, Excel or JSON Lines file with a column ``file`` and any of movie, series, season, episode, year,
version and lang. A file is found by its path inside the folder, by its name, or by its name without suffixes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.sources.documents.subtitles.naming import Facts
from otherwords.sources.documents.table_rows import Names, Row, cell_text, named_rows
from otherwords.sources.io.files import bare_stem
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
TABLE_HELP = "a table about the files, for names that say too little: a column `file` and any of " + ", ".join(
    f"`{name}`" for name in _NAMES if name != "file"
)
_NUMBERS = ("season", "episode", "year")
_FACTS = ("movie", "series", *_NUMBERS, "version", "lang")


@dataclass(slots=True)
class FactsTable:
    """Facts by file name, and which of them were used."""

    facts: dict[str, Facts] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def about(self, path: Path) -> Facts | None:
        """The facts about a file; None if the table has none."""
        for key in (path.as_posix(), path.name, bare_stem(path)):
            if key in self.facts:
                self.used.add(key)
                return self.facts[key]
        return None


def facts_table(source: Source, path: object) -> FactsTable:
    """Read the table at the path that the user named."""
    if not isinstance(path, str | Path):
        raise UsageError(f"subtitles: the path of a file is expected for table, found {path!r}", code="bad-option")
    table_source = replace(source.sibling(Path(path)), columns={})
    table = FactsTable()
    for number, row in named_rows(table_source, _NAMES):
        name = cell_text(row, "file")
        if name is None:
            message = "the name of a file is expected in the column file, and there is none"
            raise table_source.error(message, number, code="missing-column")
        if name in table.facts:
            message = f"the file {name!r} is in the table twice; remove one of its rows"
            raise table_source.error(message, number, code="duplicate-file")
        table.facts[name] = _facts(table_source, number, row)
    return table


def _facts(source: Source, number: int, row: Row) -> Facts:
    cells = {name: cell_text(row, name) for name in _FACTS}
    numbers: dict[str, int | None] = {}
    for name in _NUMBERS:
        cell = cells.pop(name)
        if cell is not None and not (cell.isdecimal() and len(cell) < 7):
            raise source.error(f"{name}: a whole number is expected, found {cell!r}", number, code="bad-number")
        numbers[name] = None if cell is None else int(cell)
    return Facts(**cells, **numbers)  # type: ignore[arg-type]
