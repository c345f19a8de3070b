"""How wide the intervals of the report will be at a planned size.

Intervals of agreement are bootstraps over units, so their width falls with the root of the number of units: those of a
project are carried over to the planned number. Where it has no agreement yet, the judgements of two people are drawn
with the expected kappa and labels, and the report's own bootstrap is run on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from otherwords.analyse.agreement.finding import MAIN
from otherwords.analyse.catalogue import PROJECT_ANALYSES, AnalysisOptions
from otherwords.analyse.finding import Table
from otherwords.analyse.planning.figures import PlanFigures
from otherwords.measures.agreement.codes import Ints, encode_judgements
from otherwords.measures.agreement.labelled import joint_coefficients
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.intervals import NORMAL, clopper_pearson, wilson
from otherwords.project.project import Project

TEST_PART = 0.1  # of the corpus; Kanerva et al. 2023, §6
HARVEST_SAMPLE = 1000  # judged candidates, of which two thirds estimate the precision; K §7.2 judged 14,530
ESTIMATING = 2 / 3
FEWEST_UNITS = 20  # below, a project's own interval says little
MOST_SIMULATED = 20_000  # units; beyond, the width is carried over


@dataclass(frozen=True, slots=True)
class PlannedInterval:
    """An interval that the report would print: around what, over how many units, and where the expectation is from."""

    name: str
    expected: float
    n: int
    low: float
    high: float
    origin: str

    @property
    def width(self) -> float:
        return self.high - self.low


def planned_intervals(
    figures: PlanFigures, pairs: int, doubled: int, project: Project | None, options: AnalysisOptions
) -> list[PlannedInterval]:
    """All of them: label shares, agreement, a classifier on the test part, a harvest."""
    intervals = [*_labels(figures.labels, pairs, figures.origins.get("labels", ""))]
    own = list(_own_agreement(project, doubled, options)) if project is not None and doubled else []
    if own:
        intervals += own
    elif doubled:
        intervals += _simulated_agreement(figures, doubled, options)
    test = round(TEST_PART * pairs)
    if test:
        margin = NORMAL * math.sqrt(figures.accuracy * (1 - figures.accuracy) / test)
        ends = max(0.0, figures.accuracy - margin), min(1.0, figures.accuracy + margin)
        intervals.append(
            PlannedInterval("accuracy of a classifier", figures.accuracy, test, *ends, figures.origins["accuracy"])
        )
    judged = round(HARVEST_SAMPLE * ESTIMATING)
    share, low, high = clopper_pearson(figures.precision * judged, judged)
    intervals.append(PlannedInterval("precision of a harvest", share, judged, low, high, figures.origins["precision"]))
    return intervals


def _labels(labels: Mapping[str, float], pairs: int, origin: str) -> Iterator[PlannedInterval]:
    for label, share in labels.items():
        value, low, high = wilson(share * pairs, pairs)
        yield PlannedInterval(f"share of label {label}", value, pairs, low, high, origin)


def _own_agreement(project: Project | None, doubled: int, options: AnalysisOptions) -> Iterator[PlannedInterval]:
    """What the report prints now, carried over to the planned number of doubly judged pairs."""
    if project is None:
        return
    finding = PROJECT_ANALYSES.get("agreement")(project, options)
    tables: Mapping[str, Table] = {table.name: table for table in finding.tables} if finding else {}
    rows = tables["agreement"].as_dicts() if "agreement" in tables else []
    units = max((int(row["units"] or 0) for row in rows if row["measure"] == "observed"), default=0)
    if units < FEWEST_UNITS:
        return
    shrinking = math.sqrt(units / doubled)
    for row in rows:
        value, low, high = (row[name] for name in ("value", "low", "high"))
        if isinstance(value, float) and isinstance(low, float) and isinstance(high, float):
            ends = _carried(value, low, high, value, shrinking)
            n = round(int(row["units"] or 0) * doubled / units)
            name = f"{row['measure']}, {row['labels']} labels"
            yield PlannedInterval(name, value, n, *ends, f"this project, on {units:,} units now")


def _carried(value: float, low: float, high: float, centre: float, shrinking: float) -> tuple[float, float]:
    """An interval around another value and of another width; a coefficient lies between -1 and 1."""
    return max(-1.0, centre - (value - low) * shrinking), min(1.0, centre + (high - value) * shrinking)


def simulated_judgements(labels: Mapping[str, float], kappa: float, units: int, seed: int) -> tuple[Ints, Ints]:
    """The labels of two people who agree with this kappa: a share ``kappa`` of units is known to both."""
    random = np.random.default_rng(seed)
    shares = np.array(list(labels.values()))
    drawn = random.choice(len(shares), size=(2, units), p=shares / shares.sum()).astype(np.int64)
    known = random.random(units) < kappa
    return drawn[0], np.where(known, drawn[0], drawn[1])


def _simulated_agreement(figures: PlanFigures, doubled: int, options: AnalysisOptions) -> Iterator[PlannedInterval]:
    units = min(doubled, MOST_SIMULATED)
    first, second = simulated_judgements(figures.labels, figures.kappa, units, options.seed)
    numbers = np.arange(units, dtype=np.int64)
    codes = encode_judgements(
        np.concatenate([numbers, numbers]),
        np.repeat(np.array([0, 1], np.int64), units),
        np.concatenate([first, second]),
        ("a", "b"),
        tuple(figures.labels),
    )
    bootstrap = Bootstrap(options.replicates, options.seed)
    shrinking = math.sqrt(units / doubled)
    by_chance = math.fsum(share**2 for share in figures.labels.values())
    expected = {"observed": figures.kappa + (1 - figures.kappa) * by_chance}
    for coefficient in joint_coefficients(codes, AgreementSetting("full", Scale(), bootstrap)):
        value, low, high = coefficient.value, coefficient.low, coefficient.high
        if coefficient.measure in MAIN and value is not None and low is not None and high is not None:
            centre = expected.get(coefficient.measure, figures.kappa)
            ends = _carried(value, low, high, centre, shrinking)
            origin = f"simulated with kappa {figures.kappa:.2f} ({figures.origins['kappa']})"
            yield PlannedInterval(f"{coefficient.measure}, full labels", centre, doubled, *ends, origin)
