"""The few kinds of charts that analyses draw, as Vega-Lite specifications.

All are readable in grey: classes run from a deep to a pale tone in one order and have a legend in that order; lines
differ by dash and mark, and are named at their ends or, where these are too close, in a legend; bars of a single tone
have their numbers beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from otherwords.analyse.finding import Spec, quantity
from otherwords.analyse.label_classes import UNLABELLED

WIDTH, HEIGHT, NARROW = 420, 240, 200
ROW = 22  # a bar with its label
NAMED_ROW = 24  # a bar with its name
LONGEST_NAME = 260  # pixels
DEEP_TO_PALE = ("#0b3c5d", "#3b76a3", "#8fbbd6", "#d6e4ee", "#f2f2f2")
TURKU = ("4", "3", "2", "1", "x")  # the bases of Turku labels, a tone each
EDGE = {"stroke": DEEP_TO_PALE[0], "strokeWidth": 0.5}
NUMBER = {"type": "text", "align": "left", "dx": 4, "fontSize": 11}  # beside a bar
COUNTS: Spec = {  # an axis of whole numbers: Vega's minimal step between ticks lets halves through
    "tickMinStep": 1,
    "labelExpr": "datum.value % 1 ? '' : format(datum.value, ',d')",
    "tickOpacity": {"condition": {"test": "datum.value % 1", "value": 0}, "value": 1},
}
LINE_TONES = ("#0b3c5d", "#3b76a3", "#5c5c5c", "#111111")  # pale lines would be lost on white
DASHES = ([1, 0], [6, 3], [2, 2], [10, 3, 2, 3], [14, 4], [6, 2, 2, 2, 2, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
LEGEND = {"title": None, "symbolType": "stroke", "symbolSize": 1600, "symbolStrokeWidth": 2, "labelLimit": 340}
LINE = "line"  # the field that has the name of a line
NAME_HEIGHT = 0.07  # of the height of a figure
FEWEST_IN_LINE = 20  # pairs or texts: of fewer, a single one moves a point by more than 5 %


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """The part of a bar that belongs to one class."""

    low: float
    high: float
    label_class: str
    count: float


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A line and its name; ``size`` is the number of pairs or texts that it describes."""

    name: str
    points: Sequence[tuple[float, float]]
    size: int


@dataclass(frozen=True, slots=True)
class Panel:
    """Named bars in this order; ``title`` says what is measured, ``form`` how its numbers are written."""

    bars: Sequence[tuple[str, float]]
    title: str
    form: str = ".1%"


def tone_scale(order: Sequence[str]) -> Spec:
    """A scale of classes from deep to pale; the bases of Turku labels keep their tone, whichever of them occur."""
    if set(order) <= {*TURKU, UNLABELLED} and set(order) & set(TURKU):
        tones = [DEEP_TO_PALE[TURKU.index(base) if base in TURKU else -1] for base in order]
    else:
        tones = [DEEP_TO_PALE[min(place, len(DEEP_TO_PALE) - 1)] for place in range(len(order))]
    return {"domain": list(order), "range": tones}


def share_bars(title: str, shares: Sequence[tuple[str, float]], axis_title: str) -> Spec:
    """A bar for each name, of a single tone."""
    return {"title": title, **_panel(Panel(shares, axis_title), WIDTH)}


def bars_beside(title: str, panels: Sequence[Panel]) -> Spec:
    """Several measures of the same names, a panel each."""
    return {"title": title, "hconcat": [_panel(panel, NARROW) for panel in panels], "spacing": 24}


def _panel(panel: Panel, width: int) -> Spec:
    ticks = ".2~%" if panel.form.endswith("%") else ".3~g"
    order = [name for name, _ in panel.bars]
    names = {"sort": order, "title": None, "axis": {"labelLimit": LONGEST_NAME}}
    return {
        "width": width,
        "height": max(60, NAMED_ROW * len(order)),
        "data": {"values": [{"name": name, "value": value} for name, value in panel.bars]},
        "encoding": {
            "y": {"field": "name", "type": "nominal", **names},
            "x": {"field": "value", "type": "quantitative", "title": panel.title, "axis": {"format": ticks}},
        },
        "layer": [
            {"mark": {"type": "bar", "color": DEEP_TO_PALE[1]}},
            {"mark": NUMBER, "encoding": {"text": {"field": "value", "format": panel.form}}},
        ],
    }


def label_bars(title: str, counts: Mapping[str, int], class_of: Mapping[str, str]) -> Spec:
    """A bar for each label with its count, in the tone of its class."""
    rows = [{"label": label, "class": class_of[label], "pairs": count} for label, count in counts.items()]
    drawn = {row["class"] for row in rows}
    scale = tone_scale([name for name in dict.fromkeys(class_of.values()) if name in drawn])
    tones = {"color": {"field": "class", "type": "nominal", "scale": scale, "legend": None}}
    return {
        "title": title,
        "width": WIDTH,
        "height": max(60, ROW * len(rows)),
        "data": {"values": rows},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": list(counts), "title": None},
            "x": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        },
        "layer": [
            {"mark": {"type": "bar", **EDGE}, "encoding": tones},
            {"mark": NUMBER, "encoding": {"text": {"field": "pairs", "format": ","}}},
        ],
    }


def bar_chart(title: str, rows: Sequence[Mapping[str, object]], encoding: Spec) -> Spec:
    """Bars of the usual size with this encoding."""
    size = {"width": WIDTH, "height": HEIGHT}
    return {"title": title, **size, "data": {"values": rows}, "mark": {"type": "bar", **EDGE}, "encoding": encoding}


def stacking(field: str, order: Sequence[str], title: str = "label") -> Spec:
    """The part of an encoding that cuts bars by a field; its first value has the deepest tone."""
    return {
        "color": {"field": field, "type": "nominal", "scale": tone_scale(order), "title": title},
        "order": {"field": "order", "type": "quantitative"},
    }


def stacked_shares(title: str, counts: Mapping[str, Counter[str]], order: Sequence[str]) -> Spec:
    """A horizontal bar for each row, all equally long, cut by the shares of the classes."""
    rows = _class_counts("row", counts, order)
    share = {"stack": "normalize", "title": "share of pairs", "axis": {"format": "%"}}
    encoding = {
        "y": {"field": "row", "type": "nominal", "sort": list(counts), "title": None},
        "x": {"field": "pairs", "type": "quantitative", **share},
        **stacking("class", order),
    }
    return {**bar_chart(title, rows, encoding), "height": max(60, ROW * len(counts))}


def stacked_columns(
    title: str, counts: Mapping[str, Counter[str]], order: Sequence[str], x: str, classes: str = "label"
) -> Spec:
    """A column for each named range, cut by class; ``classes`` is what these are, for the legend."""
    angled = {"labelAngle": -40}
    encoding = {
        "x": {"field": "range", "type": "ordinal", "scale": {"domain": list(counts)}, "title": x, "axis": angled},
        "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        **stacking("class", order, classes),
    }
    return bar_chart(title, _class_counts("range", counts, order), encoding)


def _class_counts(key: str, counts: Mapping[str, Counter[str]], order: Sequence[str]) -> list[dict[str, str | int]]:
    return [
        {key: name, "class": label_class, "pairs": counts[name][label_class], "order": place}
        for name in counts
        for place, label_class in enumerate(order)
        if counts[name][label_class]  # an empty part would be drawn as a line
    ]


def stacked_histogram(title: str, bars: Sequence[HistogramBar], order: Sequence[str], x: str, y: str) -> Spec:
    """A histogram cut by class, the deepest tone at the bottom."""
    places = {name: place for place, name in enumerate(order)}
    rows = [
        {"from": bar.low, "to": bar.high, "class": bar.label_class, "count": bar.count}
        | {"order": places[bar.label_class]}
        for bar in bars
    ]
    return bar_chart(title, rows, {**histogram_axes(x, y), **stacking("class", order)})


def histogram_axes(x: str, y: str) -> Spec:
    """The part of an encoding that draws the count of each range as a bar."""
    return {
        "x": {"field": "from", "type": "quantitative", "bin": {"binned": True}, "title": x},
        "x2": {"field": "to"},
        "y": {"field": "count", "type": "quantitative", "title": y, "axis": COUNTS},
    }


def overlap_line(name: str, counts: Counter[int], ranges: int) -> FigureLine:
    """The share of pairs in each range of an overlap, of which the last holds full overlap alone."""
    points = [(place / ranges, counts[place] / counts.total()) for place in range(ranges + 1)]
    return FigureLine(name, points, counts.total())


def without_small(lines: Sequence[FigureLine], noun: str) -> tuple[list[FigureLine], list[str]]:
    """The lines that describe enough to have a shape, and a remark for each of the others."""
    drawn = [line for line in lines if line.size >= FEWEST_IN_LINE]
    remarks = [
        f"no line is drawn for “{line.name}”: {quantity(line.size, noun)} {'is' if line.size == 1 else 'are'} "
        f"too few to show a shape (at least {FEWEST_IN_LINE})"
        for line in lines
        if line.size < FEWEST_IN_LINE
    ]
    return drawn, remarks


def named_lines(
    title: str, lines: Sequence[FigureLine], x: str, y: str, y_axis: Mapping[str, str] | None = None
) -> Spec:
    """Lines that differ by dash and mark, named at their ends, or in a legend where names would collide."""
    points = [{LINE: line.name, "x": place, "y": height} for line in lines for place, height in line.points]
    top = 1.05 * max((height for line in lines for _, height in line.points), default=1.0) or 1.0
    last = {line.name: line.points[-1][1] for line in lines if line.points}
    at_ends = all(above - below >= NAME_HEIGHT * top for below, above in pairwise(sorted(last.values())))
    style = _line_styles([line.name for line in lines], legend=None if at_ends else LEGEND)
    axis = {"title": y, "axis": dict(y_axis or {}), "scale": {"domain": [0, top]}}
    position = {
        "x": {"field": "x", "type": "quantitative", "title": x},
        "y": {"field": "y", "type": "quantitative", **axis},
    }
    strokes = {"color": style["color"], "strokeDash": style["strokeDash"]}
    marks = {"color": {**style["color"], "legend": None}, "shape": style["shape"]}
    point = {"type": "point", "size": 30, "filled": True, "opacity": 1}
    layers: list[Spec] = [
        {"data": {"values": points}, "mark": {"type": "line", "strokeWidth": 2}, "encoding": position | strokes},
        {"data": {"values": points}, "mark": point, "encoding": position | marks},
    ]
    if at_ends:  # right of the last points, clear of the axis
        right = max((place for line in lines for place, _ in line.points), default=1.0)
        names = [{LINE: name, "x": right, "y": max(height, NAME_HEIGHT * top / 2)} for name, height in last.items()]
        text = {"type": "text", "align": "left", "dx": 8, "fontSize": 12, "clip": False}
        encoding = position | {"text": {"field": LINE}, "color": style["color"]}
        layers.append({"data": {"values": names}, "mark": text, "encoding": encoding})
    apart = {"scale": dict.fromkeys(style, "independent")}  # else the legend would draw the marks over the dashes
    return {"title": title, "width": WIDTH, "height": HEIGHT, "layer": layers, "resolve": apart}


def _line_styles(order: Sequence[str], legend: Mapping[str, object] | None) -> dict[str, Spec]:
    """Tone, dash and mark of each line."""
    ranges = {"color": LINE_TONES, "strokeDash": DASHES, "shape": SHAPES}
    return {
        channel: {
            "field": LINE,
            "type": "nominal",
            "scale": {"domain": list(order), "range": [values[place % len(values)] for place in range(len(order))]},
            "legend": None if legend is None or channel == "shape" else dict(legend),
        }
        for channel, values in ranges.items()
    }
