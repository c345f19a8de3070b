"""CSV and TSV with our field names, or with anyone's: the columns of the two texts are found or named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.registry import suggest
from otherwords.sources.flat import columns_of, flatten, is_ours, reader_of
from otherwords.sources.format import Format, Head
from otherwords.sources.naming import displaced
from otherwords.sources.rows import TEXT_COLUMNS, checked_label
from otherwords.sources.source import Source
from otherwords.sources.tabular import cells_of, delimiter_of, headed, header_of, quoted_rows, write_rows

OTHER_NAMES = {
    "judgement": {"item": "pair", "label": "value"},
    "pair": {"gold_label": "label", "is_duplicate": "label"},
}
PEEK = 1000


def read_csv(source: Source) -> Iterator[Record]:
    """The records of a table with commas; with semicolons, where the header has these and no comma."""
    yield from _read(source, delimiter_of(source), 0)


def read_tsv(source: Source) -> Iterator[Record]:
    """The records of a table with tabs. In one that is not ours a quote need not mean anything."""
    header = header_of(source, "\t")
    yield from _read(source, "\t", 0 if is_ours(source.wanted, header) else len(header))


def _read(source: Source, delimiter: str, width: int) -> Iterator[Record]:
    record_of: Callable[[dict[str, Any], str], Record] | None = None
    for number, row in headed(quoted_rows(source, delimiter, width), source):
        if record_of is None:
            record_of = records_of(source, list(row))
        try:
            record = record_of(row, f"{source.stem}:{number}")
        except ValueError as problem:
            source.reject(number, str(problem), row)
            continue
        source.at(number)
        yield record


def records_of(source: Source, header: list[str]) -> Callable[[dict[str, Any], str], Record]:
    """What makes a record of a row of this table, and an id for a row without one; ValueError if none can be made."""
    names = renaming(source, header)
    flat = reader_of(source.wanted, header, source.mark)

    def record_of(row: dict[str, Any], default_id: str) -> Record:
        record = flat({names.get(name, name): cell for name, cell in row.items()}, default_id)
        return checked_label(record, source.scheme) if isinstance(record, Pair) else record

    return record_of


def renaming(source: Source, header: list[str]) -> dict[str, str]:
    """From the table's column names to our field names."""
    for field, column in source.columns.items():
        if column not in header:
            raise source.error(f"no column {column!r} for {field}{suggest(column, header)}")
    names = {column: field for field, column in source.columns.items()}
    if source.wanted is Pair:
        names |= _text_columns(source, header, {"text1", "text2"} - set(names.values()))
    for other, field in OTHER_NAMES.get(source.wanted.__name__.lower(), {}).items():
        if other in header and field not in header and field not in names.values():
            names[other] = field
    _refuse_missing(source, header, {*header, *names.values()})
    return names | displaced(names, header)


def _refuse_missing(source: Source, header: list[str], known: set[str]) -> None:
    """Every row would lack what no column is for."""
    needed = [field.name for field in msgspec.structs.fields(source.wanted) if field.required and field.name != "id"]
    if missing := [name for name in needed if name not in known]:
        named = ",".join(f"{name}=…" for name in missing)
        raise source.error(
            f"no column for {' and '.join(missing)} among: {', '.join(header)}; name them with --columns {named}"
        )


def _text_columns(source: Source, header: list[str], unnamed: set[str]) -> dict[str, str]:
    """The columns of the texts that the user has not named."""
    if unnamed <= set(header):
        return {}
    by_lower = {column.lower(): column for column in header}
    found = next((pair for pair in TEXT_COLUMNS if set(pair) <= by_lower.keys()), None)
    if found is None or len(unnamed) < 2:
        raise source.error(
            f"no columns for the two texts among: {', '.join(header)}; name them with --columns text1=…,text2=…"
        )
    return {by_lower[found[0]]: "text1", by_lower[found[1]]: "text2"}


def write(records: Iterable[Record], stream: BinaryIO, delimiter: str) -> None:
    """A header with all fields, then a row a record."""
    rows = iter(records)
    first = list(islice(rows, PEEK))
    kind = type(first[0]) if first else Pair
    columns = columns_of(kind, first)
    cells = (map(_cell, flatten(record, columns)) for record in chain(first, rows))
    write_rows(chain([columns], cells), stream, delimiter)


def _cell(value: object) -> object:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _sniff(suffix: str, *delimiters: str) -> Callable[[Head], bool]:
    def sniff(head: Head) -> bool:
        """By the suffix, or by a header with two columns that people call texts by."""
        if head.suffix == suffix:
            return True
        first = head.lines[0] if head.lines else ""
        headers = ({name.strip().lower() for name in cells_of(first, delimiter)} for delimiter in delimiters)
        return any(set(pair) <= header for header in headers for pair in TEXT_COLUMNS if pair != ("a", "b"))

    return sniff


_NOUNS = (Pair, Judgement, Document, DocumentPair)
CSV = Format(
    name="csv",
    title="comma-separated table with a header",
    read=read_csv,
    write=partial(write, delimiter=","),
    sniff=_sniff(".csv", ",", ";"),
    suffix=".csv",
    nouns=_NOUNS,
)
TSV = Format(
    name="tsv",
    title="tab-separated table with a header",
    read=read_tsv,
    write=partial(write, delimiter="\t"),
    sniff=_sniff(".tsv", "\t"),
    suffix=".tsv",
    nouns=_NOUNS,
)
