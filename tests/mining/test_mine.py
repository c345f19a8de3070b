"""Mining from files to pairs: every unordered pair once, with its scores and where both sentences are from."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from otherwords.mining import encode, mine
from otherwords.mining import pairs as pair_parts
from otherwords.mining.mine import MineRequest, MineSummary, mine_pairs
from otherwords.mining.pairs import trivial
from otherwords.mining.pool import build
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.vectors import VectorPlan
from otherwords.records import Pair
from otherwords.sources.reading import open_records
from otherwords.sources.source import ReadLog
from tests.errors import raises

TEXTS = (
    "The tide comes in before noon.",
    "Before noon the tide comes in.",
    "Her brother mends nets in the shed.",
    "In the shed her brother mends nets.",
    "Her brother mends nets in the shed every day.",
    "Nobody has seen the grey cat since Monday.",
)


def mined(folder: Path, *paths: Path, memory: int = 2**31, **options: Any) -> MineSummary:
    request = MineRequest(
        paths=tuple(map(str, paths)),
        out=str(folder),
        pool=PoolOptions(lang="en"),
        work=WorkOptions(jobs=1, memory=memory),
        **({"encoder": "tfidf", "k": 2} | options),
    )
    return mine_pairs(request, ReadLog("stop"))


def lines(path: Path, *texts: str) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def pairs(folder: Path) -> list[Pair]:
    with open_records(folder / "pairs.parquet") as records:
        return [record for record in records if isinstance(record, Pair)]


def test_pairs_with_scores_and_provenance(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS, TEXTS[0])
    summary = mined(tmp_path / "out", path)
    found = pairs(tmp_path / "out")
    assert (summary.read, summary.sentences, summary.pairs) == (7, 6, len(found))
    texts = [frozenset((pair.text1, pair.text2)) for pair in found]
    assert len(set(texts)) == len(texts)
    best = max(found, key=lambda pair: pair.scores["cosine"] or 0)
    assert {best.text1, best.text2} in ({TEXTS[0], TEXTS[1]}, {TEXTS[2], TEXTS[3]})
    first = next(pair for pair in found if {pair.text1, pair.text2} == {TEXTS[0], TEXTS[1]})
    assert first.meta["made"] == {"place": [f"{path}:1", f"{path}:2"], "copies": [2, 1]}
    assert (first.method, first.lang, first.source, first.doc1 and first.doc1.end) == ("mine", "en", "a", len(TEXTS[0]))
    contained = next(pair for pair in found if {pair.text1, pair.text2} == {TEXTS[2], TEXTS[4]})
    assert contained.meta["made"]["pattern"] == "contained"
    assert summary.trivial == {"contained": 1}


def test_pairs_are_those_of_the_definition(tmp_path: Path) -> None:
    """Compared with cosines of all with all."""
    from otherwords.mining.hashed_tfidf import fit_tfidf

    mined(tmp_path / "out", lines(tmp_path / "a.txt", *TEXTS))
    rows = fit_tfidf(TEXTS).vectors(TEXTS).astype(np.float16).astype(np.float64)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -1)
    lists = np.argsort(-cosines, axis=1)[:, :2]
    means = np.take_along_axis(cosines, lists, 1).mean(axis=1)
    expected = {
        (TEXTS[min(row, other)], TEXTS[max(row, other)]): (
            cosines[row, other],
            2 * cosines[row, other] / (means[row] + means[other]),
        )
        for row in range(len(TEXTS))
        for other in lists[row]
    }
    found = {(pair.text1, pair.text2): pair.scores for pair in pairs(tmp_path / "out")}
    assert found.keys() == expected.keys()
    for key, (cosine, margin) in expected.items():
        assert found[key]["cosine"] == pytest.approx(cosine, abs=2e-3)
        assert found[key]["margin"] == pytest.approx(margin, abs=1e-2)


def test_scope_and_threshold(tmp_path: Path) -> None:
    paths = lines(tmp_path / "a.txt", *TEXTS[:3]), lines(tmp_path / "b.txt", *TEXTS[3:])
    mined(tmp_path / "within", *paths, scope="within")
    assert {pair.source for pair in pairs(tmp_path / "within")} == {"a", "b"}
    mined(tmp_path / "across", *paths, scope="across")
    assert {pair.source for pair in pairs(tmp_path / "across")} == {"mine"}
    mined(tmp_path / "near", *paths, least=0.6)
    assert all((pair.scores["cosine"] or 0) >= 0.6 for pair in pairs(tmp_path / "near"))


def test_a_pool_is_mined_again_without_its_files(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS)
    first = mined(tmp_path / "out", path)
    path.unlink()
    again = mined(tmp_path / "again", tmp_path / "out" / "pool")
    assert (again.signature, again.pairs) == (first.signature, first.pairs)
    assert (tmp_path / "out" / "pairs.parquet").read_bytes() == (tmp_path / "again" / "pairs.parquet").read_bytes()


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of two or three sentences, as if the pool were large."""
    plan = build.make_plan
    monkeypatch.setattr(build, "make_plan", lambda *given: msgspec.structs.replace(plan(*given), partitions=2))
    monkeypatch.setattr(encode, "VectorPlan", partial(VectorPlan, rows_per_shard=3))
    monkeypatch.setattr(pair_parts, "ROWS_PER_PART", 2)


def content(folder: Path) -> dict[str, bytes]:
    """The files of a run, but for what it took."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "mine.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.usefixtures("small_pieces")
def test_a_run_that_stops_anywhere_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS)
    sync, written, limit = os.fsync, 0, 10**6

    def full(descriptor: int) -> None:
        nonlocal written
        written += 1
        if written > limit:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    mined(tmp_path / "whole", path)
    whole, files = content(tmp_path / "whole"), written
    assert files > 15  # plans, shards, lists, parts, manifests
    for stop in range(files):
        written, limit = 0, stop
        with raises("file-unwritable", "No space left"):
            mined(tmp_path / str(stop), path)
        assert not list((tmp_path / str(stop)).rglob("*.part")), "half-written"
        limit = 10**6
        mined(tmp_path / str(stop), path)
        assert content(tmp_path / str(stop)) == whole


@pytest.mark.usefixtures("small_pieces")
def test_what_is_there_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS)
    first = mined(tmp_path / "out", path)
    before = content(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(mine, "nearest_neighbours", None)
        patched.setattr(pair_parts, "write_part", None)
        again = mined(tmp_path / "out", path)
    assert (again.pairs, again.trivial, again.recall) == (first.pairs, first.trivial, first.recall)
    assert content(tmp_path / "out") == before
    (tmp_path / "out" / "vectors" / ".1f2e.4711.part").write_bytes(b"of a process that was killed")
    mined(tmp_path / "out", path)
    assert content(tmp_path / "out") == before
    assert mined(tmp_path / "out", path, k=1).pairs < first.pairs
    assert mined(tmp_path / "out", path, least=2.0).pairs == 0


def test_a_run_in_the_place_of_another_has_its_own_sentences(tmp_path: Path) -> None:
    own = lines(tmp_path / "own.txt", *(text.replace("tide", "ferry") for text in TEXTS[:4]), "The mill is shut today.")
    mined(tmp_path / "mined", lines(tmp_path / "texts.txt", *TEXTS))
    shutil.rmtree(tmp_path / "mined")
    mined(tmp_path / "mined", own)
    texts = {text for pair in pairs(tmp_path / "mined") for text in (pair.text1, pair.text2)}
    assert texts <= set(own.read_text().splitlines())
    assert any("ferry" in text for text in texts)


@pytest.mark.usefixtures("small_pieces")
def test_parts_of_pairs_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS)
    with monkeypatch.context() as patched:
        patched.setattr(pair_parts, "_join_parts", None)
        with pytest.raises(TypeError):
            mined(tmp_path / "out", path)
    assert len(list((tmp_path / "out" / "pairs").glob("part-*.parquet"))) == 3
    monkeypatch.setattr(pair_parts, "_table", None)
    assert mined(tmp_path / "out", path).pairs == len(pairs(tmp_path / "out")) > 0
    assert not (tmp_path / "out" / "pairs").exists()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("name", ["vectors/part-00001.npy", "neighbours/ids.npy", "pairs.parquet"])
def test_a_damaged_file_is_made_again(tmp_path: Path, name: str) -> None:
    path = lines(tmp_path / "a.txt", *TEXTS)
    mined(tmp_path / "out", path)
    before = content(tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(b"damaged")
    mined(tmp_path / "out", path)
    assert content(tmp_path / "out") == before


def test_a_damaged_pool_is_named(tmp_path: Path) -> None:
    mined(tmp_path / "out", lines(tmp_path / "a.txt", *TEXTS))
    (tmp_path / "out" / "pool" / "part-00000.parquet").write_bytes(b"damaged")
    with raises("pool-damaged-shard", "part-00000"):
        mined(tmp_path / "out", tmp_path / "a.txt")


def test_many_copies_of_one_sentence_are_no_pair(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.txt", *["Nobody answered the bell."] * 20_000)
    with raises("pool-too-small", "1 sentence"):
        mined(tmp_path / "out", path)
    assert mined(tmp_path / "two", lines(path, *["Nobody answered."] * 9_999, "Somebody answered.")).pairs == 1


def test_a_cluster_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    request = MineRequest(paths=("a.txt",), out=str(tmp_path), encoder="tfidf", work=WorkOptions(cluster="auto"))
    with raises("missing-extra", "otherwords\\[cluster\\]"):
        mine_pairs(request, ReadLog("stop"))


def test_what_cannot_be_mined(tmp_path: Path) -> None:
    with raises("pool-too-small"):
        mined(tmp_path / "out", lines(tmp_path / "a.txt", "Only this one.", "only this one!"))
    with raises("memory-too-small", "would do"):
        mined(tmp_path / "small", tmp_path / "a.txt", memory=2**20)
    with raises("nothing-to-mine"):
        mined(tmp_path / "none")
    with raises("not-a-path", "s3://bucket/out"):
        mine_pairs(MineRequest(paths=("a.txt",), out="s3://bucket/out"), ReadLog("stop"))
    with raises("bad-neighbour-count"):
        mined(tmp_path / "none", tmp_path / "a.txt", k=0)


@pytest.mark.parametrize(
    ("text1", "text2", "pattern"),
    [
        ("It is late.", "it is late", "same words"),
        ("Room 12 is free.", "Room 7 is free!", "same but for digits"),
        ("It is late.", "It is late, she said.", "contained"),
        ("It is late.", "It is later.", None),
    ],
)
def test_trivial_pairs(text1: str, text2: str, pattern: str | None) -> None:
    assert trivial(text1, text2) == trivial(text2, text1) == pattern
