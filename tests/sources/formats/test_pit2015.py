"""PIT-2015: votes of five, or an expert's digit."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from otherwords.sources.formats.pit2015 import FORMAT
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_votes(fixtures: Path) -> None:
    records, log = read(fixtures / "pit2015" / "train.data")
    assert records[0] == Pair(
        id="train:1",
        text1="the night train is late again",
        text2="night train delayed once more",
        lang="en",
        group="17",
        label="1",
        meta={
            "votes": {"yes": 4, "no": 1},
            "topic": "Night Train",
            "tags1": "the/O/DT/B-NP/O night/O/NN/I-NP/O",
            "tags2": "night/O/NN/B-NP/O",
        },
    )
    assert [(pair.id, pair.label) for pair in records if isinstance(pair, Pair)] == [
        ("train:1", "1"),
        ("train:2", "0"),
        ("train:4", None),
        ("train:5", "1"),
    ]
    assert isinstance(records[2], Pair)
    assert records[2].meta["debatable"] is True
    assert log.marked == {"debatable": 1, "not 5 votes": 1}


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ("(5, 0)", "1"),
        ("(3, 2)", "1"),
        ("(2, 3)", None),
        ("(1,4)", "0"),
        ("(0, 5)", "0"),
        ("5", "1"),
        ("4", "1"),
        ("3", None),
        ("2", "0"),
        ("1", "0"),
        ("0", "0"),
    ],
)
def test_thresholds(votes: str, label: str | None, tmp_path: Path) -> None:
    file = tmp_path / "one.data"
    file.write_text(f"1\tt\ta\tb\t{votes}\tx/y\tx/y\n", encoding="utf-8")
    (pair,) = pairs(file, "pit2015")
    assert pair.label == label
    assert pair.meta.get("debatable", False) is (label is None)


def test_votes_are_anonymous_judgements(fixtures: Path) -> None:
    judgements, _ = read(fixtures / "pit2015" / "train.data", noun="judgements")
    first = [judgement for judgement in judgements if isinstance(judgement, Judgement) and judgement.pair == "train:1"]
    assert [judgement.value for judgement in first] == [True, True, True, True, False]
    assert [judgement.id for judgement in first] == [f"train:1/{number}" for number in range(1, 6)]
    assert {(judgement.kind, judgement.annotator, judgement.scheme) for judgement in first} == {
        ("vote", None, "binary-loose")
    }
    assert len(judgements) == 5 + 5 + 5 + 6


def test_the_digit_is_one_judgement(fixtures: Path) -> None:
    judgements, _ = read(fixtures / "pit2015" / "test.data", noun="judgements")
    assert [judgement.value for judgement in judgements if isinstance(judgement, Judgement)] == [5, 2, 3]


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.data"
    file.write_text("1\tt\ta\tb\t6\tx\ty\n1\tt\ta\tb\n1\tt\ta\tb\t(3; 2)\tx\ty\n", encoding="utf-8")
    assert rejected(file, "pit2015", tmp_path) == [
        (1, "votes such as (3, 2) or a digit from 0 to 5 are expected, found '6'"),
        (2, "4 columns found, 7 expected"),
        (3, "votes such as (3, 2) or a digit from 0 to 5 are expected, found '(3; 2)'"),
    ]


@pytest.mark.parametrize("name", ["train.data", "test.data"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "pit2015" / name) == "pit2015"
    check_round_trip(fixtures / "pit2015" / name, "pit2015", tmp_path)


def test_a_label_without_votes_is_a_digit(tmp_path: Path) -> None:
    file = tmp_path / "new.data"
    write_records([Pair(id="1", text1="a", text2="b", label=label) for label in "10"], file, "pit2015")
    assert [pair.label for pair in pairs(file, "pit2015")] == ["1", "0"]


def test_a_label_that_it_cannot_hold_is_refused() -> None:
    with raises("bad-label", match="pair 7: label '4>s' cannot be written as pit2015"):
        FORMAT.write([Pair(id="7", text1="a", text2="b", label="4>s")], io.BytesIO())
