"""MultiPIT as a table and as an object of references."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from otherwords.sources.format import Head
from otherwords.sources.formats import FORMATS
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised, rejected


def test_the_table(fixtures: Path) -> None:
    results = pairs(fixtures / "multipit" / "pairs.csv", "multipit")
    assert [(pair.id, pair.text1, pair.label) for pair in results] == [
        ("pairs:2", "The bridge, at last, is open", "1"),
        ("pairs:3", 'She said "no" twice', "0"),
        ("pairs:5", "Rain all day in the north", "1"),
    ]
    assert {pair.lang for pair in results} == {"en"}


def test_every_reference_is_a_pair_and_the_source_their_group(fixtures: Path) -> None:
    results = pairs(fixtures / "multipit" / "references.json", "multipit")
    assert results[0] == Pair(
        id="references:1:1",
        text1="The mayor resigned this morning",
        text2="The mayor quit today",
        lang="en",
        group="The mayor resigned this morning",
        meta={"reference": 1},
    )
    assert [pair.id for pair in results] == [f"references:{place}" for place in ("1:1", "1:2", "2:1", "2:2", "2:3")]
    assert len({pair.group for pair in results}) == 2


def test_references_are_written_as_the_object(fixtures: Path, tmp_path: Path) -> None:
    original, file = fixtures / "multipit" / "references.json", tmp_path / "again.json"
    write_records(pairs(original), file, "multipit")
    assert json.loads(file.read_bytes()) == json.loads(original.read_bytes())


def test_bad_rows(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("sentence1,sentence2,label\na,b,2\nc,d\ne,f,1\n")
    assert rejected(table, "multipit", tmp_path) == [
        (2, "label '2' is not 0 or 1"),
        (3, "2 columns found, 3 expected"),
    ]
    references = tmp_path / "refs.json"
    references.write_text('{"a": ["b"],\n"c": "d",\n"e": [1]}')
    assert [line for line, _ in rejected(references, "multipit", tmp_path)] == [2, 3]


def test_the_automatic_part_has_no_labels(tmp_path: Path) -> None:
    table = tmp_path / "auto.csv"
    table.write_text('sentence1,sentence2\n"Rain, again","It rains once more"\n')
    records, log = read(table, "multipit")
    assert records == [Pair(id="auto:2", text1="Rain, again", text2="It rains once more", lang="en")]
    assert not log.marked


@pytest.mark.parametrize("name", ["pairs.csv", "references.json"])
def test_recognised_only_the_language_is_not_known(name: str, fixtures: Path) -> None:
    file = fixtures / "multipit" / name
    assert recognised(file) == "multipit"
    assert {pair.lang for pair in pairs(file)} == {None}
    assert {pair.lang for pair in pairs(file, lang="fi")} == {"fi"}


def test_a_label_may_be_kept_back(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    write_records([Pair(id="1", text1="a", text2="b")], file, "multipit")
    records, log = read(file, "multipit")
    assert [pair.label for pair in records if isinstance(pair, Pair)] == [None]
    assert log.marked == {"no label": 1}


@pytest.mark.parametrize("content", ['{"splits": ["train", "test"]}', '{"names": ["a b", "c d"]}', '{"a b": ["c d"]}'])
def test_objects_of_other_kinds(content: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    assert not FORMATS.get("multipit").sniff(Head(".json", file.read_bytes()))


def test_another_header_is_another_format(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("sentence1,sentence2,label,split\na,b,1,dev\n")
    assert recognised(table) == "csv"
    assert pairs(table, "multipit")[0].meta == {"split": "dev"}
    table.write_text("first,second\na,b\n")
    with raises("missing-column", match=r"pairs\.csv: .*'sentence1', 'sentence2' .*found: first, second"):
        pairs(table, "multipit")
