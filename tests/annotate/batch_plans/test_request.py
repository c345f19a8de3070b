"""A batch to make is decoded once: the API's body has the same fields, and odd values are refused by their field."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.batch_plans.request import BatchRequest, decode_request, refuse_paths
from otherwords.errors import Refused
from otherwords.web.api.batches import NewBatch
from tests.errors import raises


def test_the_api_has_the_same_fields() -> None:
    assert set(NewBatch.model_fields) - {"key"} == set(BatchRequest.__struct_fields__)


def test_values_are_read_as_people_type_them() -> None:
    typed = {
        **{"name": "double", "sample": "20", "seed": "7", "times": "2", "not_in": "one, two", "people": "anna,ben"},
        **{"keep": "well_formed=yes; paraphrase=yes,no", "agree_on": "paraphrase", "purpose": "agreement"},
    }
    assert decode_request(typed) == BatchRequest(
        **{"name": "double", "sample": 20, "seed": 7, "times": 2, "not_in": ("one", "two"), "people": ("anna", "ben")},
        **{"keep": {"well_formed": ("yes",), "paraphrase": ("yes", "no")}, "agree_on": ("paraphrase",)},
        purpose="agreement",
    )


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"sampel": 3}, "unknown-batch-option", "sampel"),
        ({"sample": "many"}, "bad-batch-option", "sample"),
        ({"sample": 0}, "bad-batch-option", "sample"),
        ({"times": 101}, "bad-batch-option", "times"),
        ({"seed": -1}, "bad-batch-option", "seed"),
        ({"purpose": "fun"}, "bad-batch-option", "purpose"),
        ({"order": "odd"}, "bad-batch-option", "order"),
        ({"every": 1}, "bad-batch-option", "every"),
        ({"keep": "well_formed"}, "bad-keep-rule", "keep"),
        ({"keep": ["=yes"]}, "bad-keep-rule", "keep"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(values: dict[str, Any], code: str, field: str) -> None:
    with raises(code) as caught:
        decode_request({"name": "b", **values})
    assert isinstance(caught.value, Refused)
    assert caught.value.field == field


def test_a_file_of_tests_is_for_who_is_on_the_machine() -> None:
    refuse_paths(decode_request({"name": "b", "tests": "source=gold"}))
    with raises("bad-tests-option"):
        refuse_paths(decode_request({"name": "b", "tests": "/etc/passwd"}))
