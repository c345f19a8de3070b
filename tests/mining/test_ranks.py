"""Ranks of known pairs: compared with sorting all cosines, and what happens to copies, ties and several paraphrases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.mining import ranks
from otherwords.mining.rank import RANK_FOLDER, VectorCandidates, rank_pairs
from otherwords.mining.ranks import hide_pairs, label_classes, rank_scores, retrieval_ranks, scores_by_label
from otherwords.records import Pair
from tests.errors import raises
from tests.mining.test_mine import TEXTS, lines, mined

LABELS = ("4", "4<", "4>is", "3", "2", "4s")


def pairs(count: int) -> list[tuple[Pair, bool]]:
    made = [Pair(id=f"{n}", text1=f"left {n}", text2=f"right {n}", label=LABELS[n % 6]) for n in range(count)]
    return [(pair, pair.label != "2") for pair in made]


def vectors(count: int, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("rows", "queries"), [(8_192, 512), (5, 3), (1, 1)])
def test_ranks_are_those_of_sorting(rows: int, queries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "ROWS_PER_BLOCK", rows)
    monkeypatch.setattr(ranks, "QUERIES_PER_BLOCK", queries)
    hidden, table = hide_pairs(pairs(20)), vectors(40)
    found = retrieval_ranks(VectorCandidates(table), hidden)
    for number in range(20):
        cosines = table @ table[hidden.queries[number]]
        cosines[hidden.queries[number]] = -2
        assert found.ranks[number] == 1 + list(np.argsort(-cosines)).index(hidden.golds[number])
    assert found.candidates == 39
    assert not found.ties.any()


def test_other_known_paraphrases_do_not_count() -> None:
    texts = ("a", "b", "c", "d")
    table = np.array([[1, 0], [0.6, 0.8], [0.9, 0.43589], [0.8, 0.6]], np.float32)
    known = [Pair(id="1", text1="a", text2="b"), Pair(id="2", text1="a", text2="c"), Pair(id="3", text1="d", text2="b")]
    hidden = hide_pairs((pair, pair.id != "3") for pair in known)
    assert hidden.texts == list(texts)
    found = retrieval_ranks(VectorCandidates(table), hidden)
    assert found.ranks.tolist() == [2, 1, 2]  # c is nearer to a than b, but a paraphrase; of d, it is none


def test_ties_count_as_nearer() -> None:
    hidden = hide_pairs(pairs(3))
    found = retrieval_ranks(VectorCandidates(np.ones((6, 2), np.float32)), hidden)
    assert found.ranks.tolist() == [5, 5, 5]
    assert found.ties.tolist() == [4, 4, 4]
    assert rank_scores(found).top["1"] == 0.0


def test_scores_by_label_are_those_of_the_paper() -> None:
    """4< and 4> are one class, flags i and s none; (rank - 1) / N in per cent."""
    hidden = hide_pairs(pairs(12))
    assert Counter(hidden.labels) == {"4": 4, "4</4>": 4, "3": 2, "2": 2}
    found = ranks.RetrievalRanks(np.array([1, 2, 11, 101] * 3), np.zeros(12, np.int64), 200)
    assert rank_scores(found).top == {"1": 0.25, "10": 0.5, "100": 0.75, "1000": 1.0, "2048": 1.0}
    by_label = scores_by_label(found, hidden.labels)
    assert list(by_label) == ["4", "4</4>", "3", "2"]
    assert by_label["2"].mean_rank == pytest.approx(100 * np.mean([0, 10]) / 200)


def test_labels_of_other_schemes_stay() -> None:
    assert label_classes(["1", "0", None]) == ["1", "0", "unlabelled"]
    assert label_classes(["1", "4>", "x"]) == ["1", "4</4>", "x"]


def test_pairs_that_cannot_be_found_are_counted() -> None:
    ends = [("A  text.", "A text."), (" ", "b"), ("a", "b")]
    hidden = hide_pairs((Pair(id=f"{n}", text1=one, text2=two), True) for n, (one, two) in enumerate(ends))
    assert (len(hidden), hidden.rows.tolist(), sum(hidden.left_out.values())) == (1, [2], 2)


def known_pairs() -> list[tuple[Pair, bool]]:
    ends = [("At noon the tide comes in.", TEXTS[0].upper()), ("Her brother mends the nets.", "Nets are mended there.")]
    return [(Pair(id=str(n), text1=first, text2=second, label="4"), True) for n, (first, second) in enumerate(ends)]


def test_pairs_are_hidden_in_a_pool(tmp_path: Path) -> None:
    mined(tmp_path / "out", lines(tmp_path / "a.txt", *TEXTS))
    summary = rank_pairs(tmp_path / "out", iter(known_pairs()), ["tfidf"], jobs=1)
    assert (summary.sentences, summary.copies, summary.pairs) == (6, 1, 2)  # TEXTS[0] is in the pool, apart from case
    [row] = summary.rows
    assert (row.n, row.candidates) == (2, 4 + 6 - 1 - 1)
    assert (row.top["1"], row.top["10"]) == (0.0, 1.0)  # TEXTS[1] is nearer to the first query
    assert not (tmp_path / "out" / RANK_FOLDER).exists()  # the vectors of the run are those of the encoder
    assert row.labels["4"].n == 2


def test_vectors_of_another_encoder_are_kept(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    mined(tmp_path / "out", lines(tmp_path / "a.txt", *TEXTS))
    pool = tmp_path / "out" / "pool"
    first = rank_pairs(pool, iter(known_pairs()), ["tfidf"], jobs=1)  # a pool without vectors of its own
    [kept] = (pool / RANK_FOLDER).iterdir()
    changed = kept.stat().st_mtime_ns, [path.stat().st_mtime_ns for path in sorted(kept.glob("*.npy"))]
    again = rank_pairs(pool, iter(known_pairs()), ["tfidf", "tfidf"], jobs=1)
    assert [path.stat().st_mtime_ns for path in sorted(kept.glob("*.npy"))] == changed[1]
    assert (again.rows[0].top, len(again.rows)) == (first.rows[0].top, 1)


def test_mistakes_are_said(tmp_path: Path) -> None:
    with raises("not-a-mining-run"):
        rank_pairs(tmp_path, iter(known_pairs()), ["tfidf"])
    with raises("no-encoder"):
        rank_pairs(tmp_path, iter(known_pairs()), [])
    mined(tmp_path / "out", lines(tmp_path / "a.txt", *TEXTS))
    with raises("no-pairs-to-hide"):
        rank_pairs(tmp_path / "out", iter([]), ["tfidf"])
    with raises("unknown-encoder"):
        rank_pairs(tmp_path / "out", iter(known_pairs()), ["nothing"])
