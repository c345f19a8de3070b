"""A table of translations: tab-separated, two columns, or two of several that a header names.

In goes a source, out come rows: line, the two texts, their languages where the header tells, and the
other columns. Without a header a table has exactly two columns; nothing in it is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.sources.format import Head
from otherwords.sources.rows import TEXT_COLUMNS
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows
from otherwords.text.languages import language, language_name

_HEADERS = (*TEXT_COLUMNS, ("source", "target"), ("src", "tgt"), ("src", "trg"), ("source_text", "target_text"))
Row = tuple[int, tuple[str, str], tuple[str | None, str | None], dict[str, str]]


def is_table(source: Source) -> bool:
    """Whether the file starts like such a table: two columns throughout, or columns that the user named."""
    lines = Head("", source.head()).lines
    return bool(lines) and all("\t" in line for line in lines) and (bool(source.columns) or all(map(_is_pair, lines)))


def _is_pair(line: str) -> bool:
    """Two cells; empty ones beyond them are common at the ends of rows."""
    return not "".join(line.split("\t")[2:]).strip()


def table_rows(source: Source) -> Iterator[Row]:
    """The rows of the table."""
    first = next((line.split("\t") for line in Head("", source.head()).lines), [])
    header = [cell.strip() for cell in first]
    names = _named(source, header) if source.columns else _known(header)
    rows = plain_rows(source)
    if names is None:
        if len(first) != 2:
            raise source.error(
                f"{len(first)} columns and no known header; name two with --columns text1=NAME,text2=NAME"
            )
        names, numbered = ("text1", "text2"), headed(rows, source, ["text1", "text2"])
    else:
        numbered = headed(rows, source)
    langs = _language(names[0]), _language(names[1])
    for line, row in numbered:
        others = {name: cell for name, cell in row.items() if name not in names and cell}
        yield line, (row[names[0]], row[names[1]]), langs, others


def _named(source: Source, header: list[str]) -> tuple[str, str]:
    for field in source.columns:
        if field not in ("text1", "text2"):
            raise UsageError(f"--columns {field}: the columns of a bitext are text1 and text2")
    names = source.columns.get("text1", "text1"), source.columns.get("text2", "text2")
    for name in names:
        if name not in header:
            raise source.error(f"no column {name!r}{suggest(name, header)}")
    return names


def _known(header: list[str]) -> tuple[str, str] | None:
    """The names of the two columns of texts, if this is a header: known names, or two languages."""
    lower = {name.lower(): name for name in header}
    for one, other in _HEADERS:
        if one in lower and other in lower:
            return lower[one], lower[other]
    if len(header) == 2 and header[0] != header[1] and all(_language(name) for name in header):
        return header[0], header[1]
    return None


def _language(name: str) -> str | None:
    """The language that a column is called by; None if it is none that we know by name."""
    try:
        code = language(name)
    except UsageError:
        return None
    return code if language_name(code) != code else None
