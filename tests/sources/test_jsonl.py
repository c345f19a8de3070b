"""Our JSON Lines."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
