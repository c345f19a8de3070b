"""Word overlap by range: edges with whole numbers, and the ≥ rule of the threshold."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled


def overlapping(shared: int, total: int, label: str) -> Pair:
    """Two texts that share ``shared`` of ``total`` words."""
    common = [f"c{number}" for number in range(shared)]
    only_first = (total - shared) // 2
    first = [*common, *(f"a{number}" for number in range(only_first))]
    second = [*common, *(f"b{number}" for number in range(total - shared - only_first))]
    texts = {"text1": " ".join(first), "text2": " ".join(second)}
    return Pair(id=f"{shared}/{total}:{label}", label=label, meta={"tokeniser": "blank"}, **texts)


EDGES = [overlapping(shared, 10, label) for shared in range(1, 11) for label in "10"]


def test_ranges_are_closed_on_the_left(tmp_path: Path) -> None:
    rows = cells(checked_finding("overlap", corpus(tmp_path / "c.jsonl", EDGES)), "ranges")
    assert [row["range"] for row in rows] == [
        *(f"[{low / 10}, {(low + 1) / 10})" for low in range(10)),
        "[1.0, 1.0]",
        "total",
    ]
    assert [row["pairs"] for row in rows] == [0, *[2] * 10, 20]
    assert [row["label 1"] for row in rows] == [0, *[1] * 10, 10]
    assert rows[0]["mean_tokens_text1"] is None
    assert (rows[1]["mean_tokens_text1"], rows[1]["mean_tokens_text2"]) == (5.0, 6.0)
    assert (rows[3]["share"], rows[3]["positives"], rows[3]["negatives"]) == (0.1, 0.1, 0.1)


def test_accuracy_by_threshold(tmp_path: Path) -> None:
    pairs = [overlapping(5, 10, "1"), overlapping(8, 10, "1"), overlapping(5, 10, "0"), overlapping(2, 10, "0")]
    rows = cells(checked_finding("overlap", corpus(tmp_path / "c.jsonl", pairs)), "accuracy")
    accuracy = {row["threshold"]: row["accuracy"] for row in rows}
    assert accuracy == {
        **dict.fromkeys((0.0, 0.1, 0.2), 0.5),
        **dict.fromkeys((0.3, 0.4, 0.5), 0.75),
        **dict.fromkeys((0.6, 0.7, 0.8), 0.75),
        **dict.fromkeys((0.9, 1.0), 0.5),
    }


def test_negatives_by_origin(tmp_path: Path) -> None:
    machine, random = ({"origin": name, "tokeniser": "blank"} for name in ("machine-translated", "random"))
    pairs = [
        replace(overlapping(2, 10, "0"), id="m1", meta=machine),
        replace(overlapping(7, 10, "0"), id="m2", meta=machine),
        replace(overlapping(7, 10, "0"), id="r1", meta=random),
        replace(overlapping(8, 10, "0"), id="r2", meta=random),
        replace(overlapping(8, 10, "0"), id="r3", meta=random),
        replace(overlapping(8, 10, "1"), id="p1", meta=machine),
    ]
    rows = cells(checked_finding("overlap", corpus(tmp_path / "c.jsonl", pairs)), "ranges")
    shown = {row["range"]: (row["negatives random"], row["negatives machine-translated"]) for row in rows}
    assert {name: counts for name, counts in shown.items() if any(counts)} == {
        "[0.2, 0.3)": (0, 1),
        "[0.7, 0.8)": (1, 1),
        "[0.8, 0.9)": (2, 0),
        "total": (3, 2),
    }


def test_negatives_of_one_origin_have_one_column(tmp_path: Path) -> None:
    [first, *_] = cells(checked_finding("overlap", corpus(tmp_path / "c.jsonl", EDGES)), "ranges")
    assert [name for name in first if name.startswith("negatives")] == ["negatives"]


@pytest.mark.parametrize("label", ["1", "0"])
def test_a_threshold_needs_positives_and_negatives(tmp_path: Path, label: str) -> None:
    finding = checked_finding("overlap", corpus(tmp_path / "c.jsonl", [pair for pair in EDGES if pair.label == label]))
    assert [table.name for table in finding.tables] == ["ranges"]
    assert finding.remarks == ["without both positives and negatives no threshold can be evaluated"]


def test_order_does_not_matter(tmp_path: Path) -> None:
    first = run_analysis("overlap", corpus(tmp_path / "c.jsonl", EDGES))
    assert first is not None
    assert first == run_analysis("overlap", corpus(tmp_path / "c.jsonl", shuffled(EDGES)))
