"""Our own JSON Lines: one record per line with the fields of our records, without loss.

A JSON list of objects is read as well, since many people write their rows as one; it may have other field names too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Pair, Record
from otherwords.sources.format import ALL_NOUNS, Format, Head
from otherwords.sources.io.json_stream import first_character, first_element
from otherwords.sources.io.tabular import refuse_unmarked_utf16
from otherwords.sources.rows.column_names import FieldNames
from otherwords.sources.rows.json_objects import json_objects
from otherwords.sources.rows.records import (
    TEXT_COLUMNS,
    JsonObject,
    build_foreign_record,
    build_record,
    drop_empty_fields,
    explain_json_error,
    with_normal_label,
)
from otherwords.sources.source import Source

_LINES_PER_WRITE = 2000
_EMPTY_TEXT = re.compile(rb':[ \t]*""')  # as a value; inside a text, a quote has a backslash before it


def read(source: Source) -> Iterator[Record]:
    """The records of a file. A block of lines is decoded at once; one that does not fit is decoded line by line."""
    names = FieldNames(source)
    if _is_list(source):
        yield from _read_list(source, names)
        return
    for number, block, records in _decoded_blocks(source):
        if records is None:
            yield from _decode_line_by_line(source, names, number, block)
        else:
            yield from _with_places(source, number, block, records)
    names.check_all_seen()


def read_blocks(source: Source) -> Iterator[list[Record]]:
    """The same records in blocks, as they are decoded; the log does not note where each of them was."""
    if _is_list(source) or source.actual_encoding != "utf-8":
        rows = read(source)
        while records := list(islice(rows, _LINES_PER_WRITE)):
            yield records
        return
    names = FieldNames(source)
    for number, block, decoded in _decoded_blocks(source):
        yield list(_decode_line_by_line(source, names, number, block)) if decoded is None else decoded
    names.check_all_seen()


def _is_list(source: Source) -> bool:
    return first_character(Head("", source.head())) == "["


def _decoded_blocks(source: Source) -> Iterator[tuple[int, bytes, list[Record] | None]]:
    """Blocks of lines: the number of the first line, the bytes, and the records, unless a line does not fit."""
    strict = msgspec.json.Decoder(source.record_type)
    good_labels: set[str | None] = {None}
    if source.actual_encoding == "utf-8":
        refuse_unmarked_utf16(source)
        blocks = source.byte_blocks()
    else:
        blocks = ((number, line.encode()) for number, line in source.lines())
    for number, block in blocks:
        unchanged = not source.columns and not (b'""' in block and _EMPTY_TEXT.search(block))
        yield number, block, _decode_block(strict, block, source, good_labels) if unchanged else None


def _read_list(source: Source, names: FieldNames) -> Iterator[Record]:
    """The records of a JSON list; one without an id is named after its place in the list."""
    for place, (line, row) in enumerate(json_objects(source), 1):
        try:
            record = _row_record(source, names, row, f"{source.stem}:{place}")
        except ValueError as problem:
            source.reject(line, str(problem), row)
            continue
        source.note_place(line)
        yield record
    names.check_all_seen()


def _with_places(source: Source, first: int, block: bytes, records: list[Record]) -> Iterator[Record]:
    """Note the line of each record of a block, unless an object spans several lines."""
    lines: Sequence[int] = range(first, first + block.count(b"\n") + 1)
    if len(records) != len(lines):
        lines = [number for number, line in enumerate(block.split(b"\n"), first) if line.strip()]
    log, name = source.account, source.name
    if len(records) != len(lines):
        log.place = None
        yield from records
        return
    for number, record in zip(lines, records, strict=True):
        log.place = name, number
        yield record


def _decode_block(
    strict: msgspec.json.Decoder[Any], block: bytes, source: Source, good_labels: set[str | None]
) -> list[Record] | None:
    """The records of a block with normal labels; None if a line is not one of our records.

    ``good_labels`` are those known to be right, so that each label is checked once.
    """
    try:
        records: list[Any] = strict.decode_lines(block)
        pairs = enumerate(records) if source.record_type is Pair else ()
        for place, pair in [(place, pair) for place, pair in pairs if pair.label not in good_labels]:
            records[place] = with_normal_label(pair, source.scheme)
            if records[place] is pair:
                good_labels.add(pair.label)
    except (ValueError, RecursionError):
        return None
    return records


def _decode_line_by_line(source: Source, names: FieldNames, first: int, block: bytes) -> Iterator[Record]:
    """The records of a block of which at least one line does not fit."""
    strict = msgspec.json.Decoder(source.record_type)
    for number, line in enumerate(block.split(b"\n"), first):
        if not line.strip():
            continue
        try:
            record = _line_record(source, names, strict, line, f"{source.stem}:{number}")
        except (ValueError, RecursionError) as problem:
            source.reject(
                number, explain_json_error(problem, line), line.removesuffix(b"\r").decode("utf-8", "replace")
            )
            continue
        source.note_place(number)
        yield record


def _line_record(source: Source, names: FieldNames, strict: msgspec.json.Decoder[Any], line: bytes, id: str) -> Record:
    """The record of one line: decoded directly, or built from a row with other field names."""
    if not source.columns:
        try:
            record = drop_empty_fields(strict.decode(line), id)
            return with_normal_label(record, source.scheme) if isinstance(record, Pair) else record
        except msgspec.ValidationError:
            pass
    row = msgspec.json.decode(line)
    if not isinstance(row, dict):
        raise ValueError(f"a JSON object is expected, found {str(row)[:40]!r}")
    return _row_record(source, names, row, id)


def _row_record(source: Source, names: FieldNames, row: JsonObject, id: str) -> Record:
    """The record of an object; in one with other names for the texts, a field may have our name by chance."""
    if source.record_type is not Pair:
        return build_record(source.record_type, names.rename(row), id)
    renamed, ours = names.rename_texts(row), {"text1", "text2"} <= row.keys()
    pair = build_record(Pair, renamed, id) if ours else build_foreign_record(Pair, renamed, id, source.mark)
    return with_normal_label(pair, source.scheme)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write one record per line."""
    encoder = msgspec.json.Encoder()
    rows = iter(records)
    while block := list(islice(rows, _LINES_PER_WRITE)):
        stream.write(encoder.encode_lines(block))


def sniff(head: Head) -> bool:
    """By the suffix, or by a list of objects, or a first line with two texts or the fields of one of our records."""
    if first_character(head) == "[":
        return isinstance(first_element(head), dict)
    names = head.row.keys()
    texts = any(set(pair) <= names for pair in TEXT_COLUMNS if pair != ("a", "b"))
    return head.suffix in (".jsonl", ".ndjson") or texts or {"pair", "value"} <= names


FORMAT = Format(
    "jsonl",
    "our JSON Lines, one record per line; also a JSON list of objects",
    read,
    write,
    sniff,
    suffix=".jsonl",
    nouns=ALL_NOUNS,
)
