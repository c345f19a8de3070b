"""Lengths in tokens, by label and side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from otherwords.analyse.findings.lengths import _median
from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled


def words(count: int) -> str:
    return " ".join(["boat"] * count)


PAIRS = [
    Pair(id=str(place), text1=words(length1), text2=words(length2), label=label, lang="en")
    for place, (length1, length2, label) in enumerate([(1, 3, "1"), (2, 5, "1"), (6, 6, "1"), (50, 41, "0")])
]


def test_by_label_and_side(tmp_path: Path) -> None:
    rows = {
        row["label"]: row for row in cells(checked_finding("lengths", corpus(tmp_path / "c.jsonl", PAIRS)), "labels")
    }
    assert list(rows) == ["1", "0", "(positives)", "(negatives)", "(all)"]
    assert rows["1"] == {
        "label": "1",
        "pairs": 3,
        "mean_text1": 3.0,
        "mean_text2": 14 / 3,
        "mean_both": 23 / 6,
        "median_text1": 2.0,
        "median_text2": 5.0,
        "median_both": 4.0,
        "longest": 6,
    }
    assert rows["(all)"]["longest"] == 50


def test_the_histogram_holds_every_text(tmp_path: Path) -> None:
    finding = checked_finding("lengths", corpus(tmp_path / "c.jsonl", PAIRS))
    rows = cells(finding, "histogram")
    assert (rows[6]["tokens"], rows[6]["text1"], rows[6]["positive"]) == ("6", 1, 2)
    assert (rows[-1]["tokens"], rows[-1]["text1"], rows[-1]["negative"]) == ("more than 40", 1, 2)
    assert sum(row["positive"] + row["negative"] for row in rows) == 2 * len(PAIRS)
    assert "tok:words" in finding.signatures["labels"]


def test_each_language_has_its_tokeniser(tmp_path: Path) -> None:
    cut = Pair(id="j", text1="船 が 出る", text2="船 が 出 た", lang="ja", label="1", meta={"tokeniser": "blank"})
    finding = checked_finding("lengths", corpus(tmp_path / "c.jsonl", [*PAIRS, cut]))
    assert "tok:blank and words" in finding.signatures["histogram"]


def test_order_does_not_matter(tmp_path: Path) -> None:
    first = run_analysis("lengths", corpus(tmp_path / "c.jsonl", PAIRS))
    assert first is not None
    assert first == run_analysis("lengths", corpus(tmp_path / "c.jsonl", shuffled(PAIRS)))


@given(st.lists(st.integers(0, 20), min_size=1))
def test_the_median_of_counts_is_the_median(values: list[int]) -> None:
    assert _median(Counter(values)) == median(values)
