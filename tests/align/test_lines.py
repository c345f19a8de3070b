"""Line alignment: its laws, and both methods through the one door."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.lines import LineAlignment, align_lines
from otherwords.errors import DataError, UsageError
from tests.align.script import utterances, version

SAID = utterances(400, seed=3)
LINES = st.lists(
    st.sampled_from(["Yes.", "No.", "", "Who took the lamp?", "Runa did.", "灯りはどこ", "7 o'clock"]), max_size=12
)


def test_places_lie_between_partners() -> None:
    found = LineAlignment(((1, 2), (1, 3), (4, 6), (5, 6)), lines1=7, lines2=9, method="content")
    assert [found.place_of(line, 1) for line in range(8)] == [0, 2, 4, 5, 6, 6, 7, 9]
    assert [found.place_of(line, 2) for line in range(10)] == [0, 0.5, 1, 1, 2, 3, 4, 6, 6.5, 7]


def test_without_pairs_places_are_proportional() -> None:
    found = LineAlignment((), lines1=4, lines2=8, method="content")
    assert [found.place_of(line, 1) for line in range(5)] == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("line", [-1, 4])
def test_a_line_that_is_not_there(line: int) -> None:
    with pytest.raises(UsageError, match=f"no line {line} on side 1; it has 3"):
        LineAlignment((), 3, 3, "content").place_of(line, 1)


@settings(max_examples=150, deadline=None)
@given(LINES, LINES)
def test_pairs_and_places_never_go_back_or_leave_the_texts(lines1: list[str], lines2: list[str]) -> None:
    found = align_lines("\n".join(lines1), "\n".join(lines2))
    assert (found.lines1, found.lines2) == (max(1, len(lines1)), max(1, len(lines2)))
    assert list(found.pairs) == sorted(set(found.pairs))
    assert [j for _, j in found.pairs] == sorted(j for _, j in found.pairs)
    for side, lines, others in ((1, found.lines1, found.lines2), (2, found.lines2, found.lines1)):
        places = [found.place_of(line, side) for line in range(lines + 1)]  # type: ignore[arg-type]
        assert places == sorted(places)
        assert places[-1] == others
        assert places[0] >= 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["ant", "bee", "cat", "dog", "elk"]), min_size=1, unique=True))
def test_a_text_is_aligned_with_itself_line_by_line(lines: list[str]) -> None:
    found = align_lines("\n".join(lines), "\n".join(lines))
    assert found.pairs == tuple((line, line) for line in range(len(lines)))


def test_time_decides_where_both_have_it() -> None:
    one = version(SAID, 1, width=40, jitter=100)
    two = version(SAID, 2, width=24, jitter=100, drift=25 / 23.976, offset=12_345.0, split_cues=0.5)
    # Other words altogether, so that only the time can tell.
    foreign = "\n".join("".join(chr(ord(c) + 0x400) if c.isalpha() else c for c in line) for line in two.lines)
    found = align_lines(one.text, foreign, one.cues, two.cues)
    assert found.method == "time"
    assert found.drift == pytest.approx(25 / 23.976, rel=1e-3)
    assert found.offset_ms == pytest.approx(12_345, abs=300)
    for number in one.first_line:
        there, back = one.first_line[number], two.first_line[number]
        assert abs(found.place_of(there, 1) - back) <= 1
        assert abs(found.place_of(back, 2) - there) <= 1


def test_content_decides_where_one_has_no_time() -> None:
    one, two = version(SAID, 1, width=40), version(SAID, 2, width=24)
    found = align_lines(one.text, two.text, one.cues, None)
    assert (found.method, found.drift, found.offset_ms) == ("content", None, None)
    assert len(found.pairs) > len(SAID)


def test_content_decides_where_the_clocks_agree_only_for_a_while() -> None:
    one, two = version(SAID, 1, width=40), version(SAID, 2, width=24, other_words=0.3)
    half = len(two.cues) // 2
    cut = [*two.cues[:half], *([line, start + 75_000, end + 75_000] for line, start, end in two.cues[half:])]
    found = align_lines(one.text, two.text, one.cues, cut)
    assert found.method == "content"
    near = [abs(found.place_of(one.first_line[n], 1) - two.first_line[n]) <= 1 for n in one.first_line]
    assert sum(near) / len(near) > 0.99


@pytest.mark.parametrize(
    ("cues", "complaint"),
    [
        ([[0, 10, 20], [9, 30, 40]], "with a line below 2"),
        ([[0, 10]], "is not"),
        ([[1, 10, 20], [0, 30, 40]], "out of order"),
        ([[0, 30, 40], [1, 10, 20]], "out of order"),
    ],
)
def test_cues_that_cannot_be(cues: list[list[int]], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        align_lines("a\nb", "a\nb", cues, [[0, 0, 10]])
