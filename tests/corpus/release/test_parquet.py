"""A version of a release with a few new pairs shares nearly all chunks of its Parquet files with the one before."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bench.stored_chunks import chunks, new_chunks

from otherwords.corpus.release import parquet
from otherwords.corpus.release.hub_configs import schema_of
from otherwords.corpus.release.parquet import ConfigFile

PAIRS = 120_000
MOST_NEW = 0.05  # of the chunks, for 1 % new pairs
BLOCK = 5000


@pytest.fixture(scope="module")
def rows() -> pa.Table:
    """Pairs of invented words, a few more than a version has."""
    rng, count = random.Random(3), PAIRS + PAIRS // 100
    letters = "".join(rng.choices("abcdefghijklmnoprstuvwy    ", k=500_000))
    starts = [rng.randrange(len(letters) - 90) for _ in range(2 * count)]
    texts = [letters[start : start + 60 + start % 30] for start in starts]
    columns: dict[str, Sequence[object]] = {
        "id": [hashlib.sha256(str(number).encode()).hexdigest()[:16] for number in range(count)],
        "text1": texts[:count],
        "text2": texts[count:],
        "label": rng.choices(("4", "3", "2"), k=count),
        "positive": [True] * count,
        "lang": ["en"] * count,
        "source": ["harbour"] * count,
        "group": [f"g{number // 20}" for number in range(count)],
        "rewrite_of": [None] * count,
    }
    return pa.table(columns, schema_of("plain"))


def write(folder: Path, *tables: pa.Table) -> Path:
    file = ConfigFile(folder / "plain.parquet", "plain")
    for block in _blocks(pa.concat_tables(tables)):
        file.add(block)
    file.close()
    return folder


def _blocks(table: pa.Table) -> Iterator[pa.Table]:
    return (table.slice(start, BLOCK) for start in range(0, len(table), BLOCK))


def test_few_chunks_change(rows: pa.Table, tmp_path: Path) -> None:
    before = write(tmp_path / "before", rows.slice(0, PAIRS))
    appended = write(tmp_path / "appended", rows)
    new, present = new_chunks(before, appended)
    assert present > 100
    assert new <= MOST_NEW * present
    # One pair that went early on moves all others by a row.
    without = write(tmp_path / "without", rows.slice(0, 300), rows.slice(301))
    new, present = new_chunks(before, without)
    assert new <= 0.15 * present  # the row groups beside it, and the new pairs


def test_groups_are_of_a_size_and_keep_the_rows(
    rows: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS_PER_GROUP", 4000)
    path = write(tmp_path, rows) / "plain.parquet"
    assert pq.read_table(path).equals(rows)
    file = pq.ParquetFile(path)
    sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert min(sizes[:-1]) >= 4000
    assert max(sizes) <= 8000 + BLOCK
    monkeypatch.setattr(parquet, "ROWS_PER_BORDER", 10**9)  # no id is a border
    assert pq.read_table(write(tmp_path / "borderless", rows) / "plain.parquet").equals(rows)


def test_chunks_are_those_of_the_content() -> None:
    content = random.Random(1).randbytes(600_000)
    parts = chunks(content)
    assert b"".join(parts) == content
    assert len(parts) > 4
    assert set(chunks(b"something before" * 100 + content)) >= set(parts[2:])
