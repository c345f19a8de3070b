"""Whether the Parquet files of a release are what its pairs make of them, row by row.

The text around a passage cannot be made again without the documents; there the passage has to be the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.corpus.release.hub_configs import (
    CONTEXT,
    FEATURES,
    config_rows,
    data_file,
    hub_split,
    schema_of,
    table_of,
)
from otherwords.corpus.release.metadata_files import ReleaseFacts
from otherwords.corpus.release.pairs import part_of, read_blocks
from otherwords.records import Pair
from otherwords.text.normalise import normalise

WINDOW = ("context", "start", "end")
ROWS_PER_BLOCK = 5000


def config_problems(folder: Path, pairs: Path, parts: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    """The problems of each file of each config; the pairs are read once."""
    splits = {config.name: config.splits for config in facts.configs}
    files = [
        _ConfigRows(folder, config, part, splits.get(config, {}).get(hub_split(part), 0))
        for config in FEATURES
        for part in parts
    ]
    for block in read_blocks(pairs, Pair):
        by_part: dict[str, list[Pair]] = {}
        for pair in block:
            by_part.setdefault(part_of(pair), []).append(pair)
        for part, in_part in by_part.items():
            no_context: list[Any] = [None] * len(in_part)
            expected = dict(config_rows(table_of(in_part, (no_context, no_context))))
            for file in files:
                if file.part == part:
                    file.compare(expected[file.config])
    for file in files:
        file.compare(None)
        yield from file.problems


class _ConfigRows:
    """The rows of a file of a config, which are compared with those that the pairs make, some at a time."""

    def __init__(self, folder: Path, config: str, part: str, listed: int) -> None:
        self.config, self.part, self.problems = config, part, list[str]()
        self._name, self._listed, self._count = data_file(config, hub_split(part)), listed, 0
        stems = {name: name.rstrip("12").removeprefix("source_").removeprefix("target_") for name in FEATURES[config]}
        self._columns = [name for name, stem in stems.items() if stem not in WINDOW]
        self._batches = _read_batches(folder / self._name, list(FEATURES[config]))
        self._waiting = schema_of(config).empty_table()
        self._open = (folder / self._name).is_file()
        if not self._open and listed:
            self._stop("is missing")

    def compare(self, expected: pa.Table | None) -> None:
        """Compare the next rows, or see that there are no more; after the first difference nothing is compared."""
        if not self._open:
            return
        try:
            self._compare_rows(expected) if expected is not None else self._compare_end()
        except KeyError as problem:
            self._stop(f"has not the columns of {self.config}: {problem.args[0]}")
        except (pa.ArrowException, OSError, ValueError) as problem:
            self._stop(f"cannot be read: {problem}")

    def _compare_rows(self, expected: pa.Table) -> None:
        rows = self._next_rows(len(expected))
        here, there = rows.select(self._columns), expected.select(self._columns)
        if not here.equals(there):
            both = zip_longest(here.to_pylist(), there.to_pylist())
            same = sum(1 for _ in takewhile(lambda row: row[0] == row[1], both))
            self._stop(f"row {self._count + same + 1} is not what data/pairs.jsonl makes it")
            return
        if self.config.endswith(CONTEXT):
            self.problems += self._context_problems(rows)
        self._count += len(rows)

    def _compare_end(self) -> None:
        if len(self._next_rows(1)):
            self._stop(f"row {self._count + 1} is not what data/pairs.jsonl makes it")
        elif self._count != self._listed:
            self._stop(f"has {self._count:,} rows, and release.json says {self._listed:,}")

    def _next_rows(self, count: int) -> pa.Table:
        while len(self._waiting) < count and (batch := next(self._batches, None)) is not None:
            self._waiting = pa.concat_tables([self._waiting, batch.cast(self._waiting.schema)])
        rows, self._waiting = self._waiting.slice(0, count), self._waiting.slice(count)
        return rows.combine_chunks()

    def _context_problems(self, rows: pa.Table) -> Iterator[str]:
        """Whether each passage is the text, apart from white space; a heading has no place in its article."""
        if self.config.startswith("generation"):
            sides = {role: [f"{role}_{column}" for column in WINDOW] for role in ("source", "target")}
        else:
            sides = {f"text{side}": [f"{column}{side}" for column in WINDOW] for side in "12"}
        for column, window in sides.items():
            if rows[window[0]].null_count == len(rows):
                continue
            cells = (rows[name].to_pylist() for name in (column, *window))
            for number, (text, context, start, end) in enumerate(zip(*cells, strict=True), self._count + 1):
                if context is None or (start is None and end is None):
                    continue
                if start is None or end is None or normalise(context[start:end]) != normalise(text):
                    yield f"{self._name}: row {number}: its context has another text at {start}–{end}"

    def _stop(self, problem: str) -> None:
        self.problems.append(f"{self._name}: {problem}")
        self._open = False


def _read_batches(path: Path, columns: list[str]) -> Iterator[pa.Table]:
    """The rows of a file, some at a time; it is opened when the first are asked for."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_PER_BLOCK, columns=columns):
            yield pa.Table.from_batches([batch]).select(columns)
