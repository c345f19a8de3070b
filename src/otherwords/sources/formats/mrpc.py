"""The Microsoft Research Paraphrase Corpus: a TSV with byte order mark and header, in which quotes are text."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from msgspec.structs import replace

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import Layout
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows, write_plain_rows

LAYOUT = Layout(
    "mrpc",
    columns={
        "Quality": "label",
        "#1 ID": "meta.id1",
        "#2 ID": "meta.id2",
        "#1 String": "text1",
        "#2 String": "text2",
    },
    lang="en",
)


def read(source: Source) -> Iterator[Record]:
    """The pairs; the ids of the two sentences together are the id of the pair."""
    for pair in LAYOUT.pairs(source, headed(plain_rows(source), source)):
        sentences = [pair.meta[name] for name in ("id1", "id2") if name in pair.meta]
        yield replace(pair, id="-".join(sentences)) if len(sentences) == 2 else pair


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The released layout; a pair from elsewhere lends its sentences ids of its own."""
    stream.write(codecs.BOM_UTF8)
    write_plain_rows(LAYOUT.table(map(_with_sentence_ids, records)), stream)


def _with_sentence_ids(record: Record) -> Record:
    if not isinstance(record, Pair) or {"id1", "id2"} <= record.meta.keys():
        return record
    return replace(record, meta={**record.meta, "id1": f"{record.id}.1", "id2": f"{record.id}.2"})


def sniff(head: Head) -> bool:
    return bool(head.lines) and head.lines[0].rstrip().split("\t") == list(LAYOUT.columns)


FORMAT = Format(
    name="mrpc", title="Microsoft Research Paraphrase Corpus", read=read, write=write, sniff=sniff, suffix=".txt"
)
