"""Line alignment: its laws, and both methods through one function."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.lines.align import LineAlignment, align_lines
from tests.align.script import utterances, version
from tests.errors import raises

SPOKEN = utterances(400, seed=3)
LINES = st.lists(
    st.sampled_from(["Yes.", "No.", "", "Who took the lamp?", "Runa did.", "灯りはどこ", "7 o'clock"]), max_size=12
)


def test_places_lie_between_partners() -> None:
    alignment = LineAlignment(((1, 2), (1, 3), (4, 6), (5, 6)), lines1=7, lines2=9, method="content")
    assert [alignment.place_of(line, 1) for line in range(8)] == [0, 2, 4, 5, 6, 6, 7, 9]
    assert [alignment.place_of(line, 2) for line in range(10)] == [0, 0.5, 1, 1, 2, 3, 4, 6, 6.5, 7]


def test_without_pairs_places_are_proportional() -> None:
    alignment = LineAlignment((), lines1=4, lines2=8, method="content")
    assert [alignment.place_of(line, 1) for line in range(5)] == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("line", [-1, 4])
def test_a_missing_line(line: int) -> None:
    with raises("no-such-line", match=f"no line {line} on side 1; it has 3"):
        LineAlignment((), 3, 3, "content").place_of(line, 1)


@settings(max_examples=150)
@given(LINES, LINES)
def test_pairs_and_places_never_go_back_or_leave_the_texts(lines1: list[str], lines2: list[str]) -> None:
    alignment = align_lines("\n".join(lines1), "\n".join(lines2))
    assert (alignment.lines1, alignment.lines2) == (max(1, len(lines1)), max(1, len(lines2)))
    assert list(alignment.pairs) == sorted(set(alignment.pairs))
    assert [j for _, j in alignment.pairs] == sorted(j for _, j in alignment.pairs)
    for side, lines, others in ((1, alignment.lines1, alignment.lines2), (2, alignment.lines2, alignment.lines1)):
        places = [alignment.place_of(line, side) for line in range(lines + 1)]  # type: ignore[arg-type]
        assert places == sorted(places)
        assert places[-1] == others
        assert places[0] >= 0


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["ant", "bee", "cat", "dog", "elk"]), min_size=1, unique=True))
def test_a_text_is_aligned_with_itself_line_by_line(lines: list[str]) -> None:
    alignment = align_lines("\n".join(lines), "\n".join(lines))
    assert alignment.pairs == tuple((line, line) for line in range(len(lines)))


def test_time_decides_where_both_have_it() -> None:
    version1 = version(SPOKEN, 1, width=40, jitter=100)
    version2 = version(SPOKEN, 2, width=24, jitter=100, drift=25 / 23.976, offset=12_345.0, split_cues=0.5)
    # Other words altogether, so that only the time can tell.
    foreign = "\n".join("".join(chr(ord(c) + 0x400) if c.isalpha() else c for c in line) for line in version2.lines)
    alignment = align_lines(version1.text, foreign, version1.cues, version2.cues)
    assert alignment.method == "time"
    assert alignment.drift == pytest.approx(25 / 23.976, rel=1e-3)
    assert alignment.offset_ms == pytest.approx(12_345, abs=300)
    for number in version1.first_line:
        line1, line2 = version1.first_line[number], version2.first_line[number]
        assert abs(alignment.place_of(line1, 1) - line2) <= 1
        assert abs(alignment.place_of(line2, 2) - line1) <= 1


def test_content_decides_where_one_has_no_time() -> None:
    version1, version2 = version(SPOKEN, 1, width=40), version(SPOKEN, 2, width=24)
    alignment = align_lines(version1.text, version2.text, version1.cues, None)
    assert (alignment.method, alignment.drift, alignment.offset_ms) == ("content", None, None)
    assert len(alignment.pairs) > len(SPOKEN)


def test_content_decides_where_the_clocks_agree_only_for_a_while() -> None:
    version1, version2 = version(SPOKEN, 1, width=40), version(SPOKEN, 2, width=24, other_words=0.3)
    half = len(version2.cues) // 2
    cut = [*version2.cues[:half], *([line, start + 75_000, end + 75_000] for line, start, end in version2.cues[half:])]
    alignment = align_lines(version1.text, version2.text, version1.cues, cut)
    assert alignment.method == "content"
    near = [
        abs(alignment.place_of(version1.first_line[n], 1) - version2.first_line[n]) <= 1 for n in version1.first_line
    ]
    assert sum(near) / len(near) > 0.99


@pytest.mark.parametrize(
    ("cues", "code"),
    [
        ([[0, 10, 20], [9, 30, 40]], "not-a-cue"),
        ([[0, 10]], "not-a-cue"),
        ([[1, 10, 20], [0, 30, 40]], "cues-out-of-order"),
        ([[0, 30, 40], [1, 10, 20]], "cues-out-of-order"),
    ],
)
def test_impossible_cues(cues: list[list[int]], code: str) -> None:
    with raises(code):
        align_lines("a\nb", "a\nb", cues, [[0, 0, 10]])
