"""Suzuki et al. 2017, Japanese pairs from several MT systems: a TSV already cut into words by blanks.

The English source sentence is empty where two sentences of Wikipedia were drawn at random (§3.3); an
older file labels these −1. They are negatives, so here their label is 0 in either file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from msgspec.structs import replace

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import BINARY, Layout
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows, write_plain_rows

LAYOUT = Layout(
    "tmup",
    columns={
        "label": "label",
        "sentence_A_ja": "text1",
        "sentence_B_ja": "text2",
        "source_sentence_en": "meta.source_sentence",
    },
    lang="ja",
    labels=("-1", *BINARY),
    meta={"tokeniser": "blank"},
)


def read(source: Source) -> Iterator[Record]:
    """The pairs; those drawn at random have ``meta.origin`` random."""
    for pair in LAYOUT.pairs(source, headed(plain_rows(source), source)):
        yield _negative(source, pair) if _drawn_at_random(pair) else pair


def _drawn_at_random(pair: Pair) -> bool:
    return pair.label == "-1" or not pair.meta.get("source_sentence", "").strip()


def _negative(source: Source, pair: Pair) -> Pair:
    meta = {**pair.meta, "origin": "random"}
    if pair.label != "-1":
        return replace(pair, meta=meta)
    source.mark("label -1, read as 0")
    return replace(pair, label="0", meta={**meta, "label": "-1"})


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The released layout, with 0 and 1."""
    write_plain_rows(dataclasses.replace(LAYOUT, labels=BINARY).table(records), stream)


def sniff(head: Head) -> bool:
    return bool(head.lines) and head.lines[0].rstrip().split("\t") == list(LAYOUT.columns)


FORMAT = Format(
    name="tmup", title="Japanese pairs from several MT systems (Suzuki et al.)", read=read, write=write, sniff=sniff
)
