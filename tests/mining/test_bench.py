"""The bench of neighbours in its short form: few vectors, the same code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench import mine
from bench.mine import Timed, blocks_of_vectors, search_ours, shared, true_neighbours, write_pool


def test_vectors_do_not_depend_on_where_blocks_are_asked_for() -> None:
    encode = blocks_of_vectors(3 * mine.BLOCK, 16)
    whole = np.concatenate(list(encode(0, 3 * mine.BLOCK)))
    assert np.array_equal(np.concatenate(list(encode(mine.BLOCK, 3 * mine.BLOCK))), whole[mine.BLOCK :])


def test_our_search_has_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_pool(tmp_path, 500, 16)
    found = search_ours(tmp_path, 5)
    found.show()
    assert (found.recall, found.setting) == (1.0, "exact")
    assert "otherwords" in capsys.readouterr().out


def test_recall_of_a_peer_is_the_share_of_true_neighbours(tmp_path: Path) -> None:
    store = write_pool(tmp_path, 300, 16)
    chosen, truth = true_neighbours(store, 4)
    assert shared(truth, truth[:, ::-1]) == 1.0
    assert shared(truth, np.where(np.arange(4) < 3, truth, -1)) == 0.75
    assert len(chosen) == 150


@pytest.mark.parametrize(("recall", "reached"), [(0.96, True), (0.94, False)])
def test_a_target_is_reached_or_missed(
    recall: float, reached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pool(tmp_path, 100, 16)
    monkeypatch.setattr(mine, "apart", lambda search, folder, k: Timed("faiss", k, "", 2.0, recall, 100))
    assert mine.compare(tmp_path, (5,), ["faiss"]) == reached
    assert "1.0 ×" in capsys.readouterr().out


def test_peers_and_vectors_are_named_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pool(tmp_path, 100, 16)
    monkeypatch.setenv("VECTORS", str(tmp_path))
    monkeypatch.setenv("PEERS", "")
    monkeypatch.setattr(mine, "apart", lambda search, folder, k: search(folder, k))
    assert mine.run()
    assert "100 × 16 vectors" in capsys.readouterr().out
