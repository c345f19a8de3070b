"""Figures: a Vega-Lite description in, an SVG or PNG file out, rendered without a browser or network.

Altair checks the description against the grammar, so that a slip in one is an error and not an empty picture.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.analyse.profile import HISTOGRAM_BINS, Profile
from otherwords.errors import MissingExtra, UsageError
from otherwords.labels import is_valid
from otherwords.sources.files import replacing

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
PNG_SCALE = 2.0
FONT = "sans-serif"  # a list of families makes the renderer draw no text at all where the first is missing
CONFIG: dict[str, Any] = {
    "background": "white",
    "font": FONT,
    "axis": {"grid": False, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "axisX": {"labelFlush": False},  # a number stands under its tick, at both ends too
    "title": {"anchor": "start", "fontSize": 14, "subtitleFontSize": 11, "offset": 12},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "view": {"stroke": None},
}
NO_FIGURES = "figures were left out; drawing them needs an optional package: pip install 'otherwords[figures]'"
COUNTS: dict[str, Any] = {  # an axis of whole numbers: Vega's least step between ticks lets halves through
    "tickMinStep": 1,
    "labelExpr": "datum.value % 1 ? '' : format(datum.value, ',d')",
    "tickOpacity": {"condition": {"test": "datum.value % 1", "value": 0}, "value": 1},
}
DEEP_TO_PALE = ("#0b3c5d", "#3b76a3", "#8fbbd6", "#d6e4ee", "#f2f2f2")
TURKU = ("4", "3", "2", "1", "x")  # the bases of its labels, a tone each


def can_draw() -> bool:
    """Whether the extra that draws figures is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("altair", "vl_convert"))


def check_figure(path: str | Path) -> None:
    """Say before the work that a figure cannot be drawn, not after."""
    if Path(path).suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"{path}: figures are drawn as .svg or .png")
    if not can_draw():
        raise MissingExtra("figures", "drawing a figure")


def save(figure: dict[str, Any], *paths: str | Path) -> None:
    """Draw a figure once, into each of these files; the suffix of one says how."""
    for path in paths:
        check_figure(path)
    import altair
    import vl_convert

    described = {"$schema": SCHEMA, "config": CONFIG, **figure}
    altair.TopLevelSpec.validate(described)
    drawn = vl_convert.vegalite_to_svg(described)
    for path in map(Path, paths):
        with replacing(path) as stream:
            is_svg = path.suffix.lower() == ".svg"
            stream.write(drawn.encode() if is_svg else vl_convert.svg_to_png(drawn, scale=PNG_SCALE))


def tone_range(order: Sequence[str]) -> list[str]:
    """The tones of classes from deep to pale; the bases of Turku's labels have their own, whichever of them occur."""
    if set(order) <= {*TURKU, UNLABELLED} and set(order) & set(TURKU):
        return [DEEP_TO_PALE[TURKU.index(one) if one in TURKU else -1] for one in order]
    return [DEEP_TO_PALE[min(place, len(DEEP_TO_PALE) - 1)] for place in range(len(order))]


def tones(order: list[str]) -> dict[str, str]:
    """What a label is drawn as: its base in the Turku scheme, so that a page of labels reads at a glance."""
    if all(is_valid(label) or label == UNLABELLED for label in order):
        return {label: label[0] if label != UNLABELLED else label for label in order}
    return {label: label for label in order}


def profile_figure(result: Profile, title: str) -> dict[str, Any]:
    """Labels beside lexical similarity by label: what a corpus is at a glance."""
    order = label_order(list(result.labels))
    tone = tones(order)
    groups = list(dict.fromkeys(tone.values()))
    colour = {"domain": groups, "range": tone_range(groups)}
    return {
        "hconcat": [_label_bars(result, title, order, tone, colour), _similarity_bars(result, order, tone, colour)],
        "spacing": 48,
        "resolve": {"scale": {"color": "independent"}},
    }


def _label_bars(
    result: Profile, title: str, order: list[str], tone: dict[str, str], colour: dict[str, Any]
) -> dict[str, Any]:
    counts = [{"label": label, "base": tone[label], "pairs": result.labels[label]} for label in order]
    return {
        "title": f"{title}: {result.pairs:,} pairs by label",
        "width": 260,
        "height": max(120, 22 * len(order)),
        "data": {"values": counts},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": order, "title": None},
            "x": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        },
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "#0b3c5d", "strokeWidth": 0.5},
                "encoding": {"color": {"field": "base", "type": "nominal", "scale": colour, "legend": None}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
                "encoding": {"text": {"field": "pairs", "format": ","}},
            },
        ],
    }


def _similarity_bars(result: Profile, order: list[str], tone: dict[str, str], colour: dict[str, Any]) -> dict[str, Any]:
    width = 1 / HISTOGRAM_BINS
    summed: dict[tuple[int, str], int] = {}
    for label in order:
        for place, count in enumerate(result.similarity[label]):
            summed[place, tone[label]] = summed.get((place, tone[label]), 0) + count
    strata = [
        {"from": round(place * width, 4), "to": round((place + 1) * width, 4), "label": base, "pairs": count}
        | {"order": colour["domain"].index(base)}
        for (place, base), count in summed.items()
        if count
    ]
    return {
        "title": f"lexical similarity (mean {result.mean_similarity:.2f})",
        "width": 360,
        "height": max(200, 22 * len(order)),
        "data": {"values": strata},
        "mark": {"type": "bar", "stroke": "#0b3c5d", "strokeWidth": 0.5},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": {"binned": True, "step": width},
                "title": "cosine of character 2–4-grams",
                "scale": {"domain": [0, 1]},
                "axis": {"values": [0, 0.2, 0.4, 0.6, 0.8, 1]},
            },
            "x2": {"field": "to"},
            "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
            "color": {"field": "label", "type": "nominal", "scale": colour, "title": "label"},
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def histogram_figure(rows: list[dict[str, Any]], title: str) -> dict[str, Any]:
    """How often each range of a measure occurs."""
    return {
        "title": title,
        "width": 420,
        "height": 220,
        "data": {"values": rows},
        "mark": {"type": "bar", "color": DEEP_TO_PALE[1], "stroke": "white", "strokeWidth": 0.5},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": {"binned": True},
                "title": "similarity",
                "scale": {"domain": [0, 1]},
            },
            "x2": {"field": "to"},
            "y": {"field": "count", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        },
    }
