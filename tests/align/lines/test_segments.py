"""Segments of a quarter of an hour: whole lines, none twice, none lost."""

from __future__ import annotations

import pytest

from otherwords.align.lines.align import LineAlignment, align_lines
from otherwords.align.lines.segments import CHARACTERS_PER_SECOND, Segment, segments
from tests.align.script import utterances, version

SPOKEN = utterances(700, seed=21)
VERSION1 = version(SPOKEN, 1, width=40, jitter=100)
VERSION2 = version(SPOKEN, 2, width=26, jitter=100, drift=25 / 24, offset=-4_000, split_cues=0.4)
LENGTH = 15 * 60_000


def texts(cut: list[Segment], text1: str, text2: str) -> tuple[str, str]:
    parts = [segment.part for segment in cut]
    return (
        "\n".join(text1[part.start1 : part.end1] for part in parts),
        "\n".join(text2[part.start2 : part.end2] for part in parts),
    )


@pytest.mark.parametrize("timed", [True, False])
def test_the_segments_are_the_film(timed: bool) -> None:
    cues1, cues2 = (VERSION1.cues, VERSION2.cues) if timed else (None, None)
    cut = segments(VERSION1.text, VERSION2.text, align_lines(VERSION1.text, VERSION2.text, cues1, cues2), cues1)
    assert len(cut) >= 3
    assert texts(cut, VERSION1.text, VERSION2.text) == (VERSION1.text, VERSION2.text)
    assert [segment.number for segment in cut] == list(range(len(cut)))


def test_each_begins_with_a_quarter_of_an_hour_of_the_first_clock() -> None:
    alignment = align_lines(VERSION1.text, VERSION2.text, VERSION1.cues, VERSION2.cues)
    cut = segments(VERSION1.text, VERSION2.text, alignment, VERSION1.cues)
    for segment in cut[1:]:
        [first] = [start for line, start, _ in VERSION1.cues if line == segment.lines1.start]
        before = max(start for line, start, _ in VERSION1.cues if line < segment.lines1.start)
        assert before < segment.number * LENGTH <= first
        utterance = {line: number for number, line in VERSION1.first_line.items()}[segment.lines1.start]
        assert abs(segment.lines2.start - VERSION2.first_line[utterance]) <= 1


def plain(lines: int) -> LineAlignment:
    return LineAlignment(tuple((line, line) for line in range(lines)), lines, lines, "time", 0.0, 1.0)


@pytest.mark.parametrize(("last_minute", "edges"), [(34, [0, 15]), (36, [0, 15, 30])])
def test_a_short_rest_belongs_to_the_segment_before(last_minute: int, edges: list[int]) -> None:
    cues = [[line, 60_000 * line, 60_000 * line + 1_000] for line in range(last_minute + 1)]
    text = "\n".join(f"minute {line}" for line in range(last_minute + 1))
    cut = segments(text, text, plain(last_minute + 1), cues)
    assert [segment.lines1.start for segment in cut] == edges
    assert [segment.lines2.start for segment in cut] == edges
    assert cut[-1].part.end1 == len(text)


def test_without_time_stamps_by_shares_of_characters() -> None:
    line = "x" * 99
    count = round(2.6 * 900 * CHARACTERS_PER_SECOND / 100)
    text = "\n".join([line] * count)
    cut = segments(text, text, plain(count))
    assert len(cut) == 3
    assert max(len(s.lines1) for s in cut) - min(len(s.lines1) for s in cut) <= 1


def test_a_stretch_without_words_on_one_side_is_no_segment() -> None:
    text1 = "a\nb\nc\nd"
    cues = [[0, 0, 1], [1, LENGTH // 2, LENGTH // 2 + 1], [2, LENGTH, LENGTH + 1], [3, 2 * LENGTH - 9, 2 * LENGTH]]
    alignment = LineAlignment(((0, 0), (1, 1)), 4, 4, "content")
    cut = segments(text1, "a\nb\n\n", alignment, cues)
    assert [segment.lines1 for segment in cut] == [range(2)]


def test_the_alignment_inside_counts_from_the_first_lines() -> None:
    alignment = align_lines(VERSION1.text, VERSION2.text, VERSION1.cues, VERSION2.cues)
    cut = segments(VERSION1.text, VERSION2.text, alignment, VERSION1.cues)
    inside = [
        (i + segment.lines1.start, j + segment.lines2.start) for segment in cut for i, j in segment.pairs(alignment)
    ]
    assert set(inside) <= set(alignment.pairs)
    assert len(alignment.pairs) - len(inside) <= len(cut)  # a pair that spans an edge is in neither
    assert all(segment.pairs(alignment)[0][0] <= 1 for segment in cut)
