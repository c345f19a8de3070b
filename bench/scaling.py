"""Mining from end to end at several sizes: what each stage takes, beside what the plan says, and how it grows.

The sentences are invented (``bench/scaling_sentences.py``) and encoded by the baseline, or by static vectors of words
with ``OTHERWORDS_BENCH_ENCODER=minilm-static``. The machine is measured first, as by ``otherwords mine calibrate``.
Times are those that cores have worked, which other work on the machine changes less than the clock.
``OTHERWORDS_BENCH_SIZES`` names other sizes (``100k,1M,10M``), ``OTHERWORDS_BENCH_FOLDER`` a folder that is kept, and
``OTHERWORDS_BENCH_FIGURE`` an SVG file for the curve of three nodes up to 400 million sentences.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from bench.scaling_sentences import write_sentences
from otherwords.analyse.figures.charts import FigureLine, named_lines
from otherwords.analyse.figures.render import save
from otherwords.engine import cores
from otherwords.mining.calibration import Calibration, measure_calibration
from otherwords.mining.mine import MineRequest, MineSummary, mine_pairs
from otherwords.mining.plan import MinePlan, PlanRequest, make_mine_plan
from otherwords.mining.pool.options import WorkOptions, parse_count
from otherwords.sources.source import ReadLog

SIZES = os.environ.get("OTHERWORDS_BENCH_SIZES", "100k,1M")
MEMORY = 8 * 2**30
ENCODER = os.environ.get("OTHERWORDS_BENCH_ENCODER", "tfidf")
WITHIN = 0.25  # of what is measured, in every stage and together
MOST_EXPONENT = 1.2
NODES, NODE_CORES, NODE_MEMORY = 3, 32, 256 * 2**30
CURVE = (1, 3, 10, 30, 100, 200, 300, 400)  # million sentences


def mine_sentences(folder: Path, rows: int) -> MineSummary:
    """Mine so many invented sentences in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "sentences.txt"
    if not file.is_file():
        write_sentences(file, rows)
    encoder, _, tier = ENCODER.partition("-")
    request = MineRequest(
        paths=(str(file),),
        out=str(folder / "mined"),
        encoder=encoder,
        tier="static" if tier else "exact",
        work=WorkOptions(memory=MEMORY),
    )
    return mine_pairs(request, ReadLog("stop"))


def planned(rows: int, rates: Calibration) -> MinePlan:
    """What the plan says for this machine."""
    return make_mine_plan(PlanRequest(sentences=rows, memory=MEMORY, cores=cores(), encoder=ENCODER), rates)


def compare(summary: MineSummary, plan: MinePlan) -> bool:
    """Print what was predicted and what was measured; whether they are near in every stage and together."""
    found = f"{summary.pairs:,} pairs, recall {summary.recall:.4f}, {summary.rss_mb:,.0f} MB"
    print(f"{summary.sentences:,} sentences: {found}", flush=True)
    print(f"  {'stage':<12} {'plan, core s':>12} {'core s':>10} {'ratio':>6} {'clock s':>10}")
    predicted = {stage.name: 3600 * stage.core_hours for stage in plan.stages}
    measured = dict(summary.core_seconds)
    predicted["together"], measured["together"] = sum(predicted.values()), sum(measured.values())
    clock = {**summary.stages, "together": summary.seconds}
    near = True
    for name, seconds in measured.items():
        ratio = predicted[name] / max(seconds, 1e-9)
        near &= abs(ratio - 1) <= WITHIN
        verdict = "" if abs(ratio - 1) <= WITHIN else "  MISSED"
        print(f"  {name:<12} {predicted[name]:>12,.1f} {seconds:>10,.1f} {ratio:>6.2f} {clock[name]:>10,.1f}{verdict}")
    return near


def exponent(first: MineSummary, last: MineSummary) -> float:
    """The power of the number of sentences with which the time of the cores grows."""
    times = [sum(summary.core_seconds.values()) for summary in (first, last)]
    return math.log(times[1] / times[0]) / math.log(last.sentences / first.sentences)


def curve(rates: Calibration) -> list[MinePlan]:
    """What the plan says for the nodes, up to 400 million sentences."""
    return [
        make_mine_plan(
            PlanRequest(sentences=millions * 10**6, memory=NODE_MEMORY, cores=NODE_CORES, nodes=NODES, encoder=ENCODER),
            rates,
        )
        for millions in CURVE
    ]


def draw(plans: Sequence[MinePlan], path: Path) -> None:
    """Hours by millions of sentences, of each stage and together."""
    names = [stage.name for stage in plans[0].stages]
    lines = [
        FigureLine(name, [(plan.sentences / 1e6, plan.stages[number].hours) for plan in plans], len(plans))
        for number, name in enumerate(names)
    ]
    lines.append(FigureLine("together", [(plan.sentences / 1e6, plan.hours) for plan in plans], len(plans)))
    title = f"Hours on {NODES} nodes of {NODE_CORES} cores, by the plan ({ENCODER})"
    save(named_lines(title, lines, "million sentences", "hours"), path)


def measure(sizes: Sequence[int], folder: Path) -> bool:
    """Print every size and how time grows between the first and the last; whether the targets are reached."""
    rates = measure_calibration((ENCODER,))
    print(f"rates a core: pool {rates.pool:,.0f}, {ENCODER} {rates.encode[ENCODER]:,.0f}, ", end="")
    print(f"neighbours {rates.neighbours:,.0f}, pairs {rates.pairs:,.0f} a second; disk {rates.disk:,.0f} MB/s")
    reached, summaries = True, []
    for rows in sizes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:  # its memory is its own
            summaries.append(apart.submit(mine_sentences, folder / str(rows), rows).result())
        reached &= compare(summaries[-1], planned(summaries[-1].sentences, rates))
    if len(summaries) > 1:
        grows = exponent(summaries[0], summaries[-1])
        print(f"time grows with the power {grows:.3f} of the number of sentences (at most {MOST_EXPONENT})")
        reached &= grows <= MOST_EXPONENT
    plans = curve(rates)
    last = plans[-1]
    stages = ", ".join(f"{stage.name} {stage.hours:.2f}" for stage in last.stages)
    print(f"{last.sentences:,} sentences on {NODES} nodes of {NODE_CORES} cores: {last.hours:.2f} hours ({stages})")
    if figure := os.environ.get("OTHERWORDS_BENCH_FIGURE"):
        draw(plans, Path(figure))
    return reached


def run() -> bool:
    """Measure the sizes; whether the plan kept its word and the time grows slowly enough."""
    sizes = [parse_count(size) for size in SIZES.split(",")]
    if kept := os.environ.get("OTHERWORDS_BENCH_FOLDER"):
        return measure(sizes, Path(kept))
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as folder:
        return measure(sizes, Path(folder))
