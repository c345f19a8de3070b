"""Our own JSON Lines: one record a line, fields as CONVENTIONS name them, nothing lost on the way through."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.naming import Naming
from otherwords.sources.rows import TEXT_COLUMNS, checked_label, foreign_record, record_of, settled, why_not_json
from otherwords.sources.source import Source
from otherwords.sources.tabular import refuse_unmarked_utf16

_LINES_A_WRITE = 2000
_EMPTY_TEXT = re.compile(rb':[ \t]*""')  # as a value; inside of a text a quote has a backslash before it


def read(source: Source) -> Iterator[Record]:
    """The records of a file. A block of lines is decoded at once; one that does not fit is read line by line."""
    strict = msgspec.json.Decoder(source.wanted)
    naming = Naming(source)
    good: set[str | None] = {None}
    for number, block in _blocks(source):
        as_it_stands = not source.columns and not (b'""' in block and _EMPTY_TEXT.search(block))
        records = _at_once(strict, block, source, good) if as_it_stands else None
        yield from (
            _careful(source, naming, number, block) if records is None else _placed(source, number, block, records)
        )
    naming.check()


def _placed(source: Source, first: int, block: bytes, records: list[Record]) -> Iterator[Record]:
    """The records of a block with their places; none are told where an object goes on over several lines."""
    lines: Sequence[int] = range(first, first + block.count(b"\n") + 1)
    if len(records) != len(lines):
        lines = [number for number, line in enumerate(block.split(b"\n"), first) if line.strip()]
    account, name = source.account, source.name
    if len(records) != len(lines):
        account.place = None
        yield from records
        return
    for number, record in zip(lines, records, strict=True):
        account.place = name, number
        yield record


def _at_once(
    strict: msgspec.json.Decoder[Any], block: bytes, source: Source, good: set[str | None]
) -> list[Record] | None:
    """The records of a block in which every line is ours; None if one is not."""
    try:
        records: list[Record] = strict.decode_lines(block)
        if source.wants_pairs:
            _spell_labels(records, source, good)
    except (ValueError, RecursionError):
        return None
    return records


def _spell_labels(pairs: list[Any], source: Source, good: set[str | None]) -> None:
    """Look at every label once; ``good`` is what was found to be spelled right so far."""
    for place in [place for place, pair in enumerate(pairs) if pair.label not in good]:
        pair = pairs[place]
        pairs[place] = checked_label(pair, source.scheme)
        if pairs[place] is pair:
            good.add(pair.label)


def _careful(source: Source, naming: Naming, first: int, block: bytes) -> Iterator[Record]:
    """The records of lines of which one at least is not as it should be."""
    strict = msgspec.json.Decoder(source.wanted)
    for number, line in enumerate(block.split(b"\n"), first):
        if not line.strip():
            continue
        try:
            record = _record(source, naming, strict, line, f"{source.stem}:{number}")
            if isinstance(record, Pair):
                record = checked_label(record, source.scheme)
        except (ValueError, RecursionError) as problem:
            source.reject(number, why_not_json(problem, line), line.removesuffix(b"\r").decode("utf-8", "replace"))
            continue
        source.at(number)
        yield record


def _record(source: Source, naming: Naming, strict: msgspec.json.Decoder[Any], line: bytes, id: str) -> Record:
    """One line: ours as it stands, or made of a row under the names that the user or the fields tell."""
    if not source.columns:
        try:
            record: Record = strict.decode(line)
            return settled(record, id)
        except msgspec.ValidationError:
            pass
    row = msgspec.json.decode(line)
    if not isinstance(row, dict):
        raise ValueError("a JSON object is expected")
    if not source.wants_pairs:
        return record_of(source.wanted, naming.fields(row), id)
    if {"text1", "text2"} <= row.keys():
        return record_of(Pair, naming.texts(row), id)
    return foreign_record(Pair, naming.texts(row), id, source.mark)


def _blocks(source: Source) -> Iterator[tuple[int, bytes]]:
    if source.actual_encoding == "utf-8":
        refuse_unmarked_utf16(source)
        return source.byte_blocks()
    return ((number, line.encode()) for number, line in source.lines())


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """One record a line."""
    encoder = msgspec.json.Encoder()
    rows = iter(records)
    while block := list(islice(rows, _LINES_A_WRITE)):
        stream.write(encoder.encode_lines(block))


def sniff(head: Head) -> bool:
    """An object a line: by the suffix, or by the fields of one of our records or of two texts in the first."""
    names = head.row.keys()
    texts = any(set(pair) <= names for pair in TEXT_COLUMNS if pair != ("a", "b"))
    return head.suffix in (".jsonl", ".ndjson") or texts or {"pair", "value"} <= names


FORMAT = Format(
    name="jsonl",
    title="our JSON Lines, one record a line",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".jsonl",
    nouns=(Pair, Judgement, Document, DocumentPair),
)
