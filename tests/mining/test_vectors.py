"""Vectors on disk: what is written is read back, a run goes on where it stopped, and damage is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from otherwords.mining.vectors import MANIFEST, VectorPlan, VectorStore, open_vectors, write_vectors
from tests.errors import raises

ROWS, DIMENSION = 23, 6
PLAN = VectorPlan(dimension=DIMENSION, rows=ROWS, encoder="test|v:1", normalised=False, rows_per_shard=5)
VECTORS = np.random.default_rng(7).normal(size=(ROWS, DIMENSION)).astype(np.float16).astype(np.float32)


class Encoder:
    """Gives the rows of a matrix in blocks of three, and keeps what it was asked for."""

    def __init__(self, vectors: NDArray[Any] = VECTORS) -> None:
        self.vectors = vectors
        self.asked: list[tuple[int, int]] = []

    def __call__(self, start: int, stop: int) -> Iterator[NDArray[Any]]:
        self.asked.append((start, stop))
        for at in range(start, stop, 3):
            yield self.vectors[at : min(at + 3, stop)]


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return write_vectors(tmp_path / "vectors", Encoder(), PLAN)


def test_blocks_and_rows_are_those_that_were_written(store: VectorStore) -> None:
    opened = open_vectors(store.folder, "test|v:1")
    assert opened.manifest == store.manifest
    assert (opened.rows, opened.dimension, len(opened.manifest.shards)) == (ROWS, DIMENSION, 5)
    assert np.array_equal(opened.block(3, 17), VECTORS[3:17])
    assert np.array_equal(opened.block(20, 99), VECTORS[20:])
    for start, block in opened.blocks(4):
        assert block.dtype == np.float32
        assert np.array_equal(block, VECTORS[start : start + 4])
    chosen = np.array([22, 0, 5, 4, 0])
    assert np.array_equal(opened.take(chosen), VECTORS[chosen])
    opened.verify()


def test_rows_are_scaled_and_zeros_stay(tmp_path: Path) -> None:
    vectors = VECTORS.copy()
    vectors[4] = 0
    plan = msgspec.structs.replace(PLAN, normalised=True)
    lengths = np.linalg.norm(write_vectors(tmp_path, Encoder(vectors), plan).block(0, ROWS), axis=1)
    assert lengths[4] == 0
    assert np.delete(lengths, 4) == pytest.approx(1, abs=2e-3)


def test_no_rows(tmp_path: Path) -> None:
    write_vectors(tmp_path, Encoder(), msgspec.structs.replace(PLAN, rows=0))
    assert open_vectors(tmp_path).block(0, 5).shape == (0, DIMENSION)


def test_whole_shards_are_kept(store: VectorStore) -> None:
    (store.folder / MANIFEST).unlink()
    (store.folder / "part-00001.npy").unlink()
    damaged = store.folder / "part-00003.npy"
    damaged.write_bytes(damaged.read_bytes()[:-2])
    encoder = Encoder()
    assert write_vectors(store.folder, encoder, PLAN).manifest == store.manifest
    assert encoder.asked == [(5, 10), (15, 20)]


def test_shards_of_another_encoder_are_not_kept(store: VectorStore) -> None:
    encoder = Encoder()
    write_vectors(store.folder, encoder, msgspec.structs.replace(PLAN, encoder="test|v:2", rows_per_shard=50))
    assert encoder.asked == [(0, ROWS)]
    assert len(list(store.folder.glob("part-*.npy"))) == 1
    with raises("vectors-encoder", match="test|v:2"):
        open_vectors(store.folder, "test|v:1")


def test_damage_is_named(store: VectorStore) -> None:
    shard = store.folder / "part-00002.npy"
    content = shard.read_bytes()
    shard.write_bytes(content[:-1] + b"\x01")
    with raises("vectors-changed", match="part-00002"):
        open_vectors(store.folder).verify()
    shard.write_bytes(content[:-1])
    with raises("vectors-damaged-shard", match="part-00002"):
        open_vectors(store.folder)
    shard.unlink()
    with raises("vectors-missing-shard", match="part-00002"):
        open_vectors(store.folder)
    manifest = store.folder / MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b"float16", b"float64"))
    with raises("vectors-format"):
        open_vectors(store.folder)
    manifest.write_bytes(b"{")
    with raises("vectors-unreadable"):
        open_vectors(store.folder)
    manifest.unlink()
    with raises("vectors-incomplete"):
        open_vectors(store.folder)


@pytest.mark.parametrize(
    ("vectors", "code"),
    [
        (np.full((ROWS, DIMENSION), np.nan), "vectors-not-finite"),
        (np.full((ROWS, DIMENSION), 1e6), "vectors-not-finite"),
        (VECTORS[:, :3], "vectors-dimension"),
        (VECTORS[:21], "vectors-count"),
    ],
)
def test_an_encoder_that_errs(vectors: NDArray[Any], code: str, tmp_path: Path) -> None:
    with raises(code):
        write_vectors(tmp_path, Encoder(vectors), PLAN)
    assert not list(tmp_path.glob(".*"))
    with raises("vectors-incomplete"):
        open_vectors(tmp_path)
