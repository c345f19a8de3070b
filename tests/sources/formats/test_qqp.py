"""Quora Question Pairs, with tabs and with commas."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_tsv(fixtures: Path) -> None:
    records, log = read(fixtures / "qqp" / "pairs.tsv")
    assert records[1] == Pair(
        id="1",
        text1='Is this\nreally "fresh" bread?',
        text2="How long does bread keep?",
        lang="en",
        label="0",
        meta={"qid1": "3", "qid2": "4"},
    )
    assert [pair.id for pair in records if isinstance(pair, Pair)] == ["0", "1", "2"]
    assert log.marked == {"an empty text": 1}


def test_csv(fixtures: Path) -> None:
    first, second = pairs(fixtures / "qqp" / "pairs.csv")
    assert (first.text1, first.label) == ("Where, if anywhere, do swifts sleep?", "0")
    assert (second.text1, second.label) == ('How tall is "the" tower?', "1")


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("id,qid1,qid2,question1,question2,is_duplicate\n1,1,2,a,b,maybe\n2,1,2,a,b\n", encoding="utf-8")
    assert rejected(file, "qqp", tmp_path) == [
        (2, "label 'maybe' is not one of 0, 1"),
        (3, "5 columns found, 6 expected"),
    ]


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.csv"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "qqp" / name) == "qqp"
    check_round_trip(fixtures / "qqp" / name, "qqp", tmp_path)
