"""Our JSON Lines."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.records import Judgement, Pair, Record
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources import anything
from tests.sources.laws import pairs, read, rejected


@pytest.mark.parametrize("noun", list(anything.NOUNS))
def test_nothing_is_lost(noun: str) -> None:
    @settings(max_examples=60)
    @given(st.lists(anything.NOUNS[noun], min_size=1, max_size=3))
    def law(records: list[Record]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.jsonl"
            write_records(records, file)
            assert read(file, noun=noun)[0] == records

    law()


def test_unknown_fields_go_to_meta_and_numbers_become_labels(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": 5, "text1": "a", "text2": "b", "label": 1, "origin": "web", "meta": {"k": 2}}\n', "utf-8")
    assert pairs(file) == [Pair(id="5", text1="a", text2="b", label="1", meta={"k": 2, "origin": "web"})]


def test_a_row_without_id_is_called_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('\n{"text1": "a", "text2": "b"}\n', "utf-8")
    assert pairs(file)[0].id == "x:2"


def test_a_field_of_the_same_name_as_one_of_meta_does_not_overwrite_it(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "1", "text1": "a", "text2": "b", "foo": 1, "meta": {"foo": 2}}\n', "utf-8")
    assert pairs(file)[0].meta == {"foo": 2, "foo (field)": 1}


@pytest.mark.parametrize("more", ["", '{"id": 5, "text1": "c", "text2": "d"}\n'])
def test_labels_are_spelled_in_one_way(more: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    labels = ["4si>", "4>is", " 4s", "4s ", "x"]
    rows = [{"id": str(n), "text1": "a", "text2": "b", "label": label} for n, label in enumerate(labels)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + more, "utf-8")
    assert [pair.label for pair in pairs(file)][:5] == ["4>is", "4>is", "4s", "4s", "x"]


def test_columns_are_named_even_where_the_rows_are_ours(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    row = '{"id": "1", "text1": "a", "text2": "b", "label": "2", "source": "4s>"}\n'
    file.write_text(row + '{"id": "2", "text1": "c", "text2": "d"}\n', "utf-8")
    assert pairs(file, columns={"label": "source"}) == [
        Pair(id="1", text1="a", text2="b", label="4>s", meta={"label (unused)": "2"}),
        Pair(id="2", text1="c", text2="d"),
    ]


def test_a_column_that_no_row_has(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "1", "text1": "a", "text2": "b", "lable": "2"}\n', "utf-8")
    with raises("missing-column", match=r"no row has the field 'label1', named for label; did you mean lable\?"):
        read(file, columns={"label": "label1"})


def test_what_has_our_names_by_chance_in_rows_of_others(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"sentence1": "a", "sentence2": "b", "gold": 3, "label": 4.0}\n', "utf-8")
    records, log = read(file, "jsonl")
    assert records == [Pair(id="x:1", text1="a", text2="b", label="4", meta={"gold": 3})]
    assert sum(log.marked.values()) == 1
    file.write_text('{"text1": "a", "text2": "b", "gold": 3}\n', "utf-8")
    assert len(rejected(file, "jsonl", tmp_path)) == 1


@pytest.mark.parametrize("number", ["NaN", "1e400", "-Infinity"])
def test_numbers_that_are_none(number: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    row = '{"id": "1", "text1": "a", "text2": "b", "scores": {"bleu": 0.5}}\n'
    file.write_text(row.replace("0.5", number), "utf-8")
    [(line, reason)] = rejected(file, "jsonl", tmp_path)
    assert line == 1
    assert f"{number} is not a JSON number" in reason or "too large" in reason


def test_texts_under_other_names(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"sentence1": "a", "sentence2": "b", "l": "c", "text1": "d"}\n', "utf-8")
    assert pairs(file, "jsonl")[0] == Pair(id="x:1", text1="a", text2="b", meta={"l": "c", "text1 (unused)": "d"})
    named = pairs(file, "jsonl", columns={"text1": "l", "text2": "sentence2"})[0]
    assert (named.text1, named.text2) == ("c", "b")


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    rows = [
        b'{"id": "1", "text1": "a"}',
        b'{"id": "1", "text1": "a", "text2": 5}',
        b"[1]",
        b'{"id": ',
        b'{"id": "1", "text1": "a", "text2": "b", "label": "4<>"}',
        b'{"id": "1", "text1": "a", "text2": "b", "meta": 5, "more": 1}',
        b'{"id": "1", "text1": "\xff", "text2": "b"}',
        b'{"meta": ' + b"[" * 100_000,
        b'{"id": "1", "text1": "a", "text2": "b"}',
    ]
    file.write_bytes(b"\n".join(rows))
    reasons = rejected(file, "jsonl", tmp_path)
    assert [line for line, _ in reasons] == [1, 2, 3, 4, 5, 6, 7, 8]
    messages = [reason for _, reason in reasons]
    assert messages[0] == "no field text2"
    assert messages[1] == "text2: expected str, got int"
    assert messages[2] == "a JSON object is expected, found '[1]'"
    assert messages[3].startswith("not JSON: ")
    assert "exclude each other" in messages[4]
    assert messages[5] == "meta: a JSON object is expected"
    assert messages[6] == "not UTF-8; if it is another encoding, name it with --encoding"
    assert messages[7] == "nested too deeply"


def test_a_scheme_may_be_named(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "1", "text1": "a", "text2": "b", "label": "2"}\n', "utf-8")
    assert len(pairs(file, scheme="turku")) == 1
    assert read(file, scheme="binary", on_error="skip")[1].skipped == {"label '2' is not 0 or 1": 1}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes('{"id": "1", "text1": "ä", "text2": "語"}\n'.encode(encoding))
    assert pairs(file) == [Pair(id="1", text1="ä", text2="語")]


def test_a_judgement_may_say_null(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": 1, "pair": "p", "value": null}\n', "utf-8")
    assert read(file, noun="judgements")[0] == [Judgement(id="1", pair="p", value=None)]


def test_a_list_of_objects(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    rows = [{"sentence1": "a", "sentence2": "b", "label": 1}, {"id": "k", "sentence1": "c", "sentence2": "d", "n": 2}]
    for indent in (None, 2):
        file.write_text(json.dumps(rows, indent=indent), "utf-8")
        assert pairs(file) == [
            Pair(id="x:1", text1="a", text2="b", label="1"),
            Pair(id="k", text1="c", text2="d", meta={"n": 2}),
        ]
    assert [pair.text1 for pair in pairs(file, columns={"text1": "sentence2", "text2": "sentence1"})] == ["b", "d"]
    file.write_text('[{"text1": "a", "text2": "b"},\n{"text1": "c"},\n4]', "utf-8")
    assert [line for line, _ in rejected(file, "jsonl", tmp_path)] == [2, 3]
    file.write_text('[{"id": 1, "pair": "p", "value": true}]', "utf-8")
    assert read(file, noun="judgements")[0] == [Judgement(id="1", pair="p", value=True)]
