"""Tab-separated tables of translations: two columns, or two of several that a header names.

A row is its line, the two texts, their languages if the header names them, and the other columns. A table without
header has exactly two columns. There is no quoting.
"""

from __future__ import annotations

from collections.abc import Iterator

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.sources.documents.table_rows import known_language
from otherwords.sources.format import Head
from otherwords.sources.io.tabular import column_count, plain_rows, rows_by_header
from otherwords.sources.rows.records import TEXT_COLUMNS
from otherwords.sources.source import Source

_HEADERS = (*TEXT_COLUMNS, ("source", "target"), ("src", "tgt"), ("src", "trg"), ("source_text", "target_text"))
TEXT_NAMES: dict[str, tuple[str, ...]] = {
    "text1": tuple(dict.fromkeys(first for first, _ in _HEADERS)),
    "text2": tuple(dict.fromkeys(second for _, second in _HEADERS)),
}
Row = tuple[int, tuple[str, str], tuple[str | None, str | None], dict[str, str]]


def is_table(source: Source) -> bool:
    """Whether the file starts like such a table: with two columns, or with columns that the user named."""
    lines = Head("", source.head()).lines
    if not lines or not all("\t" in line for line in lines):
        return False
    # Empty cells at the end of a line are common and do not count.
    return bool(source.columns) or not any("".join(line.split("\t")[2:]).strip() for line in lines)


def table_rows(source: Source) -> Iterator[Row]:
    """The rows of the table."""
    first = next((line.split("\t") for line in Head("", source.head()).lines), [])
    header = [cell.strip() for cell in first]
    names = _user_columns(source, header) if source.columns else _known_columns(header)
    rows = plain_rows(source)
    if names is None:
        if len(first) != 2:
            raise source.error(
                f"2 columns or a known header are expected, found {column_count(first)}; "
                "name two with --columns text1=NAME,text2=NAME",
                code="missing-column",
            )
        names, numbered = ("text1", "text2"), rows_by_header(rows, source, ["text1", "text2"])
    else:
        numbered = rows_by_header(rows, source)
    langs = known_language(names[0]), known_language(names[1])
    for line, row in numbered:
        others = {name: cell for name, cell in row.items() if name not in names and cell}
        yield line, (row[names[0]], row[names[1]]), langs, others


def _user_columns(source: Source, header: list[str]) -> tuple[str, str]:
    for field in source.columns:
        if field not in ("text1", "text2"):
            raise UsageError(f"--columns {field}: the fields of a bitext are text1 and text2", code="no-such-field")
    names = source.columns.get("text1", "text1"), source.columns.get("text2", "text2")
    for name in names:
        if name not in header:
            raise source.error(f"no column {name!r}{suggest(name, header)}", code="missing-column")
    return names


def _known_columns(header: list[str]) -> tuple[str, str] | None:
    """The names of the two text columns, if this is a header: usual names, or two languages."""
    lower = {name.lower(): name for name in header}
    for name1, name2 in _HEADERS:
        if name1 in lower and name2 in lower:
            return lower[name1], lower[name2]
    if len(header) == 2 and header[0] != header[1] and all(known_language(name) for name in header):
        return header[0], header[1]
    return None
