"""From loose rows to records, and what is said about rows that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.errors import LabelError
from otherwords.records import DocumentPair, Judgement, Pair
from otherwords.sources.rows import check_label, record_of, scalar


def test_known_fields_unknown_fields_and_a_default_id() -> None:
    row = {"text1": "a", "text2": "b", "lang": None, "when": "now", "meta": {"who": "me"}}
    assert record_of(Pair, row, "x:1") == Pair(id="x:1", text1="a", text2="b", meta={"who": "me", "when": "now"})


def test_a_field_of_its_own_wins_over_meta() -> None:
    assert record_of(Pair, {"text1": "a", "text2": "b", "k": 1, "meta": {"k": 2}}, "x").meta == {"k": 1}


@pytest.mark.parametrize(
    ("value", "spelled"),
    [(1, "1"), (1.0, "1"), (0.5, "0.5"), (True, "true"), (False, "false"), (-1, "-1"), (1e300, str(int(1e300)))],
)
def test_numbers_as_labels_spell_them(value: Any, spelled: str) -> None:
    assert scalar(value) == spelled
    assert record_of(Pair, {"text1": "a", "text2": "b", "label": value}, "x").label == spelled


def test_numbers_as_ids_of_documents() -> None:
    pair = record_of(DocumentPair, {"doc1": 1, "doc2": 2}, "x")
    assert (pair.doc1, pair.doc2) == ("1", "2")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text1": "a"}, "no field text2"),
        ({"text1": "a", "text2": 5}, "text2: expected str, got int"),
        ({"text1": "a", "text2": "b", "scores": {"bleu": "high"}}, "scores[...]: expected float | null, got str"),
        ({"text1": "a", "text2": "b", "meta": [], "more": 1}, "meta: expected object"),
        ({"text1": "a", "text2": "b", "doc1": {"id": "d"}}, "doc1: no field start"),
    ],
)
def test_what_is_wrong_in_plain_words(row: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        record_of(Pair, row, "x")
    assert str(caught.value) == reason


def test_a_judgement_needs_a_value_even_if_it_is_null() -> None:
    assert record_of(Judgement, {"pair": "p", "value": None}, "x").value is None
    with pytest.raises(ValueError, match="no field value"):
        record_of(Judgement, {"pair": "p"}, "x")


@pytest.mark.parametrize(
    ("label", "scheme", "fine"),
    [
        (None, "turku", True),
        ("4>s", None, True),
        ("3s", None, False),  # only a slip in a Turku label looks like this
        ("maybe", None, True),
        ("maybe", "turku", False),
        ("1", "binary", True),
        ("2", "binary", False),
    ],
)
def test_labels_by_scheme(label: str | None, scheme: str | None, fine: bool) -> None:
    pair = Pair(id="1", text1="a", text2="b", label=label)
    if fine:
        check_label(pair, scheme)
    else:
        with pytest.raises(LabelError):
            check_label(pair, scheme)
