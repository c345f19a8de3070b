"""From loose rows to records, and what is said about rows that do not fit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from otherwords.errors import LabelError
from otherwords.records import DocumentPair, Judgement, Pair
from otherwords.sources.rows.records import (
    build_foreign_record,
    build_record,
    check_columns,
    drop_empty_fields,
    explain_json_error,
    scalar_text,
    with_normal_label,
)
from tests.errors import raises


def test_known_fields_unknown_fields_and_a_default_id() -> None:
    row = {"text1": "a", "text2": "b", "lang": None, "when": "now", "meta": {"who": "me"}}
    assert build_record(Pair, row, "x:1") == Pair(id="x:1", text1="a", text2="b", meta={"who": "me", "when": "now"})


def test_a_field_does_not_overwrite_meta() -> None:
    row = {"text1": "a", "text2": "b", "k": 1, "same": 3, "meta": {"k": 2, "same": 3}}
    assert build_record(Pair, row, "x").meta == {"k": 2, "k (field)": 1, "same": 3}


def test_empty_texts_are_none_and_an_empty_id_is_made() -> None:
    row = {"id": "", "text1": "", "text2": "b", "lang": "", "source": "", "label": "", "rewrite_of": ""}
    bare = Pair(id="x:1", text1="", text2="b")
    assert build_record(Pair, row, "x:1") == bare
    assert drop_empty_fields(Pair(**row), "x:1") == bare  # type: ignore[arg-type]
    assert drop_empty_fields(bare, "y") is bare
    fields = {"id": "", "pair": "p", "value": "", "note": ""}
    assert (
        build_record(Judgement, fields, "j")
        == drop_empty_fields(Judgement(**fields), "j")
        == Judgement(id="j", pair="p", value="")
    )


@pytest.mark.parametrize(
    ("row", "meta"),
    [
        ({"gold": 3}, {"gold": 3}),
        ({"doc1": "abc", "lang": 5}, {"doc1": "abc", "lang": 5}),
        ({"scores": "high", "meta": "none"}, {"scores": "high", "meta": "none"}),
        ({"gold": 3, "meta": {"gold": 4}}, {"gold": 4, "gold (field)": 3}),
    ],
)
def test_what_only_has_the_name_of_a_field(row: dict[str, Any], meta: dict[str, Any]) -> None:
    marks: list[str] = []
    pair = build_foreign_record(Pair, {"text1": "a", "text2": "b", "label": 1, **row}, "x", marks.append)
    assert pair == Pair(id="x", text1="a", text2="b", label="1", meta=meta)
    misfits = [name for name in row if name in meta and row[name] == meta.get(f"{name} (field)", meta[name])]
    assert marks == [f"{name}: not what our field {name} holds, kept in meta" for name in misfits]
    with pytest.raises(ValueError):
        build_record(Pair, {"text1": "a", "text2": "b", **row}, "x")


def test_but_the_texts_are_needed() -> None:
    with pytest.raises(ValueError, match=r"^text2: expected str, got int$"):
        build_foreign_record(Pair, {"text1": "a", "text2": 5}, "x", lambda _: None)
    with pytest.raises(ValueError, match=r"^no field text2$"):
        build_foreign_record(Pair, {"text1": "a", "gold": 3}, "x", lambda _: None)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"a": NaN}', "not JSON: NaN is not a JSON number; write null for a missing one"),
        ('{"a": [1, -Infinity]}', "not JSON: -Infinity is not a JSON number; write null for a missing one"),
        ('{"a": nan}', "not JSON: nan is not a JSON number; write null for a missing one"),
        ('{"a": 1e400}', "a number is too large; the largest possible is about 1.8e308"),
        ('{"ä": "to: inf", }', "not JSON: JSON is malformed: "),
    ],
)
def test_why_a_line_is_not_json(line: str, reason: str) -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(line)
    assert explain_json_error(caught.value, line.encode()).startswith(reason)


def test_columns_that_cannot_be_named() -> None:
    check_columns(Pair, {"text1": "left", "text2": "right"})
    with raises("no-such-field", match="--columns txt1=text1: there is no field 'txt1'; did you mean text1"):
        check_columns(Pair, {"txt1": "text1"})
    check_columns(Judgement, {"text1": "left", "value": "answer"})
    with raises("no-such-field", match="there is no field 'label'; known: id, pair, value"):
        check_columns(Judgement, {"label": "answer"})
    with raises("column-named-twice", match="'left' is named for both text1 and text2"):
        check_columns(Pair, {"text1": "left", "text2": "left"})


@pytest.mark.parametrize(
    ("value", "spelled"),
    [(1, "1"), (1.0, "1"), (0.5, "0.5"), (True, "true"), (False, "false"), (-1, "-1"), (1e300, str(int(1e300)))],
)
def test_numbers_as_labels_spell_them(value: Any, spelled: str) -> None:
    assert scalar_text(value) == spelled
    assert build_record(Pair, {"text1": "a", "text2": "b", "label": value}, "x").label == spelled


def test_numbers_as_ids_of_documents() -> None:
    pair = build_record(DocumentPair, {"doc1": 1, "doc2": 2}, "x")
    assert (pair.doc1, pair.doc2) == ("1", "2")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text1": "a"}, "no field text2"),
        ({"text1": "a", "text2": 5}, "text2: expected str, got int"),
        ({"text1": "a", "text2": "b", "scores": {"bleu": "high"}}, "scores[...]: expected float | null, got str"),
        ({"text1": "a", "text2": "b", "meta": [], "more": 1}, "meta: a JSON object is expected"),
        ({"text1": "a", "text2": "b", "doc1": {"start": 0}}, "doc1: no field id"),
    ],
)
def test_what_is_wrong_in_plain_words(row: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        build_record(Pair, row, "x")
    assert str(caught.value) == reason


def test_a_judgement_needs_a_value_even_if_it_is_null() -> None:
    assert build_record(Judgement, {"pair": "p", "value": None}, "x").value is None
    with pytest.raises(ValueError, match="no field value"):
        build_record(Judgement, {"pair": "p"}, "x")


@pytest.mark.parametrize(
    ("label", "scheme", "spelled"),
    [
        (None, "turku", None),
        ("4>s", None, "4>s"),
        ("4si>", None, "4>is"),
        (" 4s< ", None, "4<s"),
        (" 3 ", None, " 3 "),
        (" 3 ", "turku", "3"),
        ("maybe", None, "maybe"),
        ("1.0", None, "1.0"),
        ("1", "binary", "1"),
        ("1.0", "binary", "1"),
        ("0.0", "binary", "0"),
    ],
)
def test_labels_by_scheme(label: str | None, scheme: str | None, spelled: str | None) -> None:
    pair = Pair(id="1", text1="a", text2="b", label=label)
    checked = with_normal_label(pair, scheme)
    assert checked.label == spelled
    assert with_normal_label(checked, scheme) is checked
    assert (checked is pair) == (label == spelled)


@pytest.mark.parametrize(
    ("label", "scheme"),
    [("3s", None), ("4<>", None), ("maybe", "turku"), ("1.0", "turku"), ("2", "binary"), ("2.0", "binary")],
)
def test_labels_outside_their_scheme(label: str, scheme: str | None) -> None:
    with pytest.raises(LabelError):
        with_normal_label(Pair(id="1", text1="a", text2="b", label=label), scheme)
