"""Intervals of shares."""

from __future__ import annotations

import pytest

from otherwords.measures.intervals import wilson


def test_an_interval_of_a_share() -> None:
    share, low, high = wilson(8, 10)  # Wilson 1927
    assert (share, round(low, 4), round(high, 4)) == (0.8, 0.4902, 0.9433)
    assert wilson(0, 5)[1] == 0.0
    assert wilson(5, 5)[2] == 1.0


def test_a_part_may_be_a_sum_of_shares() -> None:
    assert wilson(7.5, 10)[0] == pytest.approx(0.75)
