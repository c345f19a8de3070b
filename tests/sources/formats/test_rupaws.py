"""RuPAWS: semicolons, quotes, and a column without a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.sources.laws import check_round_trip, pairs, recognised, rejected


def test_plain(fixtures: Path) -> None:
    first, second = pairs(fixtures / "rupaws" / "plain.csv", "rupaws")
    assert first == Pair(
        id="plain:2",
        text1="Поезд из Пскова; он идёт в Тверь.",
        text2="Поезд из Твери идёт в Псков.",
        lang="ru",
        label="0",
    )
    assert (second.text1, second.label) == ('Книга "Берег" вышла весной.', "1")


def test_the_column_of_row_numbers(fixtures: Path) -> None:
    first, second = pairs(fixtures / "rupaws" / "numbered.csv")
    assert (first.id, first.meta) == ("numbered:2", {"index": "4"})
    assert (second.id, second.text1, second.meta) == ("numbered:3", "Сначала чай,\nпотом прогулка.", {"index": "9"})


def test_recognised_only_the_language_is_not_known(fixtures: Path) -> None:
    assert {pair.lang for pair in pairs(fixtures / "rupaws" / "plain.csv")} == {None}
    assert {pair.lang for pair in pairs(fixtures / "rupaws" / "plain.csv", lang="uk")} == {"uk"}


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("sentence1;sentence2;label\nа;б;2\nа;б\nа;б;в;1\n", encoding="utf-8")
    assert rejected(file, "rupaws", tmp_path) == [
        (2, "label '2' is not one of 0, 1"),
        (3, "2 columns found, 3 expected"),
        (4, "4 columns found, 3 expected"),
    ]


@pytest.mark.parametrize("name", ["plain.csv", "numbered.csv"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "rupaws" / name) == "rupaws"
    check_round_trip(fixtures / "rupaws" / name, "rupaws", tmp_path)


def test_the_first_line_may_name_the_delimiter_for_excel(fixtures: Path, tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_bytes(b"sep=;\r\n" + (fixtures / "rupaws" / "plain.csv").read_bytes())
    assert recognised(file) == "rupaws"
    assert [pair.label for pair in pairs(file)] == ["0", "1"]
