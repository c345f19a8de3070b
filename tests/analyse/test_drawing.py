"""Figures: valid descriptions, tones in order, names that do not lie upon each other."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest

from otherwords.analyse.drawing import (
    NAME_HEIGHT,
    Bar,
    Line,
    label_bars,
    named_lines,
    stacked_columns,
    stacked_histogram,
    stacked_shares,
)
from otherwords.analyse.figures import DEEP_TO_PALE, save
from otherwords.analyse.finding import Spec

LINES = [Line(name, [(0.0, 0.5), (1.0, end)]) for name, end in (("a", 0.10), ("b", 0.101), ("c", 0.0), ("d", 0.1))]
EVERY: dict[str, Spec] = {
    "bars": label_bars("Labels", {"4": 3, "4>": 1, "2": 5}, {"4": "4", "4>": "4", "2": "2"}),
    "shares": stacked_shares("By source", {"a": Counter({"4": 2, "2": 1}), "b": Counter()}, ["4", "2"]),
    "histogram": stacked_histogram("Similarity", [Bar(0.0, 0.5, "4", 3), Bar(0.5, 1.0, "2", 1)], ["4", "2"], "x", "y"),
    "columns": stacked_columns("Overlap", {"[0, 1)": Counter({"4": 2}), "[1, 1]": Counter()}, ["4", "2"], "overlap"),
    "lines": named_lines("Lines", LINES, "x", "y", {"format": "%"}),
    "no lines": named_lines("Lines", [], "x", "y"),
    "flat line": named_lines("Lines", [Line("a", [(0.0, 0.0)])], "x", "y"),
}


@pytest.mark.parametrize("name", EVERY)
def test_every_figure_can_be_drawn(name: str, tmp_path: Path) -> None:
    files = [tmp_path / f"figure.{suffix}" for suffix in ("svg", "png")]
    save(EVERY[name], *files)
    assert all(file.stat().st_size > 500 for file in files)


def test_a_figure_that_the_grammar_does_not_know_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(jsonschema.ValidationError, match="barr"):
        save({"mark": "barr", "data": {"values": []}}, tmp_path / "figure.svg")
    assert list(tmp_path.iterdir()) == []


def test_tones_run_from_deep_to_pale() -> None:
    scale = EVERY["histogram"]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["4", "2"], "range": list(DEEP_TO_PALE[:2])}


def test_names_at_the_ends_of_lines_have_room() -> None:
    named = EVERY["lines"]["layer"][2]["data"]["values"]
    heights = [row["y"] for row in named]
    assert [row["line"] for row in named] == ["c", "a", "d", "b"], "in the order of the ends"
    top = 0.5 * 1.05
    assert all(above - below >= NAME_HEIGHT * top - 1e-9 for below, above in pairwise(heights))


def test_lines_differ_without_colour() -> None:
    lines, points = EVERY["lines"]["layer"][:2]
    dashes = lines["encoding"]["strokeDash"]["scale"]["range"]
    shapes = points["encoding"]["shape"]["scale"]["range"]
    assert len({tuple(one) for one in dashes}) == len(set(shapes)) == 4
