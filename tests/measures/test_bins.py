"""Ranges: exact for ratios, forgiving of rounding for floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.measures import measure
from otherwords.measures.bins import bin_of, bin_of_score, bin_scores, range_names


@given(st.integers(0, 200), st.integers(1, 200), st.integers(1, 60))
def test_ratios_fall_where_fractions_say(numerator: int, denominator: int, bins: int) -> None:
    numerator = min(numerator, denominator)
    place = int(bin_of(numerator, denominator, bins))
    ratio = Fraction(numerator, denominator)
    assert Fraction(place, bins) <= ratio < Fraction(place + 1, bins)
    assert (place == bins) == (ratio == 1)


def test_every_edge_belongs_to_the_range_above_it() -> None:
    assert bin_of(np.arange(11), 10).tolist() == list(range(11))
    assert bin_of(np.arange(101), 100, 100).tolist() == list(range(101))
    # the plain quotient gets this one wrong
    assert int(0.29 * 100) == 28
    assert bin_of(29, 100, 100) == 29


@pytest.mark.parametrize("highest", [1.0, 100.0])
@pytest.mark.parametrize("bins", [3, 7, 10, 20, 100])
def test_floats_next_to_an_edge_count_as_on_it(bins: int, highest: float) -> None:
    edges = np.array([highest * place / bins for place in range(bins + 1)])
    assert bin_of_score(edges, bins, highest).tolist() == list(range(bins + 1))
    assert bin_of_score(edges * (1 - 4e-16), bins, highest).tolist() == list(range(bins + 1))
    assert bin_of_score(edges[1:] - 1e-6 * highest, bins, highest).tolist() == list(range(bins))


def test_a_measure_that_is_a_ratio_is_cut_exactly() -> None:
    # 7 of 10 tokens shared: the edge of the eighth range
    texts1, texts2 = ["a b c d e f g h i"], ["a b c d e f g j"]
    assert measure("jaccard").scores(texts1, texts2)[0] == 0.7
    assert bin_scores(measure("jaccard"), texts1, texts2).tolist() == [7]
    assert bin_scores(measure("bleu"), texts1, texts1).tolist() == [10]
    assert bin_scores(measure("char-cosine"), texts1, texts1).tolist() == [10]


def test_names_of_ranges() -> None:
    names = range_names()
    assert (names[0], names[3], names[-1], len(names)) == ("[0.0, 0.1)", "[0.3, 0.4)", "[1.0, 1.0]", 11)
    assert range_names(4, 100.0) == ["[0.0, 25.0)", "[25.0, 50.0)", "[50.0, 75.0)", "[75.0, 100.0)", "[100.0, 100.0]"]
