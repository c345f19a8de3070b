"""Blocks of pairs into a file, with the bytes that the same pairs would have as records."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import msgspec

from otherwords.sources.blocks.block import PairBlock, ScoredBlock
from otherwords.sources.blocks.parquet_groups import write_groups
from otherwords.sources.blocks.reading import JSONL, PARQUET
from otherwords.sources.io.files import atomic_write
from otherwords.sources.reading import format_for, write_records


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
