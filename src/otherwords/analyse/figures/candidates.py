"""Figures about choosing candidates: the values that rules decide by, and a sample before and after the draw."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.acquire.filters.proposal import ThresholdProposal
from otherwords.acquire.sampling import SampleTable
from otherwords.analyse.figures.charts import COUNTS, DEEP_TO_PALE, EDGE, HEIGHT, WIDTH, stacking
from otherwords.analyse.finding import Spec, quantity

BEFORE, AFTER = "before", "after"


def proposal_figure(proposals: Sequence[ThresholdProposal], name: str) -> Spec:
    """A histogram of the values of each rule, with the proposed thresholds as lines."""
    panels: list[Spec] = [
        {
            "title": f"{proposal.rule}: {quantity(proposal.pairs, 'pair')} of {name}",
            "width": WIDTH,
            "height": HEIGHT // 2,
            "layer": [
                {
                    "data": {
                        "values": [{"low": bar.low, "high": bar.high, "pairs": bar.pairs} for bar in proposal.histogram]
                    },
                    "mark": {"type": "bar", "color": DEEP_TO_PALE[1], "stroke": "white", "strokeWidth": 0.5},
                    "encoding": {
                        "x": {"field": "low", "type": "quantitative", "bin": {"binned": True}, "title": proposal.value},
                        "x2": {"field": "high"},
                        "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
                    },
                },
                {
                    "data": {"values": [{"bound": proposal.low}, {"bound": proposal.high}]},
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": "#111111"},
                    "encoding": {"x": {"field": "bound", "type": "quantitative"}},
                },
            ],
        }
        for proposal in proposals
    ]
    return {"vconcat": panels, "spacing": 24}


def sample_figure(table: SampleTable, name: str) -> Spec:
    """The pairs of each range by class, before and after the draw."""
    order = [row.range for row in table.ranges]
    panels = []
    for title, counts, total in (
        (BEFORE, [row.available for row in table.ranges], table.pairs - table.outside),
        (AFTER, [row.drawn for row in table.ranges], table.drawn),
    ):
        bars = [
            {"range": range_name, "class": class_name, "order": place, "pairs": by_class.get(class_name, 0)}
            for range_name, by_class in zip(order, counts, strict=True)
            for place, class_name in enumerate(table.classes)
        ]
        encoding: Spec = {
            "x": {"field": "range", "type": "nominal", "sort": order, "title": table.measure},
            "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        }
        if len(table.classes) > 1:
            encoding |= stacking("class", table.classes, table.balance or "")
        panels.append(
            {
                "title": f"{name} {title} the draw: {quantity(total, 'pair')}",
                "width": WIDTH,
                "height": HEIGHT,
                "data": {"values": bars},
                "mark": {"type": "bar", "color": DEEP_TO_PALE[1], **EDGE},
                "encoding": encoding,
            }
        )
    return {"hconcat": panels, "spacing": 32}
