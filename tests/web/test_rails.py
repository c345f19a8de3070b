"""The lanes beside the boxes of a recipe."""

from __future__ import annotations

from otherwords.web.rails import LANE, MARGIN, rails


def test_nothing_is_drawn_where_no_step_reads_another() -> None:
    assert rails([("a", []), ("b", [])]) == ([[], []], 0)


def test_a_lane_goes_from_a_step_to_the_last_that_reads_it() -> None:
    pieces, width = rails([("a", []), ("b", ["a"]), ("c", []), ("d", ["a", "b"]), ("e", ["d", "elsewhere"])])
    assert width == 2 * LANE + 2 * MARGIN  # in the row of d two lanes end, and a third begins
    ends = [[(piece.above, piece.below, piece.leaves, piece.arrives) for piece in row] for row in pieces]
    assert ends[0] == [(False, True, True, False)]
    assert ends[1] == [(True, True, False, True), (False, True, True, False)]
    assert ends[2] == [(True, True, False, False), (True, True, False, False)]
    assert ends[3] == [(True, False, False, True), (True, False, False, True), (False, True, True, False)]
    assert ends[4] == [(True, False, False, True)]
