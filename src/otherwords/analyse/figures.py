"""Figures: a Vega-Lite description in, an SVG or PNG file out, rendered without a browser or network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherwords.analyse.profile import HISTOGRAM_BINS, UNLABELLED, Profile
from otherwords.errors import MissingExtra, UsageError
from otherwords.labels import is_valid, parse
from otherwords.sources.files import replacing

PNG_SCALE = 2.0
FONT = "Source Sans 3, Segoe UI, Helvetica, Arial, sans-serif"
CONFIG: dict[str, Any] = {
    "background": "white",
    "font": FONT,
    "axis": {"grid": False, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "title": {"anchor": "start", "fontSize": 14, "offset": 12},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "view": {"stroke": None},
}
DEEP_TO_PALE = ["#0b3c5d", "#2f6690", "#5f97bd", "#8fbbd6", "#bcd7e8", "#dfe9f0"]


def save(figure: dict[str, Any], path: str | Path) -> None:
    """Render a figure; the suffix of the file says how."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("figures", "drawing a figure") from None
    target = Path(path)
    described = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "config": CONFIG, **figure}
    if target.suffix == ".svg":
        drawn = vl_convert.vegalite_to_svg(described).encode()
    elif target.suffix == ".png":
        drawn = vl_convert.vegalite_to_png(described, scale=PNG_SCALE)
    else:
        raise UsageError(f"{path}: figures are drawn as .svg or .png")
    with replacing(target) as stream:
        stream.write(drawn)


def label_order(labels: list[str]) -> list[str]:
    """Labels as a reader expects them: 4 before 3 before 2, a 1 before a 0, names by the alphabet."""

    def key(label: str) -> tuple[int, float, str]:
        if label == UNLABELLED:
            return (3, 0.0, label)
        if is_valid(label) and label != "x":
            return (0, -float(parse(label).base), label)
        try:
            return (0, -float(label), label)
        except ValueError:
            return (1, 0.0, label)

    return sorted(labels, key=key)


def profile_figure(result: Profile, title: str) -> dict[str, Any]:
    """Labels beside lexical similarity by label: what a corpus is at a glance."""
    order = label_order(list(result.labels))
    counts = [{"label": label, "pairs": result.labels[label]} for label in order]
    width = 1 / HISTOGRAM_BINS
    strata = [
        {"from": round(i * width, 4), "to": round((i + 1) * width, 4), "label": label, "pairs": count, "order": rank}
        for rank, label in enumerate(order)
        for i, count in enumerate(result.similarity[label])
        if count
    ]
    colour = {"domain": order, "range": [DEEP_TO_PALE[min(i, 5)] for i in range(len(order))]}
    labels = {
        "title": f"{title}: {result.pairs:,} pairs by label",
        "width": 260,
        "height": max(120, 22 * len(order)),
        "data": {"values": counts},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": order, "title": None},
            "x": {"field": "pairs", "type": "quantitative", "title": "pairs"},
        },
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "#0b3c5d", "strokeWidth": 0.5},
                "encoding": {"color": {"field": "label", "type": "nominal", "scale": colour, "legend": None}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 11},
                "encoding": {"text": {"field": "pairs", "format": ","}},
            },
        ],
    }
    similarity = {
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
            },
            "x2": {"field": "to"},
            "y": {"field": "pairs", "type": "quantitative", "title": "pairs"},
            "color": {"field": "label", "type": "nominal", "scale": colour, "sort": order, "title": "label"},
            "order": {"field": "order", "type": "quantitative"},
        },
    }
    return {"hconcat": [labels, similarity], "spacing": 48}
