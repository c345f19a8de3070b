"""Regions: what people write, what is inside, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords.mining.harvest.region import parse_region
from tests.errors import raises

COLUMNS = {
    "similarity": np.array([0.05, 0.3, 0.3, 0.9, np.nan]),
    "p_negative": np.array([0.1, 0.5, 0.4, 0.9, 0.9]),
}


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("similarity<0.1 or p_negative>0.4", [True, True, False, True, True]),
        ("similarity >= .3 and p_negative <= 0.4", [False, False, True, False, False]),
        ("similarity < 0.1 OR similarity > 0.5 AND p_negative > 0.8", [True, False, False, True, False]),
        ("(similarity < 0.1 or similarity > 0.5) and p_negative > 0.8", [False, False, False, True, False]),
        ("((similarity<1))", [True, True, True, True, False]),
    ],
)
def test_what_is_inside(text: str, inside: list[bool]) -> None:
    region = parse_region(text)
    assert region.inside(COLUMNS).tolist() == inside
    assert parse_region(str(region)) == region


def test_columns() -> None:
    assert parse_region("a<1 or (b>2 and model:x>=3)").columns() == {"a", "b", "model:x"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "similarity",
        "similarity<",
        "similarity<high",
        "similarity=0.1",
        "0.1<similarity<0.2",
        "similarity<0.1 or",
        "(similarity<0.1",
        "similarity<0.1)",
        "similarity<nan",
        "__import__('os')",
        "(" * 100 + "a<1" + ")" * 100,
    ],
)
def test_what_is_no_region(text: str) -> None:
    with raises("bad-region"):
        parse_region(text)
