"""The Twitter URL corpus, as one file and as three."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources.formats.twitter_url import FORMAT
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def folder(path: Path, first: str, second: str, third: str) -> Path:
    path.mkdir()
    for name, text in (("a.toks", first), ("b.toks", second), ("sim.txt", third)):
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_the_file(fixtures: Path) -> None:
    records, log = read(fixtures / "twitter-url" / "train.txt")
    assert records[0] == Pair(
        id="train:1",
        text1="Lighthouse opens to visitors",
        text2="Visitors may now climb the lighthouse",
        lang="en",
        group="https://example.org/a1",
        label="1",
        meta={"votes": {"yes": 6, "no": 0}, "url": "https://example.org/a1"},
    )
    found = [(pair.id, pair.label, pair.meta["votes"]["yes"]) for pair in records if isinstance(pair, Pair)]
    assert found == [("train:1", "1", 6), ("train:3", "0", 1), ("train:4", None, 3), ("train:5", "1", 4)]
    assert log.marked == {"debatable": 1}


def test_the_folder(fixtures: Path) -> None:
    records, log = read(fixtures / "twitter-url" / "tokens")
    assert records[0] == Pair(
        id="tokens:1",
        text1="the ferry is back",
        text2="ferry service returns",
        lang="en",
        label="1",
        meta={"votes": {"yes": 5, "no": 1}, "tokeniser": "blank"},
    )
    assert [pair.label for pair in records if isinstance(pair, Pair)] == ["1", "0", None]
    assert log.marked == {"debatable": 1}


def test_bare_numbers_are_votes_if_any_is_above_one(tmp_path: Path) -> None:
    labels = pairs(folder(tmp_path / "labels", "a\nb\n", "c\nd\n", "0\n1\n"), "twitter-url")
    votes = pairs(folder(tmp_path / "votes", "a\nb\n", "c\nd\n", "1\n5\n"), "twitter-url")
    assert [pair.label for pair in labels] == ["0", "1"]
    assert [pair.label for pair in votes] == ["0", "1"]
    assert [pair.meta.get("votes") for pair in labels + votes] == [None, None, {"yes": 1, "no": 5}, {"yes": 5, "no": 1}]


def test_judgements(fixtures: Path, tmp_path: Path) -> None:
    judgements, _ = read(fixtures / "twitter-url" / "train.txt", noun="judgements")
    assert [
        judgement.value for judgement in judgements if isinstance(judgement, Judgement) and judgement.pair == "train:3"
    ] == [True] + [False] * 5
    with raises("no-judgements", match=r"sim\.txt: line 1: votes are expected"):
        read(folder(tmp_path / "labels", "a\n", "c\n", "0\n"), "twitter-url", noun="judgements")


def test_files_of_different_lengths_are_an_error(tmp_path: Path) -> None:
    with raises("unequal-files", match=r"b\.toks: the file ends after line 1, but .*a\.toks has more"):
        read(folder(tmp_path / "odd", "a\nb\n", "c\n", "(1,6)\n(1,6)\n"), "twitter-url", on_error="skip")


@pytest.mark.parametrize("place", [0, 1])
def test_a_line_that_cannot_be_read_takes_its_partners_with_it(place: int, tmp_path: Path) -> None:
    path = folder(tmp_path / "bad", "a\nb\n", "c\nd\n", "(5,6)\n(6,6)\n")
    lines = [b"c\n", b"d\n"]
    lines[place] = b"\xff\n"
    (path / "b.toks").write_bytes(b"".join(lines))
    records, log = read(path, "twitter-url", on_error="skip")
    assert [pair.text1 for pair in records if isinstance(pair, Pair)] == ["ba"[place]]
    assert log.skipped["the same line of another file cannot be read"] == 1
    assert log.skipped.total() == 2


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    rows = ["a\tb", "a\tb\t(7,6)\tu", "a\tb\t(2,5)\tu", "a\tb\tyes\tu", "a\tb\t(1,6)\tu\tv", "a\tb\t(1,6)"]
    file.write_text("\n".join(rows), encoding="utf-8")
    expected = "votes (n,6) with n from 0 to 6 are expected, found"
    assert rejected(file, "twitter-url", tmp_path) == [
        (1, "2 columns found, 4 expected"),
        (2, f"{expected} '(7,6)'"),
        (3, f"{expected} '(2,5)'"),
        (4, f"{expected} 'yes'"),
        (5, "5 columns found, 4 expected"),
    ]
    records, log = read(file, "twitter-url", on_error="skip")
    assert len(records) == 1
    assert log.marked == {"no URL": 1}


def test_round_trip(fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "twitter-url" / "train.txt") == "twitter-url"
    assert recognised(fixtures / "twitter-url" / "tokens") == "twitter-url"
    check_round_trip(fixtures / "twitter-url" / "train.txt", "twitter-url", tmp_path)


def test_a_pair_without_votes_or_binary_label_is_refused() -> None:
    with raises("bad-label", match="pair 7: label None .*6 votes"):
        FORMAT.write([Pair(id="7", text1="a", text2="b")], io.BytesIO())


def test_an_empty_column_before_the_link(tmp_path: Path) -> None:
    file = tmp_path / "test.txt"
    file.write_text("The ferry is back\tFerry returns\t(5,6)\t\thttps://example.org/f\nRain\tSnow\t(0,6)\t\n")
    first, second = pairs(file, "twitter-url")
    assert (first.group, first.label, first.meta["url"]) == ("https://example.org/f", "1", "https://example.org/f")
    assert (second.group, second.label) == (None, "0")
