"""Figures for telephones: the same data on as many pixels as their screen has."""

from __future__ import annotations

import re

import pytest

from otherwords.analyse.figures.charts import (
    FigureLine,
    HistogramBar,
    Panel,
    bars_beside,
    label_bars,
    named_lines,
    share_bars,
    stacked_histogram,
)
from otherwords.analyse.figures.narrow import WIDTH, narrow
from otherwords.analyse.figures.render import can_draw, narrow_picture
from otherwords.analyse.finding import Spec

LONG = "a name that is longer than a line of a telephone"
TITLE = "corpus: the share of what is measured here in all pairs of texts, by label"
SPECS: dict[str, Spec] = {
    "shares": share_bars(TITLE, [(LONG, 0.25), ("short", 0.75)], "share of pairs"),
    "beside": bars_beside(TITLE, [Panel([(LONG, 0.2)], "precision"), Panel([(LONG, 0.4)], "recall")]),
    "labels": label_bars(TITLE, {"4": 120, "3": 7}, {"4": "4", "3": "3"}),
    "histogram": stacked_histogram(TITLE, [HistogramBar(0, 1, "4", 3), HistogramBar(1, 2, "3", 2)], "43", "x", "y"),
    "lines": named_lines(
        TITLE, [FigureLine(f"{LONG} {n}", [(0.0, 0.5), (1.0, 0.5)], 30) for n in range(3)], "overlap", "share"
    ),
    "lines with their names at the ends": named_lines(
        TITLE, [FigureLine(f"{LONG} {n}", [(0.0, 0.5), (1.0, n / 3)], 30) for n in range(3)], "overlap", "share"
    ),
}


@pytest.mark.skipif(not can_draw(), reason="the extra for figures is not installed")
@pytest.mark.parametrize("name", SPECS)
def test_as_wide_as_the_screen_and_complete(name: str) -> None:
    svg = narrow_picture(SPECS[name])
    width = re.search(r'width="([\d.]+)"', svg)
    assert width is not None
    assert float(width[1]) <= 1.15 * WIDTH
    words = re.sub(r"<[^>]+>", " ", svg)
    for word in [
        "the",
        "share",
        "of",
        "what",
        "is",
        "measured",
        "here",
        "in",
        "all",
        "pairs",
        "of",
        "texts,",
        "by",
        "label",
    ]:
        assert word in words
    if name in ("shares", "beside", "lines", "lines with their names at the ends"):
        assert all(word in words for word in LONG.split()), "a long name is broken, not cut off"


def test_panels_stand_one_under_the_other_with_their_data() -> None:
    wide = SPECS["beside"]
    small = narrow(wide)
    assert "hconcat" not in small
    assert [panel["data"] for panel in small["vconcat"]] == [panel["data"] for panel in wide["hconcat"]]
    assert wide["hconcat"][0]["width"] == 200, "the figure itself is left as it is"


def test_names_on_several_lines_have_room() -> None:
    names = [f"{LONG} {number}" for number in range(7)]
    spec = share_bars("shares", [(name, 0.1) for name in names], "share of pairs")
    assert narrow(spec)["height"] >= len(names) * 3 * 14 > spec["height"], "each name is three lines of 14 pixels"
    short = share_bars("shares", [(str(number), 0.1) for number in range(7)], "share of pairs")
    assert narrow(short)["height"] == short["height"]


@pytest.mark.skipif(not can_draw(), reason="the extra for figures is not installed")
def test_names_at_the_ends_of_lines_leave_them_room() -> None:
    svg = narrow_picture(SPECS["lines with their names at the ends"])
    frame = re.search(r'class="background" aria-hidden="true" d="M0,0h([\d.]+)v', svg)
    assert frame is not None
    assert float(frame[1]) >= 0.6 * WIDTH, "the lines are drawn over most of the screen"
