"""Figures about choosing candidates: the values that rules decide by, and a sample before and after the draw."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.acquire.filters.proposal import ThresholdProposal
from otherwords.acquire.sampling import SampleTable
from otherwords.analyse.figures.charts import COUNTS, DEEP_TO_PALE, EDGE, HEIGHT, WIDTH, stacking
from otherwords.analyse.finding import Spec, quantity
from otherwords.analyse.label_classes import TONES, label_bases

BEFORE, AFTER = "before", "after"


def proposal_figure(proposals: Sequence[ThresholdProposal], name: str) -> Spec:
    """A histogram of the values of each rule, with the proposed thresholds as lines."""
    panels: list[Spec] = [
        {
            "title": f"{proposal.spec}: {quantity(proposal.pairs, 'pair')} of {name}",
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
                    "data": {
                        "values": [{"bound": bound} for bound in (proposal.low, proposal.high) if bound is not None]
                    },
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": "#111111"},
                    "encoding": {"x": {"field": "bound", "type": "quantitative"}},
                },
            ],
        }
        for proposal in proposals
    ]
    return {"vconcat": panels, "spacing": 24}


def sample_figure(table: SampleTable, title: str) -> Spec:
    """The pairs of each range by class, before and after the draw."""
    order = [row.range for row in table.ranges]
    tone_of = label_bases(table.classes)
    tones = list(dict.fromkeys(tone_of.values()))
    panels = []
    for when, counts, total in (
        (BEFORE, [row.available for row in table.ranges], table.pairs - table.outside),
        (AFTER, [row.drawn for row in table.ranges], table.drawn),
    ):
        bars = [
            {"range": range_name, "class": tone_of[name], "order": tones.index(tone_of[name]), "pairs": pairs}
            for range_name, by_class in zip(order, counts, strict=True)
            for name, pairs in by_class.items()
        ]
        encoding: Spec = {
            "x": {"field": "range", "type": "nominal", "sort": order, "title": table.measure},
            "y": {"field": "pairs", "type": "quantitative", "title": "pairs", "axis": COUNTS},
        }
        if 1 < len(tones) <= TONES:
            encoding |= stacking("class", tones, table.balance or "")
        panels.append(
            {
                "title": f"{title} {when} the draw: {quantity(total, 'pair')}",
                "width": WIDTH,
                "height": HEIGHT,
                "data": {"values": bars},
                "mark": {"type": "bar", "color": DEEP_TO_PALE[1], **EDGE}
                if len(tones) <= TONES
                else {"type": "bar", "color": DEEP_TO_PALE[1]},
                "encoding": encoding,
            }
        )
    return {"hconcat": panels, "spacing": 32}
