"""Lines by what they say: invented versions whose true places are known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.lines import anchors
from otherwords.align.lines.align import LineAlignment, align_lines
from otherwords.align.lines.anchors import heaviest_chain, windows
from otherwords.align.lines.best_path import RewardRow, best_path
from otherwords.align.lines.content import content_pairs
from otherwords.align.lines.vectors import cosines, line_vectors
from otherwords.measures import measure
from tests.align.script import Version, utterances, version


def near(alignment: LineAlignment, version1: Version, version2: Version, within: float) -> float:
    """The share of utterances of both versions that the alignment puts where they are, from either side."""
    both = version1.first_line.keys() & version2.first_line.keys()
    hits = [abs(alignment.place_of(version1.first_line[n], 1) - version2.first_line[n]) <= within for n in both]
    hits += [abs(alignment.place_of(version2.first_line[n], 2) - version1.first_line[n]) <= within for n in both]
    return sum(hits) / len(hits)


def test_one_line_meets_three_and_one_is_left_out() -> None:
    text1 = "Who left the green door open?\nNot me.\nRuna has the key and the lamp, I think, since Friday."
    text2 = "Who left that green door\nopen?\nRuna has the key\nand the lamp,\nI think, since Friday."
    assert align_lines(text1, text2).pairs == ((0, 0), (0, 1), (2, 2), (2, 3), (2, 4))


def test_short_lines_are_told_apart_by_their_neighbours() -> None:
    names = ["Ilse rows home", "Pelle bakes", "Quirin sings loudly", "Tove sails", "Vilja paints"]
    full = [line for name in names for line in (name, "Yes.", "No.", "Yes.")]
    without = [line for number, line in enumerate(full) if number not in (1, 2, 10)]
    true = {number: place for place, number in enumerate(n for n in range(len(full)) if n not in (1, 2, 10))}
    alignment = align_lines("\n".join(full), "\n".join(without))
    assert {number: alignment.place_of(number, 1) for number in (*range(4, 10), *range(12, 20))} == {
        number: true[number] for number in (*range(4, 10), *range(12, 20))
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_words_other_lines_omissions_and_many_short_lines(seed: int) -> None:
    spoken = utterances(300, seed, short=0.4)
    version1 = version(spoken, 1, width=42, omitted=0.1, other_words=0.3)
    version2 = version(spoken, 2, width=22, omitted=0.1, other_words=0.3)
    alignment = align_lines(version1.text, version2.text)
    assert near(alignment, version1, version2, 3) >= 0.99
    assert near(alignment, version1, version2, 1) >= 0.97


@pytest.mark.parametrize("where", [0, 400, 1000])
def test_a_long_stretch_that_only_one_version_has(where: int) -> None:
    spoken = utterances(1200, seed=4)
    version1 = version(spoken, 1, width=38)
    version2 = version(spoken[:where] + spoken[where + 200 :], 2, width=26, other_words=0.3)
    version2.first_line = {n if n < where else n + 200: line for n, line in version2.first_line.items()}
    alignment = align_lines(version1.text, version2.text)
    assert near(alignment, version1, version2, 3) >= 0.99
    assert near(alignment, version1, version2, 1) >= 0.97


def test_long_texts_searched_around_anchors_give_what_the_whole_table_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = utterances(700, seed=9)
    version1, version2 = version(spoken, 1, width=38, omitted=0.05), version(spoken, 2, width=26, other_words=0.4)
    assert len(version1.lines) * len(version2.lines) > anchors.SEARCH_ALL
    around = content_pairs(version1.lines, version2.lines)
    monkeypatch.setattr(anchors, "SEARCH_ALL", 10**9)
    assert around == content_pairs(version1.lines, version2.lines)


def test_windows_only_move_forward_and_stay_narrow() -> None:
    spoken = utterances(900, seed=9)
    version1, version2 = version(spoken, 1, width=38), version(spoken, 2, width=26, other_words=0.4)
    opened = windows(*line_vectors(version1.lines, version2.lines))
    assert len(opened) == len(version1.lines)
    assert all(a.start <= b.start and a.stop <= b.stop for a, b in pairwise(opened))
    assert sum(map(len, opened)) < 0.15 * len(version1.lines) * len(version2.lines)


def test_two_long_texts_with_nothing_in_common() -> None:
    alignment = align_lines("\n".join(["aaa bbb"] * 1500), "\n".join(["ccc ddd"] * 1200))
    assert alignment.pairs == ()
    assert alignment.place_of(750, 1) == 600


def test_cosines_are_those_of_the_formula() -> None:
    lines1, lines2 = ["the old lamp", "yes", ""], ["an old lamp", "the yes", "lamp lamp"]
    vectors1, vectors2 = line_vectors(lines1, lines2)
    computed = cosines(vectors1, range(-1, 4), vectors2, range(-1, 4))
    assert computed.shape == (5, 5)
    assert not computed[0].any()
    assert not computed[:, -1].any()
    tfidf = measure("char-cosine-tfidf")
    tfidf.fit([[*lines1, *lines2]])
    # Counts are 1 in these rows, so that 1 + ln(count) is the count and the measure gives the same.
    expected = [tfidf.scores([line], [other])[0] for line in lines1 for other in lines2[:2]]
    np.testing.assert_allclose(computed[1:4, 1:3].ravel(), expected, atol=1e-6)


def test_the_heaviest_chain_not_the_longest() -> None:
    lines1, lines2 = np.array([0, 1, 2, 3, 4]), np.array([5, 1, 2, 7, 3])
    assert heaviest_chain(lines1, lines2, np.array([9, 1, 1, 1, 1], np.float32)) == [(0, 5), (3, 7)]
    assert heaviest_chain(lines1, lines2, np.ones(5, np.float32)) in (
        [(1, 1), (2, 2), (3, 7)],
        [(1, 1), (2, 2), (4, 3)],
    )
    assert heaviest_chain(lines1[:0], lines2[:0], np.ones(0, np.float32)) == []


def test_the_best_path_gathers_most() -> None:
    table = np.array([[5, 0, 0], [5, 1, 0], [0, 0, 7]])
    assert best_path([RewardRow(0, row) for row in table]) == [(0, 0), (1, 0), (1, 1), (2, 2)]


def test_the_path_crosses_rows_that_leave_columns_out() -> None:
    rows = [
        RewardRow(0, np.array([3, 0])),
        RewardRow(5, np.array([2])),
        RewardRow(5, np.array([0, 4])),
        RewardRow(7, np.array([], np.int64)),
    ]
    assert best_path(rows) == [(0, 0), (1, 5), (2, 6)]
    assert best_path([]) == []


@settings(max_examples=200)
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_no_path_gathers_more(height: int, width: int, data: st.DataObject) -> None:
    table = [[data.draw(st.integers(0, 4)) for _ in range(width)] for _ in range(height)]
    most = [[0] * (width + 1) for _ in range(height + 1)]
    for i, row in enumerate(table):
        for j, reward in enumerate(row):
            most[i + 1][j + 1] = reward + max(most[i][j], most[i][j + 1], most[i + 1][j])
    cells = best_path([RewardRow(0, np.array(row)) for row in table])
    assert sum(table[i][j] for i, j in cells) == most[height][width]
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(cells))


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 5)), max_size=9, unique_by=lambda t: t[:2])
)
def test_no_chain_is_heavier(triples: list[tuple[int, int, int]]) -> None:
    triples = sorted(triples)
    best = [0] * len(triples)
    for n, (i, j, weight) in enumerate(triples):
        best[n] = weight + max((best[m] for m in range(n) if triples[m][0] <= i and triples[m][1] <= j), default=0)
    columns = np.array(triples, np.int64).reshape(-1, 3).T
    chain = heaviest_chain(columns[0], columns[1], columns[2].astype(np.float32))
    weights = {(i, j): weight for i, j, weight in triples}
    assert sum(weights[cell] for cell in chain) == max(best, default=0)
