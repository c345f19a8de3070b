"""Neighbours of all rows: as by brute force, the same bytes on any number of threads, bounded on bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.mining.neighbours import cells, nearest
from otherwords.mining.neighbours.lists import NeighbourLists, open_neighbours
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import Metric, NeighbourOptions, Scope
from otherwords.mining.neighbours.quantised import quantise
from otherwords.mining.neighbours.recall import recall_samples
from otherwords.mining.vectors import open_vectors
from tests.errors import raises
from tests.mining.neighbours.vectors import brute_force, clustered, stored

CLOSE = 1e-3  # some steps of 16 bits, of rows up to 8 long


def check_scores(lists: NeighbourLists, scores: NDArray[np.float64], k: int, metric: str = "cosine") -> None:
    """Every list has the best scores, in their order, and they are those of its ids."""
    found = np.asarray(lists.scores, np.float64) * (1 if metric == "cosine" else -1)
    best = -np.sort(-scores, axis=1)[:, :k]
    assert np.allclose(found[:, : best.shape[1]], best, atol=CLOSE)
    for row, ids in enumerate(lists.ids):
        assert len(set(ids.tolist())) == len(ids)
        assert np.allclose(scores[row, ids], found[row], atol=CLOSE)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("normalised", [True, False])
def test_all_pairs_of_a_small_pool(metric: Metric, normalised: bool, tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(300), 70, normalised)
    lists = nearest_neighbours(store, tmp_path / "out", NeighbourOptions(k=7, metric=metric))
    vectors = store.block(0, 300)
    check_scores(open_neighbours(tmp_path / "out"), brute_force(vectors, metric), 7, metric)
    assert lists.manifest.method == "exact"
    assert lists.manifest.signature.startswith(f"{metric}|k:7|scope:all|method:exact|recall:1.0000")


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_cells_find_what_brute_force_finds(metric: Metric, tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(2_048), normalised=False)
    options = NeighbourOptions(k=10, metric=metric, recall=0.97)
    lists = nearest_neighbours(store, tmp_path / "out", options, all_pairs=0)
    scores = brute_force(store.block(0, store.rows), metric)
    kth = -np.sort(-scores, axis=1)[:, 9:10]
    found = np.take_along_axis(scores, np.asarray(lists.ids, np.int64), axis=1)
    recall = float((found >= kth - CLOSE).mean())
    stated = lists.manifest.recall
    assert lists.manifest.method == "cells"
    assert stated.share >= 0.97
    assert stated.low - 0.01 <= recall <= stated.high + 0.01
    sign = 1 if metric == "cosine" else -1
    assert np.allclose(found, sign * lists.scores, atol=CLOSE)


def result_bytes(lists: NeighbourLists) -> list[bytes]:
    return [(lists.folder / name).read_bytes() for name in ("ids.npy", "scores.npy", "neighbours.json")]


@pytest.mark.parametrize("all_pairs", [0, 5_000])
def test_the_same_bytes_on_any_number_of_threads_and_any_shards(all_pairs: int, tmp_path: Path) -> None:
    vectors = clustered(1_500)
    vectors[100:140] = vectors[7]  # ties
    results = []
    best = _kernels.instructions()
    for threads, rows_per_shard, level in ((1, 1_500, best), (2, 333, best), (3, 64, 1), (2, 1_000, 0)):
        store = stored(tmp_path / f"vectors-{threads}-{level}", vectors, rows_per_shard)
        _kernels.instructions(level)
        try:
            options = NeighbourOptions(k=5, recall=0.9, threads=threads)
            lists = nearest_neighbours(store, tmp_path / f"out-{threads}-{level}", options, all_pairs=all_pairs)
        finally:
            _kernels.instructions(best)
        results.append(result_bytes(lists))
    assert results[1:] == results[:-1]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_all_pairs_in_bytes(metric: Metric, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "EXACT_ROWS", 0)
    vectors = clustered(2_048)
    vectors[100:140] = vectors[7]  # ties
    results = []
    for threads, rows_per_shard in ((1, 2_048), (2, 333)):
        store = stored(tmp_path / f"vectors-{threads}", vectors, rows_per_shard, normalised=False)
        options = NeighbourOptions(k=10, metric=metric, recall=0.98, threads=threads)
        results.append(nearest_neighbours(store, tmp_path / f"out-{threads}", options))
    assert result_bytes(results[0]) == result_bytes(results[1])
    assert results[0].manifest.method == "bytes"
    scores = brute_force(store.block(0, store.rows), metric)
    kth = -np.sort(-scores, axis=1)[:, 9:10]
    found = np.take_along_axis(scores, np.asarray(results[0].ids, np.int64), axis=1)
    assert results[0].manifest.recall.share == pytest.approx(float((found >= kth - CLOSE).mean()), abs=0.01)
    assert np.allclose(found, (1 if metric == "cosine" else -1) * results[0].scores, atol=CLOSE)


def test_bytes_that_miss_what_is_wanted_are_followed_by_16_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "EXACT_ROWS", 0)
    monkeypatch.setattr(nearest, "neighbours_in_bytes", lambda rows, progress: np.zeros((rows.rows, 16), np.uint64))
    store = stored(tmp_path / "vectors", clustered(300))
    lists = nearest_neighbours(store, tmp_path / "out", NeighbourOptions(k=5))
    assert lists.manifest.method == "exact"
    check_scores(lists, brute_force(store.block(0, 300), "cosine"), 5, "cosine")


@pytest.mark.parametrize("all_pairs", [0, 5_000])
@pytest.mark.parametrize("scope", ["within", "across"])
def test_groups(scope: Scope, all_pairs: int, tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(600))
    groups = np.random.default_rng(2).choice([3, 70, 500], size=600)
    options = NeighbourOptions(k=6, groups=groups, scope=scope, recall=0.9)
    lists = nearest_neighbours(store, tmp_path / "out", options, all_pairs=all_pairs)
    same = groups[lists.ids] == groups[:, None]
    assert same.all() if scope == "within" else not same.any()
    assert (lists.ids >= 0).all()


@pytest.mark.parametrize("all_pairs", [0, 5_000])
@pytest.mark.parametrize("rows", [1, 2, 6, 64, 65, 384])
def test_small_pools_and_more_neighbours_than_rows(rows: int, all_pairs: int, tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(rows, clusters=2))
    lists = nearest_neighbours(store, tmp_path / "out", NeighbourOptions(k=70), all_pairs=all_pairs)
    expected = min(70, rows - 1)
    assert ((lists.ids >= 0).sum(axis=1) == expected).all()
    assert np.isnan(lists.scores[:, expected:]).all()
    check = brute_force(store.block(0, rows))
    found = np.take_along_axis(check, np.maximum(np.asarray(lists.ids, np.int64), 0), axis=1)[:, :expected]
    assert np.allclose(found, lists.scores[:, :expected], atol=CLOSE)


def test_no_rows(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", np.zeros((0, 8), np.float32))
    assert nearest_neighbours(store, tmp_path / "out").ids.shape == (0, 15)
    assert open_neighbours(tmp_path / "out").scores.shape == (0, 15)


@pytest.mark.parametrize("least_below", [50, 1_000])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_copies_and_zeros(value: float, least_below: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "LEAST_BELOW", least_below)  # below one of the pivots above are all the others
    vectors = np.full((9_000, 16), value, np.float32)
    store = stored(tmp_path / "vectors", vectors, 4_000)
    lists = nearest_neighbours(store, tmp_path / "out", NeighbourOptions(k=3), all_pairs=0)
    assert lists.manifest.recall.share == 1.0
    assert np.allclose(lists.scores, value, atol=CLOSE)
    assert (lists.ids != np.arange(9_000)[:, None]).all()


def test_pivots_that_are_found_through_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "LEAST_BELOW", 50)
    monkeypatch.setattr(cells, "ABOVE", 4)
    rows = quantise(stored(tmp_path / "vectors", clustered(5_000), 5_000), NeighbourOptions())
    scale = rows.bytes_scale()
    pivots, matrix = cells.find_pivots(rows, scale), rows.bytes(np.arange(5_000), scale)
    assert pivots.above is not None
    scores = matrix.astype(np.int64) @ pivots.matrix.T.astype(np.int64)
    found = pivots.nearest(matrix, 6)
    assert all(len(set(numbers)) == 6 for numbers in found.tolist())
    assert np.mean(found[:, 0] == np.argmax(scores, axis=1)) > 0.9
    every = pivots.nearest(matrix[:100], len(pivots.matrix))
    assert np.array_equal(np.sort(every), np.tile(np.arange(len(pivots.matrix)), (100, 1)))


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(50), 50)
    for bad in (np.nan, np.inf):
        numbers = np.load(store.folder / "part-00000.npy")
        numbers[7, 3] = bad
        np.save(store.folder / "part-00000.npy", numbers)
        with raises("vectors-not-finite", match="row 7"):
            nearest_neighbours(open_vectors(store.folder), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_stated_recall_is_not_that_which_decided(tmp_path: Path) -> None:
    rows = quantise(stored(tmp_path / "vectors", clustered(3_000)), NeighbourOptions(k=4))
    samples = recall_samples(rows)
    assert len(samples.deciding.chosen) == len(samples.stated.chosen) == 1_000
    assert not set(samples.deciding.chosen.tolist()) & set(samples.stated.chosen.tolist())


def test_more_probes_until_the_recall_is_reached(tmp_path: Path) -> None:
    vectors = np.random.default_rng(5).normal(size=(3_000, 48)).astype(np.float32)  # no clusters: the worst case
    store = stored(tmp_path / "vectors", vectors, 3_000)
    calls: list[tuple[int, int | None]] = []
    few, many = (
        nearest_neighbours(
            store,
            tmp_path / str(recall),
            NeighbourOptions(k=5, recall=recall),
            lambda done, total: calls.append((done, total)),
            0,
        ).manifest
        for recall in (0.5, 0.99)
    )
    assert few.probes < many.probes
    assert few.recall.share < 0.99 <= many.recall.share
    assert calls[-1][0] == calls[-1][1]


def test_a_recall_that_cannot_be_reached_is_an_error(tmp_path: Path) -> None:
    vectors = np.random.default_rng(5).normal(size=(3_000, 256)).astype(np.float32)
    store = stored(tmp_path / "vectors", vectors, 3_000)
    with raises("recall-not-reached", match="1,000 random rows"):
        nearest_neighbours(store, tmp_path / "out", NeighbourOptions(k=15, recall=1.0), all_pairs=0)
    assert not (tmp_path / "out").exists()


def test_a_budget_that_is_too_small_says_which_would_do(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(100))
    with raises("memory-budget", match=r"give at least \d+ MB"):
        nearest_neighbours(store, tmp_path / "out", NeighbourOptions(memory_bytes=1_000_000))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"k": 0}, "neighbours-k"),
        ({"metric": "manhattan"}, "neighbours-metric"),
        ({"scope": "near"}, "neighbours-scope"),
        ({"scope": "across"}, "neighbours-groups"),
        ({"groups": np.zeros(3)}, "neighbours-groups"),
        ({"recall": 1.5}, "neighbours-recall-range"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], code: str, tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(10))
    with raises(code):
        nearest_neighbours(store, tmp_path / "out", NeighbourOptions(**options))


def test_lists_that_are_not_whole(tmp_path: Path) -> None:
    with raises("neighbours-missing"):
        open_neighbours(tmp_path)
    lists = nearest_neighbours(stored(tmp_path / "vectors", clustered(10)), tmp_path / "out")
    (lists.folder / "ids.npy").write_bytes(b"")
    with raises("neighbours-unreadable", match=r"ids\.npy"):
        open_neighbours(tmp_path / "out")
