"""N-gram overlap by what a label says."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled

SWAPPED = Pair(id="n", text1="a good man turns bad", text2="a bad man turns good", label="0")
KEPT = Pair(id="p", text1="a b c", text2="a b c d", label="1")
APART = Pair(id="q", text1="a b", text2="c d", label="1")


def test_by_hand(tmp_path: Path) -> None:
    finding = checked_finding("ngrams", corpus(tmp_path / "c.jsonl", [SWAPPED, KEPT, APART]))
    rows = {row["kind"]: row for row in cells(finding, "kinds")}
    assert list(rows) == ["positive", "negative"]
    # five words and "man turns" of 5 + 4 + 3 n-grams
    assert rows["negative"]["mean"] == pytest.approx(6 / 12)
    assert rows["negative"]["over_half"] == 0.0, "a half is not over a half"
    assert (rows["positive"]["mean"], rows["positive"]["over_half"]) == (0.5, 0.5)
    ranges = cells(finding, "ranges")
    assert (ranges[0]["positive"], ranges[5]["negative"], ranges[10]["positive_share"]) == (1, 1, 0.5)
    assert finding.signatures["kinds"].startswith("overlap|n:1-3|tok:words")


def test_without_negatives_there_is_a_remark(tmp_path: Path) -> None:
    finding = checked_finding("ngrams", corpus(tmp_path / "c.jsonl", [KEPT, APART]))
    assert finding.remarks[0] == "no label says no, so there are no non-paraphrases to analyse"
    assert not finding.figures  # a line through two pairs says nothing
    assert finding.remarks[1].startswith("no line is drawn for “positive”: 2 pairs")


def test_order_does_not_matter(tmp_path: Path) -> None:
    pairs = [SWAPPED, KEPT, APART]
    first = run_analysis("ngrams", corpus(tmp_path / "c.jsonl", pairs))
    assert first is not None
    assert first == run_analysis("ngrams", corpus(tmp_path / "c.jsonl", shuffled(pairs)))
