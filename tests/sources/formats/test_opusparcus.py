"""Opusparcus: annotated files with a mean, training files with measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_annotated(fixtures: Path) -> None:
    first, second = pairs(fixtures / "opusparcus" / "dev.txt")
    assert first == Pair(
        id="fi-D1",
        text1="Tule tänne .",
        text2="Tulehan tänne .",
        lang="fi",
        label="4.0",
        meta={"tokeniser": "blank"},
    )
    assert (second.id, second.label) == ("fi-D2", "1.5")


def test_ranked(fixtures: Path) -> None:
    first, _ = pairs(fixtures / "opusparcus" / "train.txt.bz2")
    assert (first.id, first.lang, first.label) == ("sv-N1", "sv", None)
    assert first.meta == {
        "tokeniser": "blank",
        "pmi": "88.25",
        "expected_frequency": "12.5",
        "pivot_languages": "5",
        "edit_distance": "2",
    }


def test_further_columns_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "more.txt"
    file.write_text("x1\ta\tb\t2.5\tnote\tother\t\n", encoding="utf-8")
    (pair,) = pairs(file, "opusparcus")
    assert (pair.label, pair.lang, pair.meta) == ("2.5", None, {"tokeniser": "blank", "columns": ["note", "other"]})
    again = tmp_path / "again.txt"
    write_records([pair], again, "opusparcus")
    assert again.read_bytes() == b"x1\ta\tb\t2.5\tnote\tother\n"


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("en-T1\ta\nen-T2\ta\tb\t5\nen-T3\ta\tb\tgood\nen-T4\ta\tb\n", encoding="utf-8")
    assert rejected(file, "opusparcus", tmp_path) == [
        (1, "2 columns found, at least 3 expected"),
        (2, "score: a number from 1 to 4 is expected, found '5'"),
        (3, "score: a number from 1 to 4 is expected, found 'good'"),
    ]
    assert read(file, "opusparcus", on_error="skip")[1].marked == {"no label": 1}


@pytest.mark.parametrize("name", ["dev.txt", "train.txt.bz2"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "opusparcus" / name) == "opusparcus"
    check_round_trip(fixtures / "opusparcus" / name, "opusparcus", tmp_path)
