"""The few kinds of figures that analyses draw, as Vega-Lite descriptions: numbers in, a description out.

All are readable in grey: classes run from a deep to a pale tone in one order and have a legend in that order, lines
differ by their dashes and marks, and are named at their ends, or where these lie too close in a legend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from otherwords.analyse.figures import COUNTS, DEEP_TO_PALE, tone_range
from otherwords.analyse.finding import Spec

EDGE = {"stroke": DEEP_TO_PALE[0], "strokeWidth": 0.5}
WIDTH, HEIGHT = 420, 240
ROW = 22  # a bar with its label
LINE_TONES = ("#0b3c5d", "#3b76a3", "#5c5c5c", "#111111")  # pale lines would be lost on white
DASHES = ([1, 0], [6, 3], [2, 2], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
LEGEND = {"title": None, "symbolType": "stroke", "symbolSize": 1600, "symbolStrokeWidth": 2, "labelLimit": 260}
NAME_HEIGHT = 0.07  # of the height of a figure


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of a histogram: from where to where, of which class, how many."""

    low: float
    high: float
    of: str
    count: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a figure by the name that stands at its end."""

    name: str
    points: Sequence[tuple[float, float]]


def tone_scale(order: Sequence[str]) -> dict[str, Any]:
    """Classes from deep to pale."""
    return {"domain": list(order), "range": tone_range(order)}


def label_bars(title: str, counts: Mapping[str, int], tone: Mapping[str, str]) -> Spec:
    """A bar a label with its count, as deep as its class."""
    order = list(counts)
    rows = [{"label": label, "class": tone[label], "pairs": count} for label, count in counts.items()]
    colour = tone_scale([one for one in dict.fromkeys(tone.values()) if one in {row["class"] for row in rows}])
    return {
        "title": title,
        "width": WIDTH,
        "height": max(60, ROW * len(order)),
        "data": {"values": rows},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": order, "title": None},
            "x": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        },
        "layer": [
            {
                "mark": {"type": "bar", **EDGE},
                "encoding": {"color": {"field": "class", "type": "nominal", "scale": colour, "legend": None}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
                "encoding": {"text": {"field": "pairs", "format": ","}},
            },
        ],
    }


def stacked_shares(title: str, counts: Mapping[str, Counter[str]], order: Sequence[str]) -> Spec:
    """A bar a row, as long as any other, cut by the shares of the classes."""
    rows = [
        {"row": row, "class": one, "pairs": counts[row][one], "order": place}
        for row in counts
        for place, one in enumerate(order)
        if counts[row][one]
    ]
    return {
        "title": title,
        "width": WIDTH,
        "height": max(60, ROW * len(counts)),
        "data": {"values": rows},
        "mark": {"type": "bar", **EDGE},
        "encoding": {
            "y": {"field": "row", "type": "nominal", "sort": list(counts), "title": None},
            "x": {
                "field": "pairs",
                "type": "quantitative",
                "stack": "normalize",
                "title": "share of pairs",
                "axis": {"format": "%"},
            },
            "color": {"field": "class", "type": "nominal", "scale": tone_scale(order), "title": "label"},
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def bar_chart(title: str, rows: Sequence[Mapping[str, Any]], encoding: Spec) -> Spec:
    """Bars of the usual size, as an encoding says."""
    size = {"width": WIDTH, "height": HEIGHT}
    return {"title": title, **size, "data": {"values": rows}, "mark": {"type": "bar", **EDGE}, "encoding": encoding}


def stacked_histogram(title: str, bars: Sequence[Bar], order: Sequence[str], x: str, y: str) -> Spec:
    """How many lie in each stretch, cut by class; the deepest class at the bottom."""
    places = {name: place for place, name in enumerate(order)}
    rows = [
        {"from": one.low, "to": one.high, "class": one.of, "count": one.count, "order": places[one.of]} for one in bars
    ]
    return bar_chart(
        title,
        rows,
        {
            "x": {"field": "from", "type": "quantitative", "bin": {"binned": True}, "title": x},
            "x2": {"field": "to"},
            "y": {"field": "count", "type": "quantitative", "title": y, "axis": COUNTS},
            "color": {"field": "class", "type": "nominal", "scale": tone_scale(order), "title": "label"},
            "order": {"field": "order", "type": "quantitative"},
        },
    )


def stacked_columns(title: str, counts: Mapping[str, Counter[str]], order: Sequence[str], x: str) -> Spec:
    """A column for each named range, cut by class."""
    rows = [
        {"range": name, "class": one, "pairs": counts[name][one], "order": place}
        for name in counts
        for place, one in enumerate(order)
    ]
    return bar_chart(
        title,
        rows,
        {
            "x": {"field": "range", "type": "ordinal", "sort": list(counts), "title": x, "axis": {"labelAngle": -40}},
            "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
            "color": {"field": "class", "type": "nominal", "scale": tone_scale(order), "title": "label"},
            "order": {"field": "order", "type": "quantitative"},
        },
    )


def named_lines(title: str, lines: Sequence[Line], x: str, y: str, y_axis: Mapping[str, Any] | None = None) -> Spec:
    """Lines that differ by dash and mark, named at their ends, or in a legend where names would collide."""
    points = [{"line": line.name, "x": place, "y": height} for line in lines for place, height in line.points]
    top = 1.05 * max((height for line in lines for _, height in line.points), default=1.0) or 1.0
    at_ends = _have_room(lines, top)
    style = _line_styles([line.name for line in lines], legend=None if at_ends else LEGEND)
    place = {
        "x": {"field": "x", "type": "quantitative", "title": x},
        "y": {
            "field": "y",
            "type": "quantitative",
            "title": y,
            "axis": dict(y_axis or {}),
            "scale": {"domain": [0, top]},
        },
    }
    strokes = {"color": style["color"], "strokeDash": style["strokeDash"]}
    marks = {"color": {**style["color"], "legend": None}, "shape": style["shape"]}
    layers: list[dict[str, Any]] = [
        {"data": {"values": points}, "mark": {"type": "line", "strokeWidth": 2}, "encoding": place | strokes},
        {
            "data": {"values": points},
            "mark": {"type": "point", "size": 30, "filled": True, "opacity": 1},
            "encoding": place | marks,
        },
    ]
    if at_ends:
        layers.append(
            {
                "data": {"values": _names(lines, top)},
                "mark": {"type": "text", "align": "left", "dx": 8, "fontSize": 12, "clip": False},
                "encoding": place | {"text": {"field": "line"}, "color": style["color"]},
            }
        )
    apart = {"scale": dict.fromkeys(style, "independent")}  # else the legend would draw the marks over the dashes
    return {"title": title, "width": WIDTH, "height": HEIGHT, "layer": layers, "resolve": apart}


def _line_styles(order: Sequence[str], legend: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Tone, dash and mark of each line."""
    ranges = {"color": LINE_TONES, "strokeDash": DASHES, "shape": SHAPES}
    return {
        channel: {
            "field": "line",
            "type": "nominal",
            "scale": {"domain": list(order), "range": [some[place % len(some)] for place in range(len(order))]},
            "legend": None if legend is None or channel == "shape" else dict(legend),
        }
        for channel, some in ranges.items()
    }


def _have_room(lines: Sequence[Line], top: float) -> bool:
    """Whether the names fit beside the last points without lying upon each other."""
    ends = sorted(line.points[-1][1] for line in lines if line.points)
    return all(above - below >= NAME_HEIGHT * top for below, above in pairwise(ends))


def _names(lines: Sequence[Line], top: float) -> list[dict[str, Any]]:
    """Where the names stand: right of the last points, clear of the axis."""
    right = max((x for line in lines for x, _ in line.points), default=1.0)
    ends = [(line.name, line.points[-1][1]) for line in lines if line.points]
    return [{"line": name, "x": right, "y": max(y, NAME_HEIGHT * top / 2)} for name, y in ends]
