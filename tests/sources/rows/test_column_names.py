"""The user's names for fields in rows of JSON, and languages that rows say themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherwords.records import Pair
from otherwords.sources.rows.column_names import FieldNames
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises
from tests.sources.laws import pairs, read


def field_names(**columns: str) -> FieldNames:
    return FieldNames(Source(Path("x.jsonl"), ReadLog(), columns=columns))


@pytest.mark.parametrize(
    ("columns", "row", "named"),
    [
        ({}, {"text1": 1, "text2": 2}, {"text1": 1, "text2": 2}),
        ({}, {"premise": 1, "hypothesis": 2}, {"text1": 1, "text2": 2}),
        ({}, {"sentence1": 1, "sentence2": 2, "text1": 3}, {"text1": 1, "text2": 2, "text1 (unused)": 3}),
        ({"text1": "l"}, {"l": 1, "text2": 2, "text1": 3}, {"text1": 1, "text2": 2, "text1 (unused)": 3}),
        ({"text1": "l"}, {"l": 1, "sentence1": 2, "sentence2": 3}, {"text1": 1, "sentence1": 2, "sentence2": 3}),
        ({"text1": "text2", "text2": "text1"}, {"text1": 1, "text2": 2}, {"text2": 1, "text1": 2}),
        ({"label": "source"}, {"text1": 1, "text2": 2}, {"text1": 1, "text2": 2}),
    ],
)
def test_names(columns: dict[str, str], row: dict[str, Any], named: dict[str, Any]) -> None:
    original = dict(row)
    assert field_names(**columns).rename_texts(row) == named
    assert row == original


def test_only_the_users_names() -> None:
    assert field_names(label="l").rename({"sentence1": 1, "sentence2": 2, "l": 3}) == {
        "sentence1": 1,
        "sentence2": 2,
        "label": 3,
    }


def test_a_column_must_be_in_some_row() -> None:
    names = field_names(label="l", id="n")
    names.check_all_seen()  # no rows, nothing to say
    names.rename_texts({"text1": 1, "text2": 2, "l": 3})
    with raises("missing-column", match="no row has the field 'n', named for id; known: text1, text2, l"):
        names.check_all_seen()
    names.rename_texts({"n": 3})
    names.check_all_seen()


TASK = {"id": 7, "left": "a", "right": "b", "lang": "sv"}
FILES = {
    "doccano": {"text": "a b", "label": ["4"], **TASK},
    "prodigy": {"_input_hash": 7, "_task_hash": 8, "accept": ["4"], "answer": "accept", **TASK},
    "labelstudio": [{"id": 7, "data": TASK, "annotations": []}],
}


@pytest.mark.parametrize("format", FILES)
def test_the_fields_of_tasks(format: str, tmp_path: Path) -> None:
    file = tmp_path / "anna.jsonl"
    file.write_text(json.dumps(FILES[format]), "utf-8")
    texts = {"text1": "left", "text2": "right"}
    for noun in ("pairs", "judgements"):
        with raises("missing-column", match="no row has the field 'when', named for time"):
            read(file, format, noun=noun, columns={**texts, "time": "when"})
    (pair,) = pairs(file, format, columns=texts, lang="fi")
    assert (pair.id, pair.text1, pair.text2, pair.lang) == ("7", "a", "b", "sv")


@pytest.mark.parametrize(
    ("name", "format", "langs"),
    [
        ("tatoeba/sample.fin-fin.txt.gz", "tatoeba", {"fi"}),
        ("tatoeba/sample.eng-fin.txt", "tatoeba", {"de"}),
        ("opusparcus/dev.txt", "opusparcus", {"fi"}),
        ("tapaco/en.txt", "tapaco", {"en"}),
        ("p4p/corpus.xml", "p4p", {"en"}),
    ],
)
def test_the_language_of_the_reading_is_for_texts_that_do_not_say_theirs(
    name: str, format: str, langs: set[str], fixtures: Path
) -> None:
    assert {pair.lang for pair in pairs(fixtures / name, format, lang="de")} == langs


def test_and_for_all_others(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("x1\ta\tb\t2.5\n", encoding="utf-8")
    assert pairs(file, "opusparcus", lang="de")[0].lang == "de"
    file.write_text("5\t1\ta\n5\t2\tb\n", encoding="utf-8")
    assert pairs(file, "tapaco", lang="de")[0].lang == "de"
    file.write_text('{"text": "ab", "text1": "a", "text2": "b", "label": []}\n', encoding="utf-8")
    assert pairs(file, "doccano", lang="de") == [Pair(id="x:1", text1="a", text2="b", lang="de", meta={"text": "ab"})]
