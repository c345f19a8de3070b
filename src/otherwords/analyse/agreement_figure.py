"""Agreement as pictures: each coefficient with its interval, and the main ones from week to week."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherwords.analyse.figures import DEEP_TO_PALE
from otherwords.analyse.finding import Figure, Spec
from otherwords.measures.agreement.figure import Figure as Coefficient

NAMES = {"observed": "observed agreement", "alpha-nominal": "Krippendorff's alpha"}
WIDTH, HEIGHT = 480, 150
ROW, LONGEST_NAME = 30, 260  # pixels
FEWEST_WEEKS = 2
Weeks = Mapping[str, list[Coefficient]]


def coefficient_dots(corpus: str, figures: Sequence[Coefficient]) -> list[Figure]:
    """A dot for each coefficient on each set of labels, on the line of its interval."""
    rows: list[dict[str, Any]] = [
        {"measure": f"{one.measure.partition(':')[0]}, {one.labels}", "value": one.value}
        | {"low": one.low, "high": one.high}
        for one in figures
    ]
    if not rows:
        return []
    title = f"{corpus}: agreement of all annotators"
    order = list(dict.fromkeys(row["measure"] for row in rows))
    axis = {"labelLimit": LONGEST_NAME}
    names = {"field": "measure", "type": "nominal", "title": None, "axis": axis, "sort": order}
    lowest = min([0.0, *(row["value"] if row["low"] is None else row["low"] for row in rows)])
    value = {"type": "quantitative", "title": "agreement", "scale": {"domain": [lowest, 1]}}
    spec = {
        "title": title,
        "width": WIDTH,
        "height": ROW * len(order),
        "data": {"values": rows},
        "encoding": {"y": names},
        "layer": [
            {
                "mark": {"type": "rule", "color": DEEP_TO_PALE[2], "strokeWidth": 4},
                "encoding": {"x": {"field": "low", **value}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "color": DEEP_TO_PALE[0], "size": 60},
                "encoding": {"x": {"field": "value", **value}},
            },
            {
                "mark": {"type": "text", "dy": -9, "fontSize": 11},
                "encoding": {"x": {"field": "value", **value}, "text": {"field": "value", "format": ".2f"}},
            },
        ],
    }
    return [Figure("agreement", title, spec)]


def week_lines(corpus: str, report: Mapping[str, Weeks]) -> list[Figure]:
    """A picture of each set of labels that was judged in several weeks."""
    figures: list[Figure] = []
    for labels, weeks in report.items():
        order = sorted(weeks)
        panels = [_panel(name, order, points) for name in NAMES if (points := _points(name, weeks))]
        if panels and len(order) >= FEWEST_WEEKS:
            title = f"{corpus}: agreement from week to week, {labels}"
            figures.append(Figure(f"agreement_{len(figures) + 1}", title, {"title": title, "vconcat": panels}))
    return figures


def _points(measure: str, weeks: Weeks) -> list[dict[str, Any]]:
    return [
        {"week": week, "value": one.value, "low": one.low, "high": one.high}
        for week in sorted(weeks)
        for one in weeks[week]
        if one.measure.partition(":")[0] == measure and one.value is not None
    ]


def _panel(measure: str, order: list[str], points: list[dict[str, Any]]) -> Spec:
    """A line over all weeks; one that has no value is passed over."""
    lowest = min(point["value"] if point["low"] is None else point["low"] for point in points)
    scale = {"domain": [min(0.0, lowest), 1]}
    axis = {"labelOverlap": True, "labelAngle": -45}
    weeks = {"field": "week", "type": "ordinal", "scale": {"domain": order}, "title": None, "axis": axis}
    line = {"type": "line", "color": DEEP_TO_PALE[0], "point": {"color": DEEP_TO_PALE[0], "size": 50}}
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": points},
        "encoding": {
            "x": weeks,
            "y": {"field": "value", "type": "quantitative", "title": NAMES[measure], "scale": scale},
        },
        "layer": [
            {
                "mark": {"type": "rule", "color": DEEP_TO_PALE[2], "strokeWidth": 4},
                "encoding": {
                    "y": {"field": "low", "type": "quantitative", "title": NAMES[measure]},
                    "y2": {"field": "high"},
                },
            },
            {"mark": line},
        ],
    }
