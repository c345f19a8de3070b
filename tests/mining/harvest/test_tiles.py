"""Tiles: a small table by hand."""

from __future__ import annotations

from otherwords.measures.intervals import wilson
from otherwords.mining.harvest.tiles import AnnotatedPoint, make_tiles


def test_shares_and_intervals() -> None:
    points = [AnnotatedPoint(0.05, 0.95, False)] * 9 + [AnnotatedPoint(0.19, 1.0, True), AnnotatedPoint(1.0, 0.0, True)]
    first, last = make_tiles(points)
    assert (first.similarity, first.confidence, first.n, first.negatives) == (0.0, 0.8, 10, 9)
    assert (first.negative.estimate, first.negative.low, first.negative.high) == wilson(9, 10)
    assert (last.similarity, last.confidence, last.positive.estimate) == (0.8, 0.0, 1.0)
