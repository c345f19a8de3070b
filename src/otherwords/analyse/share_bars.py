"""Bars with their numbers beside them: one tone is enough, so that grey shows all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.analyse.figures import DEEP_TO_PALE
from otherwords.analyse.finding import Spec

WIDTH, NARROW = 420, 200
ROW = 24  # a bar with its name
LONGEST_NAME = 260  # pixels


@dataclass(frozen=True, slots=True)
class Panel:
    """A bar for each name, in this order; ``of`` says what is measured, ``form`` how its numbers are written."""

    bars: Sequence[tuple[str, float]]
    of: str
    form: str = ".1%"


def share_bars(title: str, shares: Sequence[tuple[str, float]], of: str) -> Spec:
    """A bar for each name; ``of`` says what they are shares of."""
    return {"title": title, **_panel(Panel(shares, of), WIDTH)}


def bars_beside(title: str, panels: Sequence[Panel]) -> Spec:
    """Several measures of the same names, a panel each."""
    return {"title": title, "hconcat": [_panel(one, NARROW) for one in panels], "spacing": 24}


def _panel(panel: Panel, width: int) -> Spec:
    rows = [{"name": name, "value": value} for name, value in panel.bars]
    ticks = ".2~%" if panel.form.endswith("%") else ".3~g"
    return {
        "width": width,
        "height": max(60, ROW * len(rows)),
        "data": {"values": rows},
        "encoding": {
            "y": {
                "field": "name",
                "type": "nominal",
                "sort": [name for name, _ in panel.bars],
                "title": None,
                "axis": {"labelLimit": LONGEST_NAME},
            },
            "x": {"field": "value", "type": "quantitative", "title": panel.of, "axis": {"format": ticks}},
        },
        "layer": [
            {"mark": {"type": "bar", "color": DEEP_TO_PALE[1]}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
                "encoding": {"text": {"field": "value", "format": panel.form}},
            },
        ],
    }
