"""One sentence against all: the same as a product of matrices, in files of any encoder that mining has written."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from otherwords import _kernels
from otherwords.mining import search as searching
from otherwords.mining.mine import MineRequest, mine_pairs
from otherwords.mining.pool.options import PoolOptions
from otherwords.mining.search import LONGEST, VectorSearch, check_sentence, open_search
from otherwords.sources.source import ReadLog
from tests.errors import raises

SENTENCES = [
    "The ferry to the island was late again.",
    "Again the boat to the island did not come on time.",
    "Nobody had told her about the dinner.",
    "She sold her house to a neighbour last spring.",
    "The bridge stayed closed for a week.",
    "A neighbour bought her house in the spring.",
]


def rows_of(count: int, dimension: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mined")
    (folder / "harbour.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    options = PoolOptions(lang=None)
    request = MineRequest(paths=(str(folder / "harbour.txt"),), out=str(folder / "out"), pool=options, encoder="tfidf")
    mine_pairs(request, ReadLog())
    return folder / "out"


@pytest.mark.parametrize("dimension", [1, 31, 32, 100, 384])
@pytest.mark.parametrize("level", [0, 1])
def test_products_are_those_of_numpy_with_any_instructions(dimension: int, level: int) -> None:
    rows, query = rows_of(50, dimension), rows_of(1, dimension, 1)[0].astype(np.float32)
    products = np.empty(50, np.float32)
    before = _kernels.instructions()
    try:
        _kernels.instructions(level)
        _kernels.halves_products(_kernels.halves_open([rows[:20], rows[20:]], dimension), 0, 50, query, products)
    finally:
        _kernels.instructions(before)
    assert np.allclose(products, rows.astype(np.float64) @ query, atol=1e-6)


def test_a_query_of_another_dimension_is_refused() -> None:
    halves = _kernels.halves_open([rows_of(3, 8)], 8)
    with pytest.raises(ValueError, match="dimension"):
        _kernels.halves_products(halves, 0, 3, np.zeros(7, np.float32), np.empty(3, np.float32))
    with pytest.raises(ValueError, match="rows"):
        _kernels.halves_products(halves, 0, 4, np.zeros(8, np.float32), np.empty(4, np.float32))


def test_the_nearest_of_several_blocks_are_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, query = rows_of(1000, 16), rows_of(1, 16, 1)[0].astype(np.float32)
    rows[[7, 300, 901]] = rows[5]  # equal ones, which are ordered by row
    expected = sorted(range(1000), key=lambda row: (-np.float32(rows[row].astype(np.float32) @ query).round(5), row))
    monkeypatch.setattr(searching, "ROWS_PER_BLOCK", 64)
    found = VectorSearch([rows[:400], rows[400:]], 16, jobs=2).nearest(rows[5].astype(np.float32), 4)
    assert [row for row, _ in found] == [5, 7, 300, 901]
    assert [row for row, _ in VectorSearch([rows], 16, jobs=1).nearest(query, 10)] == expected[:10]
    assert VectorSearch([], 16).nearest(query, 10) == []


def test_a_mined_pool_answers_with_its_sentences_and_their_places(mined: Path) -> None:
    found = open_search(mined).nearest("The boat to the island was late again.", 3)
    assert {sentence.text for sentence in found[:2]} == set(SENTENCES[:2])
    assert Path(found[0].place).name.startswith("harbour.txt:")
    assert found[0].cosine >= found[1].cosine >= found[2].cosine
    assert open_search(mined).nearest(SENTENCES[3], 1)[0].cosine == pytest.approx(1, abs=1e-3)


def test_vectors_of_another_pool_or_encoder_are_refused(mined: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(mined, other)
    manifest = other / "vectors" / "vectors.json"
    content = msgspec.json.decode(manifest.read_bytes())
    for encoder, code in (
        (content["encoder"].rpartition("pool:")[0] + "pool:0", "search-pool"),
        (content["encoder"].replace("dim:384", "dim:385"), "search-encoder"),
    ):
        manifest.write_bytes(msgspec.json.encode(content | {"encoder": encoder}))
        with raises(code):
            open_search(other)


def test_a_sentence_is_one_line_of_limited_length() -> None:
    assert check_sentence("  one\n two ") == "one two"
    with raises("sentence-too-long"):
        check_sentence("x" * (LONGEST + 1))
