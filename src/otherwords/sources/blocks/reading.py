"""The pairs of an open corpus in blocks: as columns from Parquet to Parquet, else as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import cast

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.records import Pair
from otherwords.sources.blocks.block import ColumnBlock, PairBlock, RecordBlock, ScoredBlock
from otherwords.sources.blocks.parquet_columns import parquet_blocks
from otherwords.sources.blocks.parquet_groups import write_groups
from otherwords.sources.format import Format
from otherwords.sources.formats.jsonl import read_blocks
from otherwords.sources.io.files import atomic_write
from otherwords.sources.reading import RecordReader, format_for, write_records

PAIRS_PER_BLOCK = 4096
JSONL, PARQUET = "jsonl", "parquet"


def read_pair_blocks(corpus: RecordReader, target: Format | None = None) -> Iterator[PairBlock]:
    """The pairs in blocks, counted in the log as they are read; ``target`` is the format that they are written in."""
    lang = corpus.source.lang
    if corpus.source.scheme is not None or corpus.format.name not in (JSONL, PARQUET):
        yield from record_blocks(corpus.pairs())
        return
    if corpus.format.name == PARQUET and (target is None or target.name != PARQUET):
        yield from record_blocks(corpus.pairs())
        return
    blocks = parquet_blocks(corpus.source) if corpus.format.name == PARQUET else _json_blocks(corpus)
    for block in blocks:
        corpus.account.rows += len(block)
        yield _with_language(block, lang) if lang else block


def record_blocks(pairs: Iterable[Pair]) -> Iterator[RecordBlock]:
    """Blocks of a few thousand records."""
    stream = iter(pairs)
    while block := list(islice(stream, PAIRS_PER_BLOCK)):
        yield RecordBlock(block)


def _json_blocks(corpus: RecordReader) -> Iterator[RecordBlock]:
    for records in read_blocks(corpus.source):
        if records:
            yield RecordBlock(cast("list[Pair]", records))  # which the source was asked for


def _with_language(block: PairBlock, lang: str) -> PairBlock:
    """The same pairs; those without a language have this one."""
    if isinstance(block, ColumnBlock):
        column = block.fields.get("lang")
        filled = pa.array([lang] * len(block), pa.string()) if column is None else pc.fill_null(column, lang)
        fields = {**block.fields, "lang": filled}
        return ColumnBlock({name: fields[name] for name in Pair.__struct_fields__ if name in fields}, block.scores)
    pairs = block.pairs()
    return RecordBlock([pair if pair.lang else msgspec.structs.replace(pair, lang=lang) for pair in pairs])


def write_pair_blocks(blocks: Iterable[PairBlock], path: str | Path, format: str | None = None) -> None:
    """Write pairs to a file. It appears only when it is complete."""
    chosen = format_for(path, format)
    if chosen.name not in (JSONL, PARQUET):
        write_records(chain.from_iterable(block.pairs() for block in blocks), path, format)
        return
    with atomic_write(None if str(path) == "-" else Path(path)) as stream:
        if chosen.name == PARQUET:
            write_groups(blocks, stream)
            return
        encoder = msgspec.json.Encoder()
        for block in blocks:
            if isinstance(block, ScoredBlock):
                stream.write(block.last_lines(encoder))
            else:
                stream.write(encoder.encode_lines(block.pairs()))
