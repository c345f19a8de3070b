"""Whether the Parquet files of a release hold what its pairs make of them, row by row.

What stands around a text cannot be made again without the documents: there the passage has to be the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.corpus.configs import FEATURES, data_file, hub_split, made_of, table_of
from otherwords.corpus.release_pairs import part_of, read_pairs
from otherwords.text.normalise import normalise

AROUND = ("context", "start", "end")
ROWS_A_BLOCK = 5000
Row = tuple[Any, ...]


def config_problems(folder: Path, pairs: Path, parts: Sequence[str], told: dict[str, Any]) -> Iterator[str]:
    """What is wrong with each file of each config."""
    said = {one.get("name"): one.get("splits", {}) for one in told.get("configs", [])}
    for config in FEATURES:
        for part in parts:
            name = data_file(config, hub_split(part))
            listed = (said.get(config) or {}).get(hub_split(part), 0)
            if not (folder / name).is_file():
                if listed:
                    yield f"{name}: is missing"
                continue
            yield from _file_problems(folder / name, name, config, part, pairs, listed)


def _file_problems(path: Path, name: str, config: str, part: str, pairs: Path, listed: int) -> Iterator[str]:
    columns = [column for column in FEATURES[config] if not _is_around(column)]
    count = 0
    try:
        rows = _read(path, columns)
        for number, (there, wanted) in enumerate(zip_longest(rows, _wanted(pairs, config, part, columns)), 1):
            count = number if there is not None else count
            if there != wanted:
                yield f"{name}: row {number} is not what data/pairs.jsonl makes it"
                return
        if count != listed:
            yield f"{name}: has {count:,} rows, and release.json says {listed:,}"
        yield from _context_problems(path, name, config)
    except KeyError as problem:
        yield f"{name}: has not the columns of {config}: {problem.args[0]}"
    except (pa.ArrowException, OSError, ValueError) as problem:
        yield f"{name}: cannot be read: {problem}"


def _is_around(column: str) -> bool:
    return column.rstrip("12").removeprefix("source_").removeprefix("target_") in AROUND


def _read(path: Path, columns: list[str]) -> Iterator[Row]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_A_BLOCK, columns=columns):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)


def _wanted(pairs: Path, config: str, part: str, columns: list[str]) -> Iterator[Row]:
    for block in read_pairs(pairs):
        mine = [pair for pair in block if part_of(pair) == part]
        if mine:
            nothing: list[Any] = [None] * len(mine)
            made = dict(made_of(table_of(mine, (nothing, nothing))))[config]
            yield from zip(*(made.column(name).to_pylist() for name in columns), strict=True)


def _context_problems(path: Path, name: str, config: str) -> Iterator[str]:
    """A passage has to be the text, but for white space."""
    if not config.endswith("-context"):
        return
    sides = (
        [("source", "source_"), ("target", "target_")]
        if config.startswith("generation")
        else [("text1", ""), ("text2", "")]
    )
    for text, prefix in sides:
        suffix = "" if prefix else text[-1]
        columns = [text, *(f"{prefix}{one}{suffix}" for one in AROUND)]
        for number, (said, around, start, end) in enumerate(_read(path, columns), 1):
            if around is not None and normalise(around[start:end]) != normalise(said):
                yield f"{name}: row {number}: its context has another text at {start}–{end}"
