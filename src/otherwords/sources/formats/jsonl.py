"""Our own JSON Lines: one record a line, fields as CONVENTIONS name them, nothing lost on the way through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import msgspec

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.rows import check_label, plain, record_of
from otherwords.sources.source import Source

_LINES_A_WRITE = 2000


def read(source: Source) -> Iterator[Record]:
    """The records of a file; lines that do not fit the strict record take the slower, forgiving way."""
    strict = msgspec.json.Decoder(source.wanted)
    loose = msgspec.json.Decoder()
    lines = source.byte_lines() if source.encoding is None else ((n, t.encode()) for n, t in source.lines())
    for number, line in lines:
        if not line.strip():
            continue
        try:
            try:
                record = strict.decode(line)
            except msgspec.ValidationError:
                row = loose.decode(line)
                if not isinstance(row, dict):
                    raise ValueError("a JSON object is expected") from None
                record = record_of(source.wanted, row, f"{source.stem}:{number}")
            if isinstance(record, Pair):
                check_label(record, source.scheme)
        except (ValueError, msgspec.DecodeError) as problem:
            source.reject(number, _reason(problem), line.decode("utf-8", "replace"))
            continue
        yield record


def _reason(problem: Exception) -> str:
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
