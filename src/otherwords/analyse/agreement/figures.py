"""Figures of agreement: each coefficient with its interval, and the main ones from week to week."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from otherwords.analyse.agreement.report import measure_name, weeks_to_draw
from otherwords.analyse.figures.render import DEEP_TO_PALE
from otherwords.analyse.finding import Figure, Spec
from otherwords.measures.agreement import Coefficient

TITLES = {"observed": "observed agreement", "alpha-nominal": "Krippendorff's alpha"}
WIDTH, HEIGHT = 480, 150
ROW, LONGEST_NAME = 30, 260  # pixels
RULE = {"type": "rule", "color": DEEP_TO_PALE[2], "strokeWidth": 4}  # from one end of an interval to the other
Weeks = Mapping[str, list[Coefficient]]


def coefficient_dots(corpus: str, coefficients: Sequence[Coefficient]) -> list[Figure]:
    """A dot for each coefficient on each set of labels, on the line of its interval."""
    if not coefficients:
        return []
    rows = [
        {"measure": f"{measure_name(coefficient)}, {coefficient.labels}", **_interval(coefficient)}
        for coefficient in coefficients
    ]
    title = f"{corpus}: agreement of all annotators"
    order = list(dict.fromkeys(row["measure"] for row in rows))
    axis = {"labelLimit": LONGEST_NAME}
    names = {"field": "measure", "type": "nominal", "title": None, "axis": axis, "sort": order}
    scale = {"type": "quantitative", "title": "agreement", "scale": {"domain": [_lowest(coefficients), 1]}}
    value = {"x": {"field": "value", **scale}}
    ends = {"x": {"field": "low", **scale}, "x2": {"field": "high"}}
    dot = {"type": "point", "filled": True, "color": DEEP_TO_PALE[0], "size": 60}
    number = value | {"text": {"field": "value", "format": ".2f"}}
    spec = {
        "title": title,
        "width": WIDTH,
        "height": ROW * len(order),
        "data": {"values": rows},
        "encoding": {"y": names},
        "layer": [
            {"mark": RULE, "encoding": ends},
            {"mark": dot, "encoding": value},
            {"mark": {"type": "text", "dy": -9, "fontSize": 11}, "encoding": number},
        ],
    }
    caption = (
        "A dot is a coefficient, the line through it its 95 % interval; the labels that it compares stand beside it."
    )
    return [Figure("agreement", title, spec, caption)]


def week_lines(corpus: str, weeks_by_labels: Mapping[str, Weeks]) -> list[Figure]:
    """A figure for each set of labels that was judged in several weeks, without weeks of a few units."""
    figures: list[Figure] = []
    for labels, all_weeks in weeks_by_labels.items():
        drawn = weeks_to_draw(all_weeks)
        if not drawn.is_line:
            continue
        weeks, order = drawn.weeks, list(drawn.weeks)
        panels = []
        for name in TITLES:
            points = {
                week: coefficient
                for week in order
                for coefficient in weeks[week]
                if measure_name(coefficient) == name and coefficient.value is not None
            }
            panels += [_panel(name, order, points)] if points else []
        if panels:
            title = f"{corpus}: agreement from week to week, {labels}"
            point = "A point is the agreement on what was judged in a week, the bar through it its 95 % interval."
            caption = f"{point} {drawn.remark}".strip()
            spec = {"title": title, "vconcat": panels}
            figures.append(Figure(f"agreement_{len(figures) + 1}", title, spec, caption))
    return figures


def _interval(coefficient: Coefficient) -> dict[str, str | float | None]:
    return {"value": coefficient.value, "low": coefficient.low, "high": coefficient.high}


def _lowest(coefficients: Iterable[Coefficient]) -> float:
    """Where an axis starts: at zero, or lower if an interval reaches below."""
    ends = [coefficient.value if coefficient.low is None else coefficient.low for coefficient in coefficients]
    return min([0.0, *(end for end in ends if end is not None)])


def _panel(measure: str, order: list[str], points: Mapping[str, Coefficient]) -> Spec:
    """A line over all weeks; it skips a week without a value."""
    value = {"type": "quantitative", "title": TITLES[measure]}
    scale = {"domain": [_lowest(points.values()), 1]}
    axis = {"labelOverlap": True, "labelAngle": -45}
    weeks = {"field": "week", "type": "ordinal", "scale": {"domain": order}, "title": None, "axis": axis}
    line = {"type": "line", "color": DEEP_TO_PALE[0], "point": {"color": DEEP_TO_PALE[0], "size": 50}}
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": [{"week": week, **_interval(coefficient)} for week, coefficient in points.items()]},
        "encoding": {"x": weeks, "y": {"field": "value", **value, "scale": scale}},
        "layer": [
            {"mark": RULE, "encoding": {"y": {"field": "low", **value}, "y2": {"field": "high"}}},
            {"mark": line},
        ],
    }
