"""The join of similar sets: exactly what comparing all with all finds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.acquire.set_join import similar_sets

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=25)
THRESHOLDS = st.sampled_from([Fraction(tenths, 10) for tenths in range(1, 11)] + [Fraction(1, 3), Fraction(2, 3)])


@given(SETS, THRESHOLDS)
def test_it_finds_what_comparing_all_finds(sets: list[frozenset[str]], least: Fraction) -> None:
    expected = {
        (first, second, len(a & b), len(a | b))
        for (first, a), (second, b) in combinations(enumerate(sets), 2)
        if a and b and Fraction(len(a & b), len(a | b)) >= least
    }
    found = list(similar_sets(sets, least))
    assert {tuple(match) for match in found} == expected
    assert len(found) == len(expected)


def test_a_similarity_on_the_edge_counts() -> None:
    seven = frozenset("abcdefg")
    assert [tuple(match) for match in similar_sets([seven, seven | set("hij")], Fraction("0.7"))] == [(0, 1, 7, 10)]


def test_a_threshold_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        list(similar_sets([], Fraction(0)))
