"""How far answers are apart under the shipped schemes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords import labels
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.distance import distance, severity

TURKU = load_scheme("turku")
SPELLED = st.sampled_from([str(left) for left in labels.all_labels()])
LIKERT = {"fluency": "5", "similarity": "5", "diversity": "3"}
SYNONYM = {"type": "same_polarity", "scope1": [[0, 3]], "scope2": [[0, 4]]}
ORDER = {"type": "order", "scope1": [[4, 9]], "scope2": [[5, 9]]}


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        ("turku", "4", "4", 0),
        ("turku", "4", "1", 1),
        ("turku", "4>s", "1", 1),  # flags of one base say nothing against another
        ("turku", "4", "3", 1 / 3),
        ("turku", "3", "1", 2 / 3),
        ("turku", "4", "x", 1),  # a skip is on no scale
        ("turku", "4>", "4", 1 / 3 / 2 / 4),
        ("turku", "4>", "4<", 1 / 3 / 2 / 2),
        ("turku", "4>is", "4<", 1 / 3 / 2),
        ("suzuki", "Positive", "Other", 1),
        ("likert", LIKERT, LIKERT | {"similarity": "1"}, 1 / 3),
        ("likert", LIKERT, LIKERT | {"similarity": "4"}, 1 / 4 / 3),
        ("rupaws", {"well_formed": "yes", "paraphrase": "yes"}, {"well_formed": "yes", "paraphrase": "no"}, 1 / 2),
        ("suzuki-changes", ["order"], ["order", "phrases"], 1 / 3),
        ("suzuki-changes", ["order"], [], 1),
        ("good-poor", {"word": 3}, {"word": 1, "phrase": 2}, 2 / 3),
        ("vila", {"paraphrase": "yes", "types": [SYNONYM]}, {"paraphrase": "no"}, 1),
        ("vila", {"types": [SYNONYM]}, {"types": [SYNONYM | {"projection": "local"}]}, 0),
        ("vila", {"types": [SYNONYM, ORDER]}, {"types": [SYNONYM]}, 1 / 3 / 2),
        ("vila", {"types": [SYNONYM]}, {"types": [SYNONYM | {"scope1": [[0, 2]]}]}, 1 / 2),
        ("turku", "4", ["4"], 1),  # from before the scheme was changed
        ("turku", "later", "4", 1),
    ],
)
def test_the_distance_of_two_answers(name: str, left: Any, right: Any, expected: float) -> None:
    assert distance(load_scheme(name), left, right) == pytest.approx(expected)
    assert distance(load_scheme(name), right, left) == pytest.approx(expected)


def test_severity_is_the_largest_distance() -> None:
    assert severity(TURKU, ["4", "3", "1"]) == 1
    assert severity(TURKU, ["3", "3", "4"]) == pytest.approx(1 / 3)
    assert severity(TURKU, ["2", "2"]) == severity(TURKU, ["2"]) == severity(TURKU, []) == 0


@given(SPELLED, SPELLED)
def test_distance_is_symmetric_between_0_and_1_and_0_only_for_equal_answers(left: str, right: str) -> None:
    apart = distance(TURKU, left, right)
    assert apart == distance(TURKU, right, left)
    assert 0 <= apart <= 1
    assert (apart == 0) == (left == right)
    if left[0] == right[0]:
        assert apart < 1 / 3
