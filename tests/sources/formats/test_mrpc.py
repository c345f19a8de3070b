"""The Microsoft Research Paraphrase Corpus: a byte order mark, and quotes that are text."""

from __future__ import annotations

from pathlib import Path

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.sources.laws import check_round_trip, pairs, recognised, rejected


def test_pairs(fixtures: Path) -> None:
    first, second = pairs(fixtures / "mrpc" / "train.txt")
    assert first == Pair(
        id="7001-7002",
        text1='The mayor said "we will rebuild" on Friday.',
        text2='"We will rebuild," the mayor said Friday.',
        lang="en",
        label="1",
        meta={"id1": "7001", "id2": "7002"},
    )
    assert second.text1 == '"Prices fell by 3 percent.'


def test_in_utf16(fixtures: Path, tmp_path: Path) -> None:
    wide = tmp_path / "train.txt"
    wide.write_bytes((fixtures / "mrpc" / "train.txt").read_bytes().decode("utf-8-sig").encode("utf-16"))
    assert pairs(wide) == pairs(fixtures / "mrpc" / "train.txt")


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\nyes\t1\t2\ta\tb\n1\t1\t2\ta\n", encoding="utf-8")
    assert rejected(file, "mrpc", tmp_path) == [
        (2, "label 'yes' is not one of 0, 1"),
        (3, "4 columns found, 5 expected"),
    ]


def test_round_trip(fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "mrpc" / "train.txt") == "mrpc"
    check_round_trip(fixtures / "mrpc" / "train.txt", "mrpc", tmp_path)


def test_a_pair_from_elsewhere_lends_its_sentences_ids(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    write_records([Pair(id="p", text1="a\tb", text2="c\nd", label="1")], file, "mrpc")
    assert file.read_bytes().decode() == "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\tp.1\tp.2\ta b\tc d\n"
