"""Does the gate stop those who should be stopped, and nobody else? A simulated crowd of 500 on 10,000 pairs.

It also compares two ways to derive labels from the judgements, with the gate and without it: the majority, and Dawid
and Skene's model. The picture of the docs is drawn from the same figures. ``OTHERWORDS_BENCH_SMALL=1`` is a short form
that draws nothing.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.simulated_crowd import CAREFUL, KINDS, Crowd, answers, simulate
from bench.site_table import Table, Target
from otherwords.analyse.figures.render import DEEP_TO_PALE, save
from otherwords.annotate.batches.batch import Gate
from otherwords.measures.votes import dawid_skene, majority

SMALL = bool(os.environ.get("OTHERWORDS_BENCH_SMALL"))
PEOPLE, PAIRS = (100, 1_500) if SMALL else (500, 10_000)
NO_GATE = Gate(accuracy=-1.0, kappa=-2.0)
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "crowd-gate.svg"
CAUGHT, SPARED = Target("≥", 95), Target("≤", 2)


def shares(crowd: Crowd) -> dict[str, float]:
    """The percentage of workers that were paused, for each kind and for all careless kinds together."""
    caught = crowd.caught()
    bad = [caught[kind] for kind in KINDS if kind != CAREFUL]
    together = (sum(paused for paused, _ in bad), sum(people for _, people in bad))
    return {kind: 100 * paused / max(1, people) for kind, (paused, people) in (caught | {"all bad": together}).items()}


def accuracies(crowd: Crowd) -> dict[str, float]:
    """How many labels are right, in per cent of the pairs that have judgements; a tie is half right."""
    votes, truth = answers(crowd), np.array(crowd.truth)
    judged = np.array([bool(judgements) for judgements in crowd.judgements])
    accuracy = {}
    for name, labels in (("majority", majority(votes)), ("Dawid–Skene", dawid_skene(votes).labels)):
        right = np.where(labels == -1, 0.5, labels == truth)
        accuracy[name] = float(100 * right[judged].mean())
    return accuracy


def tell(crowd: Crowd, table: Table) -> None:
    for kind, share in shares(crowd).items():
        target = SPARED if kind == CAREFUL else CAUGHT if kind == "all bad" else None
        table.line(f"paused, {kind}, %", share, target)
    paused = [worker for worker in crowd.workers if worker.paused and worker.kind != CAREFUL]
    table.line(
        "… after so many tasks, in the middle", float(np.median([worker.tasks for worker in paused])), form=",.0f"
    )
    table.line("judgements that were void", crowd.void, form=",.0f")
    complete = sum(len(judgements) >= 6 for judgements in crowd.judgements)
    table.line("pairs with all judgements, %", 100 * complete / len(crowd.judgements))


def picture(crowd: Crowd, labels: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Who was paused, and how right the labels are."""
    caught = [{"kind": kind, "share": shares(crowd)[kind]} for kind in KINDS]
    right = [
        {"gate": gate, "way": way, "share": share}
        for gate, accuracy in labels.items()
        for way, share in accuracy.items()
    ]
    text: dict[str, Any] = {"mark": {"type": "text", "align": "left", "dx": 4}}
    text["encoding"] = {"text": {"field": "share", "format": ".1f"}}
    bar = {"type": "bar", "color": DEEP_TO_PALE[1]}
    share = {"field": "share", "type": "quantitative", "scale": {"domain": [0, 100]}}
    return {
        "hconcat": [
            {
                "title": "Paused by the gate, %",
                "width": 260,
                "data": {"values": caught},
                "encoding": {
                    "y": {"field": "kind", "type": "nominal", "sort": list(KINDS), "title": None},
                    "x": share | {"title": "per cent of the workers of that kind"},
                },
                "layer": [{"mark": bar}, text],
            },
            {
                "title": "Labels that are right, %",
                "width": 260,
                "data": {"values": right},
                "encoding": {
                    "y": {"field": "gate", "type": "nominal", "title": None},
                    "yOffset": {"field": "way", "type": "nominal", "sort": "descending"},
                    "x": share | {"title": "per cent of the pairs"},
                },
                "layer": [
                    {
                        "mark": "bar",
                        "encoding": {
                            "color": {
                                "field": "way",
                                "type": "nominal",
                                "title": None,
                                "scale": {"range": [DEEP_TO_PALE[0], DEEP_TO_PALE[2]]},
                            }
                        },
                    },
                    text,
                ],
            },
        ],
        "spacing": 48,
    }


def run() -> bool:
    """Print all figures; whether every target was met."""
    table, begun = Table(), time.perf_counter()
    print(f"{PEOPLE} people, {PAIRS:,} pairs, 6 judgements each, one task in five a hidden test", flush=True)
    gated = simulate(PEOPLE, PAIRS)
    tell(gated, table)
    free = simulate(PEOPLE, PAIRS, gate=NO_GATE)
    labels = {"with the gate": accuracies(gated), "without it": accuracies(free)}
    for gate, accuracy in labels.items():
        for way, share in accuracy.items():
            table.line(f"right by {way}, {gate}, %", share, form=",.2f")
    table.line("seconds for both crowds", time.perf_counter() - begun)
    if not SMALL:
        save(picture(gated, labels), PICTURE)
    return table.met
