"""CSV and TSV with our field names, or with anyone's: the columns of the two texts are found or named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.registry import suggest
from otherwords.sources.flat import columns_of, flatten, unflatten
from otherwords.sources.format import Format, Head
from otherwords.sources.rows import TEXT_COLUMNS, check_label, record_of
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

OTHER_NAMES = {
    "judgement": {"item": "pair", "label": "value"},
    "pair": {"gold_label": "label", "is_duplicate": "label"},
}
PEEK = 1000


def read(source: Source, delimiter: str) -> Iterator[Record]:
    """The records of a table with a header."""
    names: dict[str, str] | None = None
    for number, row in headed(quoted_rows(source, delimiter), source):
        if names is None:
            names = renaming(source, list(row))
        try:
            loose = unflatten(source.wanted, {names.get(name, name): cell for name, cell in row.items()})
            record = record_of(source.wanted, loose, f"{source.stem}:{number}")
            if isinstance(record, Pair):
                check_label(record, source.scheme)
        except ValueError as problem:
            source.reject(number, str(problem), row)
            continue
        yield record


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
    displaced = {field for field in names.values() if field in header and field not in names}
    return names | {field: f"{field} (unused)" for field in displaced}


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


def _sniff(delimiter: str, suffix: str) -> Callable[[Head], bool]:
    def sniff(head: Head) -> bool:
        if head.suffix == suffix:
            return True
        return bool(head.lines) and {"text1", "text2"} <= set(head.lines[0].split(delimiter))

    return sniff


def _table(name: str, title: str, delimiter: str) -> Format:
    return Format(
        name=name,
        title=title,
        read=partial(read, delimiter=delimiter),
        write=partial(write, delimiter=delimiter),
        sniff=_sniff(delimiter, "." + name),
        suffix="." + name,
        nouns=(Pair, Judgement, Document, DocumentPair),
    )


CSV = _table("csv", "comma-separated table with a header", ",")
TSV = _table("tsv", "tab-separated table with a header", "\t")
