"""Agreement from week to week as a picture: a panel for each measure, a line with its intervals in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherwords.analyse.figures import DEEP_TO_PALE
from otherwords.analyse.finding import Figure, Spec
from otherwords.measures.agreement.figure import Figure as Coefficient

NAMES = {"observed": "observed agreement", "alpha-nominal": "Krippendorff's alpha"}
WIDTH, HEIGHT = 480, 150
FEWEST_WEEKS = 2
Weeks = Mapping[str, list[Coefficient]]


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
