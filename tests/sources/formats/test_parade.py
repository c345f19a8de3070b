"""PARADE: two labels a pair."""

from __future__ import annotations

from pathlib import Path

from otherwords.records import Pair
from tests.sources.laws import check_round_trip, pairs, recognised, rejected


def test_pairs(fixtures: Path) -> None:
    results = pairs(fixtures / "parade" / "train.txt")
    assert results[0] == Pair(
        id="train:2",
        text1="a list where what comes first leaves first",
        text2="first in, first out storage",
        lang="en",
        group="queue",
        label="1",
        meta={"four_class": "3"},
    )
    assert [(pair.group, pair.label, pair.meta["four_class"]) for pair in results[1:]] == [
        ("queue", "0", "0"),
        ("heap", "0", "1"),
    ]


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    header = "Four-class labels\tBinary labels\tEntity\tDefinition1\tDefinition2\n"
    file.write_text(header + "4\t1\te\ta\tb\n3\t2\te\ta\tb\n3\t1\te\ta\n", encoding="utf-8")
    assert rejected(file, "parade", tmp_path) == [
        (2, "four-class label: one of 0, 1, 2, 3 is expected, found '4'"),
        (3, "label '2' is not one of 0, 1"),
        (4, "4 columns found, 5 expected"),
    ]


def test_round_trip(fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "parade" / "train.txt") == "parade"
    check_round_trip(fixtures / "parade" / "train.txt", "parade", tmp_path)
