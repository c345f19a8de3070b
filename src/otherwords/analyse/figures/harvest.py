"""The heat map of tiles (Kanerva et al. 2023, Figure 7): how many pairs of each are negative, or positive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from otherwords.analyse.figures.charts import DEEP_TO_PALE
from otherwords.analyse.finding import Spec, quantity
from otherwords.mining.harvest.tiles import Tile

CELL = 64  # pixels
SHARES = (0.2, 0.4, 0.6, 0.8)  # where one tone ends and the next begins; pages in dark know these tones only
DARK = SHARES[2]  # the share from which numbers are written in white


def tiles_figure(
    tiles: Sequence[Tile], steps: int, confidence: str, title: str, side: Literal["negative", "positive"] = "negative"
) -> Spec:
    """A tile for each range of similarity and confidence, with the share of one side and the number of pairs."""
    width = 1 / steps
    rows = [
        {
            "similarity": _range(tile.similarity, width),
            "confidence": _range(tile.confidence, width),
            "share": getattr(tile, side).estimate,
            "text": f"{getattr(tile, side).estimate:.0%}",
            "n": f"n = {tile.n:,}",
        }
        for tile in tiles
    ]
    names = [_range(place * width, width) for place in range(steps)]
    ink: Spec = {"condition": {"test": f"datum.share >= {DARK}", "value": "white"}, "value": "#111111"}
    scale = {"type": "threshold", "domain": list(SHARES), "range": list(DEEP_TO_PALE[::-1])}
    shade: Spec = {"field": "share", "type": "quantitative", "scale": scale, "title": side, "legend": {"format": ".0%"}}
    return {
        "title": f"{title}: {quantity(sum(tile.n for tile in tiles), 'pair')}, share of {side}s",
        "width": CELL * steps,
        "height": CELL * steps,
        "data": {"values": rows},
        "encoding": {
            "x": {
                "field": "confidence",
                "type": "ordinal",
                "scale": {"domain": names},
                "title": confidence,
                "axis": {"labelAngle": 0},
            },
            "y": {"field": "similarity", "type": "ordinal", "scale": {"domain": names[::-1]}, "title": "similarity"},
        },
        "layer": [
            {"mark": {"type": "rect", "stroke": "white"}, "encoding": {"color": shade}},
            {"mark": {"type": "text", "dy": -7, "fontSize": 13}, "encoding": {"text": {"field": "text"}, "color": ink}},
            {"mark": {"type": "text", "dy": 9, "fontSize": 10}, "encoding": {"text": {"field": "n"}, "color": ink}},
        ],
    }


def _range(low: float, width: float) -> str:
    return f"{low:.2g}–{low + width:.2g}"
