"""Our own JSON Lines: one record a line, fields as CONVENTIONS name them, nothing lost on the way through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.rows import TEXT_COLUMNS, check_label, plain, record_of
from otherwords.sources.source import Source

_LINES_A_WRITE = 2000


def read(source: Source) -> Iterator[Record]:
    """The records of a file. A block of lines is decoded at once; one that does not fit is read line by line."""
    strict = msgspec.json.Decoder(source.wanted)
    good: set[str | None] = {None}
    for number, block in _blocks(source):
        try:
            records = strict.decode_lines(block)
            if source.wants_pairs:
                _check_labels(records, source, good)
        except (ValueError, RecursionError):
            yield from _careful(source, number, block)
        else:
            yield from records


def _check_labels(pairs: list[Any], source: Source, good: set[str | None]) -> None:
    """Look at every label once; ``good`` is what was found to be right so far."""
    for pair in pairs:
        if pair.label not in good:
            check_label(pair, source.scheme)
            good.add(pair.label)


def _careful(source: Source, first: int, block: bytes) -> Iterator[Record]:
    """The records of lines of which one at least is not as it should be."""
    strict = msgspec.json.Decoder(source.wanted)
    loose = msgspec.json.Decoder()
    for number, line in enumerate(block.split(b"\n"), first):
        if not line.strip():
            continue
        try:
            try:
                record = strict.decode(line)
            except msgspec.ValidationError:
                row = loose.decode(line)
                if not isinstance(row, dict):
                    raise ValueError("a JSON object is expected") from None
                record = record_of(source.wanted, _renamed(source, row), f"{source.stem}:{number}")
            if isinstance(record, Pair):
                check_label(record, source.scheme)
        except (ValueError, RecursionError) as problem:
            source.reject(number, _reason(problem), line.removesuffix(b"\r").decode("utf-8", "replace"))
            continue
        yield record


def _renamed(source: Source, row: dict[str, Any]) -> dict[str, Any]:
    """The row under our field names, where the user said or the names tell which fields are the texts."""
    names = {column: field for field, column in source.columns.items()}
    if source.wanted is Pair and not {"text1", "text2"} <= set(names.values()) | row.keys():
        found = next((pair for pair in TEXT_COLUMNS if set(pair) <= row.keys()), ())
        names |= dict(zip(found, ("text1", "text2"), strict=False))
    displaced = {field: f"{field} (unused)" for field in names.values() if field in row and field not in names}
    names |= displaced
    return {names.get(name, name): value for name, value in row.items()} if names else row


def _blocks(source: Source) -> Iterator[tuple[int, bytes]]:
    if source.actual_encoding == "utf-8":
        return source.byte_blocks()
    return ((number, line.encode()) for number, line in source.lines())


def _reason(problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return "not UTF-8; if it is another encoding, name it with --encoding"
    if isinstance(problem, msgspec.DecodeError) and not isinstance(problem, msgspec.ValidationError):
        return f"not JSON: {problem}"
    return plain(problem)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """One record a line."""
    encoder = msgspec.json.Encoder()
    rows = iter(records)
    while block := list(islice(rows, _LINES_A_WRITE)):
        stream.write(encoder.encode_lines(block))


def sniff(head: Head) -> bool:
    """Ours if the first line is an object with the fields of one of our records."""
    row = head.row
    return head.suffix in (".jsonl", ".ndjson") or {"text1", "text2"} <= row.keys() or {"pair", "value"} <= row.keys()


FORMAT = Format(
    name="jsonl",
    title="our JSON Lines, one record a line",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".jsonl",
    nouns=(Pair, Judgement, Document, DocumentPair),
)
