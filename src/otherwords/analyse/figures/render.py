"""Drawing: a Vega-Lite specification in, an SVG or PNG file out, rendered without a browser or network.

Altair validates the specification, so that a mistake in one is an error and not an empty picture.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from otherwords.analyse.bins import STRATA, stratum_edges
from otherwords.analyse.figures.charts import DEEP_TO_PALE as DEEP_TO_PALE
from otherwords.analyse.figures.charts import (
    ROW,
    HistogramBar,
    bar_chart,
    histogram_axes,
    label_bars,
    stacked_histogram,
)
from otherwords.analyse.figures.narrow import SPARSE, TIGHT, narrow
from otherwords.analyse.finding import Spec, quantity
from otherwords.analyse.label_classes import label_bases, label_order
from otherwords.analyse.profile import Profile
from otherwords.errors import MissingExtra, UsageError
from otherwords.sources.io.files import atomic_write

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
PNG_SCALE = 2.0
FONT = "sans-serif"  # a list of families makes the renderer draw no text at all where the first is missing
CONFIG: Spec = {
    "background": "white",
    "font": FONT,
    "padding": {"left": 16, "right": 16, "top": 8, "bottom": 8},  # a reader's font may be wider than the renderer's
    "axis": {
        "grid": False,
        "labelFontSize": 12,
        "labelSeparation": 6,  # fewer numbers instead of crowded ones
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "axisX": {"labelFlush": False},  # a number stands under its tick, at both ends too
    "title": {"anchor": "start", "fontSize": 14, "subtitleFontSize": 11, "offset": 12},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "offset": 28},  # beside "100%"
    "view": {"stroke": None},
}
NO_FIGURES = "figures were left out; drawing them needs an optional package: pip install 'otherwords[figures]'"


def can_draw() -> bool:
    """Whether the extra that draws figures is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("altair", "vl_convert"))


def check_figure(path: str | Path) -> None:
    """Refuse a figure that cannot be drawn, before any work is done."""
    if Path(path).suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"{path}: figures are drawn as .svg or .png", code="unknown-figure-format")
    if not can_draw():
        raise MissingExtra("figures", "drawing a figure")


def save(figure: Spec, *paths: str | Path) -> None:
    """Draw a figure once and write it to each of these files, as SVG or PNG according to the suffix."""
    for path in paths:
        check_figure(path)
    import vl_convert

    svg = picture(figure)
    for path in map(Path, paths):
        with atomic_write(path) as stream:
            is_svg = path.suffix.lower() == ".svg"
            stream.write(svg.encode() if is_svg else vl_convert.svg_to_png(svg, scale=PNG_SCALE))


def picture(figure: Spec) -> str:
    """A figure as SVG."""
    return _drawn(figure, CONFIG)


def narrow_picture(figure: Spec) -> str:
    """A figure as SVG for a screen as narrow as that of a telephone."""
    tight = {"legend": {**CONFIG["legend"], **TIGHT}, "axisX": {**CONFIG["axisX"], **SPARSE}}
    return _drawn(narrow(figure), {**CONFIG, **tight})


def _drawn(figure: Spec, config: Spec) -> str:
    import altair
    import vl_convert

    spec = {"$schema": SCHEMA, "config": config, **figure}
    altair.TopLevelSpec.validate(spec)
    svg: str = vl_convert.vegalite_to_svg(spec)
    return svg


def profile_figure(result: Profile, title: str) -> Spec:
    """A corpus at a glance: labels beside lexical similarity by label."""
    order = label_order(result.labels)
    bases = label_bases(order)
    counts = {label: result.labels[label] for label in order}
    labels = label_bars(f"{title}: {quantity(result.pairs, 'pair')} by label", counts, bases)
    labels |= {"width": 260, "height": max(120, ROW * len(order))}
    similarity = _similarity_histogram(result, bases) | {"width": 360, "height": max(200, ROW * len(order))}
    return {"hconcat": [labels, similarity], "spacing": 48, "resolve": {"scale": {"color": "independent"}}}


def _similarity_histogram(result: Profile, bases: dict[str, str]) -> Spec:
    counts: Counter[tuple[int, str]] = Counter()
    for label, base in bases.items():
        counts.update({(stratum, base): count for stratum, count in enumerate(result.similarity[label])})
    bars = [HistogramBar(*stratum_edges(stratum), base, count) for (stratum, base), count in counts.items() if count]
    title, order = f"lexical similarity (mean {result.mean_similarity:.2f})", list(dict.fromkeys(bases.values()))
    spec = stacked_histogram(title, bars, order, "cosine of character 2–4-grams", "pairs")
    spec["encoding"]["x"] |= {
        "bin": {"binned": True, "step": 1 / STRATA},
        "scale": {"domain": [0, 1]},
        "axis": {"values": [0, 0.2, 0.4, 0.6, 0.8, 1]},
    }
    return spec


def histogram_figure(rows: Sequence[Mapping[str, object]], title: str) -> Spec:
    """How often each range of a measure occurs."""
    axes = histogram_axes("similarity", "pairs")
    axes["x"]["scale"] = {"domain": [0, 1]}
    mark = {"type": "bar", "color": DEEP_TO_PALE[1], "stroke": "white", "strokeWidth": 0.5}
    return bar_chart(title, rows, axes) | {"height": 220, "mark": mark}
