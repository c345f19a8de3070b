"""Our JSON Lines."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources import write
from tests.sources import anything
from tests.sources.laws import pairs, read, rejected


@pytest.mark.parametrize("noun", list(anything.NOUNS))
def test_nothing_is_lost(noun: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(anything.NOUNS[noun], min_size=1, max_size=3))
    def law(records: list[Record]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.jsonl"
            write(records, file)
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
    with pytest.raises(DataError, match=r"no field 'label1' for label in any row; did you mean lable\?"):
        read(file, columns={"label": "label1"})


def test_what_has_our_names_by_chance_in_rows_of_others(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"sentence1": "a", "sentence2": "b", "gold": 3, "label": 4.0}\n', "utf-8")
    records, account = read(file, "jsonl")
    assert records == [Pair(id="x:1", text1="a", text2="b", label="4", meta={"gold": 3})]
    assert sum(account.marked.values()) == 1
    file.write_text('{"text1": "a", "text2": "b", "gold": 3}\n', "utf-8")
    assert len(rejected(file, "jsonl", tmp_path)) == 1


@pytest.mark.parametrize("number", ["NaN", "1e400", "-Infinity"])
def test_numbers_that_are_none(number: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    row = '{"id": "1", "text1": "a", "text2": "b", "scores": {"bleu": 0.5}}\n'
    file.write_text(row.replace("0.5", number), "utf-8")
    [(line, reason)] = rejected(file, "jsonl", tmp_path)
    assert line == 1
    assert f"{number} is no number there" in reason or "too large" in reason


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
    said = [reason for _, reason in reasons]
    assert said[0] == "no field text2"
    assert said[1] == "text2: expected str, got int"
    assert said[2] == "a JSON object is expected"
    assert said[3].startswith("not JSON: ")
    assert "exclude each other" in said[4]
    assert said[5] == "meta: expected object"
    assert said[6] == "not UTF-8; if it is another encoding, name it with --encoding"
    assert said[7] == "nested too deeply"


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
