"""Shares as bars with their numbers beside them: one tone is enough, so that grey shows all there is."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.analyse.figures import DEEP_TO_PALE
from otherwords.analyse.finding import Spec

WIDTH = 420
ROW = 24  # a bar with its name
LONGEST_NAME = 260  # pixels


def share_bars(title: str, shares: Sequence[tuple[str, float]], of: str) -> Spec:
    """A bar for each name, in this order; ``of`` says what they are shares of."""
    rows = [{"name": name, "share": share} for name, share in shares]
    return {
        "title": title,
        "width": WIDTH,
        "height": max(60, ROW * len(rows)),
        "data": {"values": rows},
        "encoding": {
            "y": {
                "field": "name",
                "type": "nominal",
                "sort": [name for name, _ in shares],
                "title": None,
                "axis": {"labelLimit": LONGEST_NAME},
            },
            "x": {"field": "share", "type": "quantitative", "title": of, "axis": {"format": ".2~%"}},
        },
        "layer": [
            {"mark": {"type": "bar", "color": DEEP_TO_PALE[1]}},
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
                "encoding": {"text": {"field": "share", "format": ".1%"}},
            },
        ],
    }
