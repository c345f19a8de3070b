"""TaPaCo: sets become pairs."""

from __future__ import annotations

from pathlib import Path

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_all_pairs_within_a_set(fixtures: Path) -> None:
    records, log = read(fixtures / "tapaco" / "en.txt")
    assert records[0] == Pair(
        id="1:101-102",
        text1="Let us begin.",
        text2="We should start.",
        lang="en",
        group="1",
        meta={"id1": "101", "id2": "102", "columns2": ["list one;list two", "formal"]},
    )
    assert [pair.id for pair in records if isinstance(pair, Pair)] == [
        "1:101-102",
        "1:101-103",
        "1:102-103",
        "3:301-302",
    ]
    assert log.marked == {"a set of one sentence, which makes no pair": 1}


def test_header_and_missing_columns(tmp_path: Path) -> None:
    file = tmp_path / "short.txt"
    file.write_text("paraphrase_set_id\tsentence_id\tparaphrase\n5\t1\ta\n5\t2\tb\n", encoding="utf-8")
    (pair,) = pairs(file, "tapaco")
    assert (pair.group, pair.lang, pair.text2) == ("5", None, "b")


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("1\t1\ta\ten\n1\t2\n2\t3\tc\ten\n1\t4\td\ten\n\t5\te\ten\n", encoding="utf-8")
    assert rejected(file, "tapaco", tmp_path) == [
        (2, "2 columns found, at least 3 expected"),
        (4, "the rows of set 1 are not adjacent; sort the file by set"),
        (5, "no set id"),
    ]


def test_round_trip(fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "tapaco" / "en.txt") == "tapaco"
    check_round_trip(fixtures / "tapaco" / "en.txt", "tapaco", tmp_path)


def test_pairs_from_elsewhere_are_sets_of_two(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    write_records([Pair(id="p", text1="a", text2="b", lang="sv"), Pair(id="q", text1="c", text2="d")], file, "tapaco")
    assert (
        file.read_text(encoding="utf-8") == "p\tp.1\ta\t\t\tsv\np\tp.2\tb\t\t\tsv\nq\tq.1\tc\t\t\t\nq\tq.2\td\t\t\t\n"
    )
