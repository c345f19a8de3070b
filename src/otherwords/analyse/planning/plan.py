"""What a corpus of a size takes: documents, judgements, hours, weeks and cost, each with where it is from.

Work is a list of stages: a number of units times seconds a unit. Hours have an interval where the seconds were measured
in the project: it covers both the error of the mean and the spread of the units to come, so that it is one of
prediction. A paper's figure has none, and the plan says which hours rest on such figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.planning.figures import (
    DECISION,
    DISAGREED,
    DOCUMENT,
    EMPTY,
    EXTRA,
    JUDGED,
    JUDGEMENT,
    KEPT,
    PAIR,
    PAPERS,
    QA,
    REJECTED,
    YIELD,
    Like,
    PlanFigure,
    PlanFigures,
)
from otherwords.analyse.planning.project_figures import FEWEST, ORIGIN, project_figures
from otherwords.analyse.planning.widths import PlannedInterval, planned_intervals
from otherwords.errors import UsageError
from otherwords.measures.intervals import NORMAL
from otherwords.project.project import open_project
from otherwords.project.simulated import SIMULATED_REMARK, is_simulated

SECONDS_AN_HOUR = 3600.0
NO_EXTRACTION = (
    "too few document pairs are finished to know how long one takes: the hours of extraction are not in this plan"
)
NOTHING_YET = "nothing of this project is measured on {fewest} units yet: all figures are those of papers ({paper})"
DOUBLED_BY_TURKU = 0.02  # of the pairs; included in the paper's pace of everything (Kanerva et al. 2023, §6.1)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The size of the corpus, and who makes it."""

    pairs: int
    double: float = 0.1
    checks: float | None = None  # the share of pairs that are checked again; the project's or the paper's if not given
    people: int = 3
    hours_a_week: float = 10.0
    wage: float | None = None  # for an hour
    like: Like = "turku"
    seed: int = 0

    def __post_init__(self) -> None:
        for valid, message in (
            (self.pairs >= 1, f"a corpus has 1 pair or more, not {self.pairs}"),
            (0 <= self.double <= 1, f"the share of doubly judged pairs is between 0 and 1, not {self.double:g}"),
            (
                self.checks is None or 0 <= self.checks <= 1,
                f"checks are a share between 0 and 1, not {self.checks}",
            ),
            (self.people >= 1, f"1 person or more makes a corpus, not {self.people}"),
            (0 < self.hours_a_week <= 168, f"a week has up to 168 hours of work, not {self.hours_a_week:g}"),
            (self.wage is None or 0 <= self.wage < math.inf, f"a wage is a number from 0 on, not {self.wage}"),
            (self.like in PAPERS, f"{self.like!r} is no paper with figures; choose from {', '.join(PAPERS)}"),
        ):
            if not valid:
                raise UsageError(message, code="wrong-plan-option")


@dataclass(frozen=True, slots=True)
class PlanStage:
    """A kind of work: how many units, and how many hours; without ends where a paper's figure has none."""

    name: str
    units: float
    hours: float
    low: float | None
    high: float | None
    origin: str


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """What a corpus takes."""

    options: PlanOptions
    project: str | None
    document_pairs: float | None  # to be read; None if pairs are not extracted from documents
    candidates: float  # pairs to be judged
    stages: list[PlanStage]
    figures: list[PlanFigure]
    intervals: list[PlannedInterval]
    remarks: list[str]

    @property
    def hours(self) -> float:
        return math.fsum(stage.hours for stage in self.stages)

    @property
    def hour_range(self) -> tuple[float, float] | None:
        """The interval of all hours, taking those of stages without one as they are; None if no stage has one."""
        measured = [(stage.low, stage.high) for stage in self.stages]
        margins = [(high - low) / 2 for low, high in measured if low is not None and high is not None]
        margin = math.sqrt(math.fsum(margin**2 for margin in margins))
        return (max(0.0, self.hours - margin), self.hours + margin) if margins else None

    @property
    def hours_a_person(self) -> float:
        return self.hours / self.options.people

    @property
    def weeks(self) -> int:
        return ceil(self.hours_a_person / self.options.hours_a_week)

    @property
    def cost(self) -> float | None:
        return None if self.options.wage is None else self.hours * self.options.wage

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        ends = self.hour_range
        return {
            "project": self.project,
            "options": asdict(self.options),
            "document_pairs": self.document_pairs,
            "candidates": self.candidates,
            "hours": self.hours,
            "hours_low": ends[0] if ends else None,
            "hours_high": ends[1] if ends else None,
            "hours_a_person": self.hours_a_person,
            "weeks": self.weeks,
            "cost": self.cost,
            "stages": [asdict(stage) for stage in self.stages],
            "figures": [asdict(figure) for figure in self.figures],
            "intervals": [asdict(interval) | {"width": interval.width} for interval in self.intervals],
            "remarks": self.remarks,
        }


def make_plan(folder: str | Path | None, options: PlanOptions) -> CorpusPlan:
    """Plan a corpus from the figures of a project, and those of a paper for what it cannot say yet."""
    paper = PAPERS[options.like]
    drawing = AnalysisOptions(seed=options.seed)
    if folder is None:
        intervals = planned_intervals(paper, options.pairs, judged_twice(paper, options), None, drawing)
        return _plan(None, paper, options, intervals, [f"no project: all figures are those of papers ({options.like})"])
    with open_project(folder) as project:
        figures = project_figures(project, paper)
        intervals = planned_intervals(figures, options.pairs, judged_twice(figures, options), project, drawing)
        own = any(figure.origin.startswith(ORIGIN) and figure.known_error for figure in figures.figures.values())
        with project.ledger.reading() as connection:
            remarks = [SIMULATED_REMARK] if own and is_simulated(connection) else []
        if not own:
            remarks.append(NOTHING_YET.format(fewest=FEWEST, paper=options.like))
        return _plan(project.config.name, figures, options, intervals, remarks)


def judged_twice(figures: PlanFigures, options: PlanOptions) -> int:
    """Pairs that two people or more judge: all candidates where every pair is judged several times, else a share."""
    if figures[JUDGED].value >= 2:
        return round(options.pairs / figures[KEPT].value)
    return round(options.double * options.pairs)


def _plan(
    project: str | None,
    figures: PlanFigures,
    options: PlanOptions,
    intervals: list[PlannedInterval],
    remarks: list[str],
) -> CorpusPlan:
    candidates = options.pairs / figures[KEPT].value
    read = None
    if YIELD in figures.figures and EMPTY in figures.figures:
        read = candidates / figures[YIELD].value / (1 - figures[EMPTY].value)
        if REJECTED in figures.figures:
            read /= 1 - figures[REJECTED].value
    stages = _stages(figures, options, candidates, read)
    if read is not None and not {PAIR, DOCUMENT} & figures.figures.keys():
        remarks = [*remarks, NO_EXTRACTION]
    used = [figure for name, figure in figures.figures.items() if _is_used(name, figures, options)]
    assumed = [figure.name for figure in used if not figure.known_error]
    if any(stage.low is not None for stage in stages) and assumed:
        remarks = [*remarks, f"the intervals of hours take these figures as they are: {', '.join(assumed)}"]
    return CorpusPlan(options, project, read, candidates, stages, used, intervals, remarks)


def _is_used(name: str, figures: PlanFigures, options: PlanOptions) -> bool:
    if PAIR in figures.figures and name in (JUDGED, QA):
        return False
    if name == QA and options.checks is not None:
        return False
    return bool(options.double) or name not in (EXTRA, DISAGREED, DECISION)


def _stages(figures: PlanFigures, options: PlanOptions, candidates: float, read: float | None) -> list[PlanStage]:
    doubled = options.double * options.pairs
    judgement = figures[JUDGEMENT]
    if PAIR in figures.figures:
        more = max(0.0, options.double - DOUBLED_BY_TURKU) * options.pairs
        stages = [_stage("extraction, labels, checks and all else", options.pairs, (), figures[PAIR])]
        doubled = more
    else:
        stages = []
        if read is not None and DOCUMENT in figures.figures:
            seen = candidates / figures[YIELD].value / (1 - figures[EMPTY].value)
            stages.append(_stage("extraction", seen, (figures[YIELD], figures[KEPT]), figures[DOCUMENT]))
        stages.append(_stage("labels", candidates * figures[JUDGED].value, (figures[KEPT],), judgement))
        checks = figures[QA].value if options.checks is None else options.checks
        stages.append(_stage("checks of labels", candidates * checks, (figures[KEPT],), judgement))
    if doubled:
        stages.append(_stage("second judgements", doubled * figures[EXTRA].value, (figures[EXTRA],), judgement))
        decided = figures[DISAGREED]
        stages.append(_stage("decisions of the team", doubled * decided.value, (decided,), figures[DECISION]))
    return [stage for stage in stages if stage.units]


def _stage(name: str, units: float, factors: Sequence[PlanFigure], seconds: PlanFigure) -> PlanStage:
    """A stage with its hours; the interval is that of the sum of so many units to come."""
    hours = units * seconds.value / SECONDS_AN_HOUR
    origins = dict.fromkeys(figure.origin.partition(":")[0] for figure in (seconds, *factors))
    if not seconds.known_error:
        return PlanStage(name, units, hours, None, None, ", ".join(origins))
    of_mean = (units * seconds.error) ** 2
    of_sum = units * seconds.spread**2
    relative = (factor.error / factor.value for factor in factors if factor.value)
    of_units = math.fsum((units * seconds.value * error) ** 2 for error in relative)
    margin = NORMAL * math.sqrt(of_mean + of_sum + of_units) / SECONDS_AN_HOUR
    return PlanStage(name, units, hours, max(0.0, hours - margin), hours + margin, ", ".join(origins))
