"""PIT-2015: votes of five, or an expert's digit."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair
from otherwords.sources import write
from otherwords.sources.formats.pit2015 import FORMAT
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_votes(fixtures: Path) -> None:
    records, account = read(fixtures / "pit2015" / "train.data")
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
    assert account.marked == {"debatable": 1, "not 5 votes": 1}


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
    first = [one for one in judgements if isinstance(one, Judgement) and one.pair == "train:1"]
    assert [one.value for one in first] == [True, True, True, True, False]
    assert [one.id for one in first] == [f"train:1/{number}" for number in range(1, 6)]
    assert {(one.kind, one.annotator, one.scheme) for one in first} == {("vote", None, "binary-loose")}
    assert len(judgements) == 5 + 5 + 5 + 6


def test_the_digit_is_one_judgement(fixtures: Path) -> None:
    judgements, _ = read(fixtures / "pit2015" / "test.data", noun="judgements")
    assert [one.value for one in judgements if isinstance(one, Judgement)] == [5, 2, 3]


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.data"
    file.write_text("1\tt\ta\tb\t6\tx\ty\n1\tt\ta\tb\n1\tt\ta\tb\t(3; 2)\tx\ty\n", encoding="utf-8")
    assert rejected(file, "pit2015", tmp_path) == [
        (1, "votes '6' are neither of the form (3, 2) nor a digit 0-5"),
        (2, "4 columns where 7 are expected"),
        (3, "votes '(3; 2)' are neither of the form (3, 2) nor a digit 0-5"),
    ]


@pytest.mark.parametrize("name", ["train.data", "test.data"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "pit2015" / name) == "pit2015"
    check_round_trip(fixtures / "pit2015" / name, "pit2015", tmp_path)


def test_a_label_without_votes_is_a_digit(tmp_path: Path) -> None:
    file = tmp_path / "new.data"
    write([Pair(id="1", text1="a", text2="b", label=label) for label in "10"], file, "pit2015")
    assert [pair.label for pair in pairs(file, "pit2015")] == ["1", "0"]


def test_a_label_that_it_cannot_hold_is_refused() -> None:
    with pytest.raises(WriteError, match="pair 7: label '4>s' cannot be written as pit2015"):
        FORMAT.write([Pair(id="7", text1="a", text2="b", label="4>s")], io.BytesIO())
