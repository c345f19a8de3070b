"""Figures about sentence encoders: those of Kanerva et al. (2023), Figures 8 to 11."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from otherwords.analyse.figures.charts import (
    DEEP_TO_PALE,
    EDGE,
    NAMED_ROW,
    WIDTH,
    Panel,
    bars_beside,
    share_bars,
    stacking,
)
from otherwords.analyse.finding import Spec
from otherwords.learn.encoders.evaluate import RetrievalRow

LATER = "later"


def top1_figure(rows: Sequence[RetrievalRow]) -> Spec:
    """Figure 8: the share of positive pairs that each encoder finds first, a panel for each test."""
    tests = list(dict.fromkeys(row.test for row in rows))
    if len(tests) == 1:
        shares = [(row.model, row.top1) for row in rows]
        return share_bars(f"Found first: {rows[0].n:,} pairs of {tests[0]}", shares, "share of positive pairs")
    panels = [Panel([(row.model, row.top1) for row in rows if row.test == test], test) for test in tests]
    return bars_beside("Found first, share of positive pairs", panels)


def ranks_figure(rows: Sequence[RetrievalRow]) -> Spec:
    """Figures 9 and 10: the mean rank of each label in per cent, a panel for each label."""
    tests = list(dict.fromkeys(row.test for row in rows))
    figures = []
    for test in tests:
        chosen = [row for row in rows if row.test == test]
        panels = [
            Panel([(row.model, row.labels[label].mean_rank) for row in chosen], f"{label}: {scores.n:,} pairs", ".2f")
            for label, scores in chosen[0].labels.items()
        ]
        figures.append(bars_beside(f"Mean rank in % by label, {test}", panels))
    return figures[0] if len(figures) == 1 else {"vconcat": figures, "spacing": 36}


def top_figure(rows: Sequence[RetrievalRow]) -> Spec:
    """Figure 11: for each label and encoder, which share is found within the first so many."""
    tests = list(dict.fromkeys(row.test for row in rows))
    bands = [f"top {top}" for top in rows[0].top] + [LATER]
    values = []
    for row in rows:
        name = row.model if len(tests) == 1 else f"{row.model}, {row.test}"
        for label, scores in row.labels.items():
            reached = [*scores.top.values(), 1.0]
            below = [0.0, *reached]
            for order, (band, high, low) in enumerate(zip(bands, reached, below, strict=False)):
                values.append({"bar": f"{label}: {name}", "band": band, "share": high - low, "order": order})
    names = list(dict.fromkeys(value["bar"] for value in values))
    tones = [*DEEP_TO_PALE, "#ffffff"]
    encoding = stacking("band", bands, "found within")
    encoding["color"]["scale"] = {"domain": bands, "range": tones[: len(bands)]}
    return {
        "title": "Found within the first, by label and encoder",
        "width": WIDTH,
        "height": NAMED_ROW * len(names),
        "data": {"values": values},
        "mark": {"type": "bar", **EDGE},
        "encoding": {
            "y": {"field": "bar", "type": "nominal", "sort": names, "title": None, "axis": {"labelLimit": 320}},
            "x": {"field": "share", "type": "quantitative", "title": "share of pairs", "axis": {"format": "%"}},
            **encoding,
        },
    }


FIGURES: Mapping[str, Callable[[Sequence[RetrievalRow]], Spec]] = {
    "top1": top1_figure,
    "ranks": ranks_figure,
    "top": top_figure,
}
