"""PAWS with and without header."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, recognised, rejected


def test_with_header(fixtures: Path) -> None:
    first, second = pairs(fixtures / "paws" / "header.tsv", "paws")
    assert first == Pair(
        id="1", text1="Anna wrote to Boris from Riga .", text2="Boris wrote to Anna from Riga .", lang="en", label="0"
    )
    assert second.text1 == 'The lake lies "north" of the hill .'


def test_without_header_with_trailing_tab_and_no_last_newline(fixtures: Path) -> None:
    results = pairs(fixtures / "paws" / "plain.tsv")
    assert [(pair.id, pair.label) for pair in results] == [("11", "0"), ("12", "1"), ("13", "0")]
    assert results[2].text2 == "She danced , then he sang ."


def test_the_silver_files_call_the_label_noisy(tmp_path: Path) -> None:
    file = tmp_path / "silver.tsv"
    file.write_text("id\tsentence1\tsentence2\tnoisy_label\n5\ta\tb\t1\n", encoding="utf-8")
    assert recognised(file) == "paws"
    assert [pair.label for pair in pairs(file)] == ["1"]


@pytest.mark.parametrize("name", ["header.tsv", "plain.tsv"])
def test_recognised_only_the_language_is_not_known(name: str, fixtures: Path) -> None:
    assert {pair.lang for pair in pairs(fixtures / "paws" / name)} == {None}


def test_a_label_of_another_scheme_far_down_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "x.tsv"
    file.write_text("id\tsentence1\tsentence2\tlabel\n" + "1\ta\tb\t0\n" * 60 + "2\ta\tb\t3\n", encoding="utf-8")
    reason = "line 62: label '3' is not one of 0, 1; if this is not paws, name its format with --from"
    with raises("bad-row", match=reason):
        pairs(file)


def test_another_language_may_be_named(fixtures: Path) -> None:
    assert {pair.lang for pair in pairs(fixtures / "paws" / "plain.tsv", lang="de")} == {"de"}


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.tsv"
    file.write_text("1\ta\tb\t0\n2\ta\tb\n3\ta\tb\tc\t1\n4\ta\tb\t-1\n", encoding="utf-8")
    assert rejected(file, "paws", tmp_path) == [
        (2, "3 columns found, 4 expected"),
        (3, "5 columns found, 4 expected"),
        (4, "label '-1' is not one of 0, 1"),
    ]


@pytest.mark.parametrize("name", ["header.tsv", "plain.tsv"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "paws" / name) == "paws"
    check_round_trip(fixtures / "paws" / name, "paws", tmp_path)


def test_the_released_development_file(shared_data: Path) -> None:
    corpus = pairs(shared_data / "paws-wiki" / "dev.tsv")
    assert Counter(pair.label for pair in corpus) == {"0": 4461, "1": 3539}
    assert [pair.id for pair in corpus] == [str(number) for number in range(1, 8001)]
    assert not any(pair.meta for pair in corpus)
