"""Charts: valid specifications, tones in order, names that do not overlap."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from otherwords.analyse.figures.charts import (
    DASHES,
    DEEP_TO_PALE,
    FEWEST_IN_LINE,
    NAME_HEIGHT,
    FigureLine,
    HistogramBar,
    Panel,
    bars_beside,
    label_bars,
    named_lines,
    share_bars,
    stacked_columns,
    stacked_histogram,
    stacked_shares,
    tone_scale,
    without_small,
)
from otherwords.analyse.figures.render import histogram_figure, save
from otherwords.analyse.finding import Spec

LINES = [
    FigureLine(name, [(0.0, 0.5), (1.0, end)], 100) for name, end in (("a", 0.10), ("b", 0.101), ("c", 0.0), ("d", 0.1))
]
FIGURES: dict[str, Spec] = {
    "bars": label_bars("Labels", {"4": 3, "4>": 1, "2": 5}, {"4": "4", "4>": "4", "2": "2"}),
    "shares": stacked_shares("By source", {"a": Counter({"4": 2, "2": 1}), "b": Counter()}, ["4", "2"]),
    "histogram": stacked_histogram(
        "Similarity", [HistogramBar(0.0, 0.5, "4", 3), HistogramBar(0.5, 1.0, "2", 1)], ["4", "2"], "x", "y"
    ),
    "columns": stacked_columns("Overlap", {"[0, 1)": Counter({"4": 2}), "[1, 1]": Counter()}, ["4", "2"], "overlap"),
    "lines": named_lines("Lines", LINES, "x", "y", {"format": "%"}),
    "no lines": named_lines("Lines", [], "x", "y"),
    "profile histogram": histogram_figure([{"from": 0.0, "to": 0.5, "count": 3}], "Similarity"),
    "panels": bars_beside("Panels", [Panel([("a", 0.5), ("b", 0.1)], "share"), Panel([("a", 3)], "score", ".1f")]),
    "share bars": share_bars("Shares", [("a", 0.5), ("b", 0.25)], "share of pairs"),
    "flat line": named_lines("Lines", [FigureLine("a", [(0.0, 0.0)], 100)], "x", "y"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_drawn(name: str, tmp_path: Path) -> None:
    files = [tmp_path / f"figure.{suffix}" for suffix in ("svg", "png")]
    save(FIGURES[name], *files)
    assert all(file.stat().st_size > 500 for file in files)


def test_an_invalid_specification_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(jsonschema.ValidationError, match="barr"):
        save({"mark": "barr", "data": {"values": []}}, tmp_path / "figure.svg")
    assert list(tmp_path.iterdir()) == []


def test_tones_run_from_deep_to_pale() -> None:
    scale = FIGURES["histogram"]["encoding"]["color"]["scale"]
    assert scale == {"domain": ["4", "2"], "range": [DEEP_TO_PALE[0], DEEP_TO_PALE[2]]}
    assert tone_scale(["yes", "no"])["range"] == list(DEEP_TO_PALE[:2])


@pytest.mark.parametrize("order", [["1"], ["2", "1"], ["4", "3", "2", "1", "x"], ["4", "1", "(none)"]])
def test_a_label_has_its_tone_whichever_others_there_are(order: list[str]) -> None:
    scale = tone_scale(order)
    assert dict(zip(scale["domain"], scale["range"], strict=True))["1"] == DEEP_TO_PALE[3]


@pytest.mark.parametrize("name", ["bars", "histogram", "columns"])
def test_counts_are_whole_numbers(name: str, tmp_path: Path) -> None:
    save(FIGURES[name], tmp_path / "figure.svg")
    svg = (tmp_path / "figure.svg").read_text()
    axis = {"bars": "X", "histogram": "Y", "columns": "Y"}[name]
    labels = re.search(rf'aria-label="{axis}-axis.*?role-axis-title', svg, re.DOTALL)
    assert labels is not None
    numbers = [number for number in re.findall(r">([^<>]*)</text>", labels[0]) if number]
    assert numbers
    assert all(number.isdecimal() for number in numbers), numbers


def test_names_stand_at_the_ends_where_there_is_room() -> None:
    ends = {"a": 0.4, "b": 0.2, "c": 0.0}
    lines = [FigureLine(name, [(0.0, 0.5), (1.0, end)], 100) for name, end in ends.items()]
    spec = named_lines("Lines", lines, "x", "y")
    named = {row["line"]: row["y"] for row in spec["layer"][2]["data"]["values"]}
    assert named == {"a": 0.4, "b": 0.2, "c": pytest.approx(NAME_HEIGHT * 0.525 / 2)}, "clear of the axis"
    assert spec["layer"][0]["encoding"]["strokeDash"]["legend"] is None


def test_names_that_would_collide_stand_in_a_legend_with_their_dashes(tmp_path: Path) -> None:
    lines, points = FIGURES["lines"]["layer"]
    assert lines["encoding"]["strokeDash"]["legend"]["symbolType"] == "stroke"
    assert points["encoding"]["color"]["legend"] is None
    save(FIGURES["lines"], tmp_path / "figure.svg")
    legend = (tmp_path / "figure.svg").read_text().partition("role-legend-entry")[2]
    assert len(set(re.findall(r'stroke-dasharray="([^"]+)"', legend))) >= 3


def test_lines_differ_without_colour() -> None:
    lines, points = FIGURES["lines"]["layer"][:2]
    dashes = lines["encoding"]["strokeDash"]["scale"]["range"]
    shapes = points["encoding"]["shape"]["scale"]["range"]
    assert len({tuple(dash) for dash in dashes}) == len(set(shapes)) == 4
    assert len({tuple(dash) for dash in DASHES}) == len(DASHES) >= 6


def test_no_line_is_drawn_through_a_handful_of_pairs() -> None:
    lines = [FigureLine(name, [(0.0, 1.0)], size) for name, size in (("a", 1), ("b", 19), ("c", FEWEST_IN_LINE))]
    drawn, remarks = without_small(lines, "pair")
    assert [line.name for line in drawn] == ["c"]
    assert remarks == [
        "no line is drawn for “a”: 1 pair is too few to show a shape (at least 20)",
        "no line is drawn for “b”: 19 pairs are too few to show a shape (at least 20)",
    ]


def test_an_empty_part_of_a_column_is_no_line() -> None:
    counts = {"[0, 1)": Counter({"4": 2}), "[1, 1]": Counter[str]()}
    spec = stacked_columns("Overlap", counts, ["4", "2"], "overlap")
    assert [(row["range"], row["class"]) for row in spec["data"]["values"]] == [("[0, 1)", "4")]
    assert spec["encoding"]["x"]["scale"]["domain"] == ["[0, 1)", "[1, 1]"]  # the empty column keeps its place
    assert spec["encoding"]["color"]["scale"]["domain"] == ["4", "2"]
