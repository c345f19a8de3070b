"""Datasets: written shard by shard, whole only with their manifest, resumed by shard, the same bytes on any workers."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from otherwords.engine import Engine
from otherwords.project.file_digests import file_digest
from otherwords.project.pipeline.dataset import (
    MANIFEST,
    is_whole,
    open_dataset,
    write_dataset,
    write_shards,
)
from tests.errors import raises

SCHEMA = pa.schema([("number", pa.int64()), ("word", pa.string())])
TASKS = list(range(7))


def rows(start: int, count: int) -> pa.Table:
    numbers = list(range(start, start + count))
    return pa.table({"number": numbers, "word": [f"w{number}" for number in numbers]}, SCHEMA)


def shard(task: int) -> pa.Table:
    return rows(100 * task, 10 + task)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(("sizes", "shards"), [([], 1), ([3], 1), ([10, 10, 10], 2), ([25, 1], 2), ([1] * 41, 3)])
def test_a_stream_becomes_shards(tmp_path: Path, sizes: list[int], shards: int) -> None:
    tables = [rows(sum(sizes[:place]), size) for place, size in enumerate(sizes)]
    written = write_dataset(tmp_path / "set", SCHEMA, tables, summary=lambda: {"finished": "here"}, rows_per_shard=20)
    assert (written.rows, len(written.paths()), written.summary) == (sum(sizes), shards, {"finished": "here"})
    again = open_dataset(tmp_path / "set")
    assert again == written
    assert again.table() == rows(0, sum(sizes))
    assert [cell for batch in again.batches(["word"], 7) for cell in batch.column(0).to_pylist()] == [
        f"w{number}" for number in range(sum(sizes))
    ]
    assert all(file_digest(again.folder / shard.name) == shard.sha256 for shard in again.manifest.shards)


def test_a_dataset_without_its_manifest_is_not_whole(tmp_path: Path) -> None:
    written = write_dataset(tmp_path / "set", SCHEMA, [rows(0, 5)])
    assert is_whole(written.folder)
    (written.folder / MANIFEST).unlink()
    assert not is_whole(written.folder)
    with raises("dataset-incomplete"):
        open_dataset(written.folder)


def test_a_stream_that_fails_leaves_no_whole_dataset(tmp_path: Path) -> None:
    def broken() -> object:
        yield rows(0, 5)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_dataset(tmp_path / "set", SCHEMA, broken())  # type: ignore[arg-type]
    assert not is_whole(tmp_path / "set")


@pytest.mark.parametrize("engine", [Engine(1), Engine(3), Engine(2, "processes")])
def test_shards_are_the_same_bytes_on_any_workers(tmp_path: Path, engine: Engine) -> None:
    seen: list[tuple[int, int | None]] = []
    serial = write_shards(tmp_path / "serial", SCHEMA, TASKS, shard, engine=Engine(1))
    other = write_shards(
        tmp_path / "other", SCHEMA, TASKS, shard, engine=engine, progress=lambda done, total: seen.append((done, total))
    )
    assert contents(serial.folder) == contents(other.folder)
    assert seen == [(done, len(TASKS)) for done in range(1, len(TASKS) + 1)]


def test_a_killed_run_goes_on_with_the_shards_it_had(tmp_path: Path) -> None:
    finished: list[int] = []

    def make(task: int) -> pa.Table:
        if task == 4 and 4 not in finished:
            finished.append(task)
            raise KeyboardInterrupt
        finished.append(task)
        return shard(task)

    with pytest.raises(KeyboardInterrupt):
        write_shards(tmp_path / "set", SCHEMA, TASKS, make, engine=Engine(1))
    assert not is_whole(tmp_path / "set")
    (tmp_path / "set" / ".1f2e.4711.part").write_bytes(b"half of a shard")
    resumed = write_shards(tmp_path / "set", SCHEMA, TASKS, make, engine=Engine(1))
    assert finished == [0, 1, 2, 3, 4, 4, 5, 6], "no shard is made twice"
    whole = write_shards(tmp_path / "whole", SCHEMA, TASKS, shard, engine=Engine(1))
    assert contents(resumed.folder) == contents(whole.folder)


def test_a_damaged_shard_is_an_error_in_words(tmp_path: Path) -> None:
    written = write_dataset(tmp_path / "set", SCHEMA, [rows(0, 5)])
    written.paths()[0].write_bytes(b"PAR1 no more")
    with raises("dataset-unreadable", "part-00000"):
        list(written.batches())
