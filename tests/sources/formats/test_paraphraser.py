"""ParaPhraser.ru: XML that names its encoding wrongly."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import pairs, rejected


def test_pairs(fixtures: Path) -> None:
    results = pairs(fixtures / "paraphraser" / "paraphrases.xml")
    assert results[0] == Pair(
        id="1",
        text1="Мост через реку открыли в субботу",
        text2="В субботу открылся мост & дорога",
        lang="ru",
        scores={"jaccard": 0.65},
        label="0",
        meta={"id_1": "201", "id_2": "8159"},
    )
    assert [(pair.id, pair.label) for pair in results[1:]] == [("2", "1"), ("paraphrases:3", "-1")]


def test_wide_characters(fixtures: Path) -> None:
    assert [pair.text1 for pair in pairs(fixtures / "paraphraser" / "wide.xml")] == ["Снег растаял"]


def test_what_is_written_other_tools_can_read(fixtures: Path, tmp_path: Path) -> None:
    file = tmp_path / "again.xml"
    write_records(pairs(fixtures / "paraphraser" / "paraphrases.xml"), file, "paraphraser")
    row = ElementTree.parse(file).getroot().find("corpus/paraphrase")
    assert row is not None
    assert [value.get("name") for value in row] == ["id", "id_1", "id_2", "text_1", "text_2", "jaccard", "class"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"text_1": "а", "text_2": "б", "class": "2"}, "class: one of -1, 0, 1 is expected, found '2'"),
        ({"text_1": "а", "class": "1"}, "no value named text_2; found: text_1, class"),
        ({"text_1": "а", "text_2": "б", "jaccard": "много"}, "jaccard: a number is expected, found 'много'"),
    ],
)
def test_bad_rows(values: dict[str, str], reason: str, tmp_path: Path) -> None:
    cells = "".join(f'<value name="{name}">{text}</value>' for name, text in values.items())
    file = tmp_path / "bad.xml"
    file.write_text(f"<data><corpus>\n<paraphrase>{cells}</paraphrase></corpus></data>", encoding="utf-8")
    assert rejected(file, "paraphraser", tmp_path) == [(2, reason)]


def test_another_root(tmp_path: Path) -> None:
    file = tmp_path / "other.xml"
    file.write_text("<corpus/>")
    with raises("wrong-root"):
        pairs(file, "paraphraser")
