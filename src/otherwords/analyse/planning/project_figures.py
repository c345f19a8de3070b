"""The figures of a project: its own pace and yield where there is enough, and those of a paper for the rest.

The spread of seconds is between judgements; where people differ, the error of the mean is that over people. A simulated
project gives the figures of its simulation, and the plan says so.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean, variance

from sqlalchemy import Connection, select

from otherwords.analyse.findings.extraction import EMPTY as EMPTY_STATUS
from otherwords.analyse.findings.extraction import FINISHED
from otherwords.analyse.planning.figures import (
    DECISION,
    DISAGREED,
    DOCUMENT,
    EMPTY,
    EXTRA,
    JUDGED,
    JUDGEMENT,
    KEPT,
    NUMBER,
    PAIR,
    QA,
    REJECTED,
    SECONDS,
    SHARE,
    SHARED,
    YIELD,
    PlanFigure,
    PlanFigures,
)
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.documents.queues import EXTRACT
from otherwords.annotate.labels.pair_labels import NOT_A_TEST
from otherwords.corpus.labels.step import labels_table
from otherwords.project.ledger import schema
from otherwords.project.project import Project

ORIGIN = "this project"
FEWEST = 20  # units on which a project's own figure rests
FEWEST_PEOPLE = 3  # from which on people are seen to differ
REJECTED_STATUS = "rejected"
CHECKS = "qa"
WORK = ("production", "agreement", CHECKS)


def project_figures(project: Project, paper: PlanFigures) -> PlanFigures:
    """The figures of a project; what it cannot say is the paper's."""
    with project.ledger.reading() as connection:
        own = [*_documents(connection), *_judgements(connection)]
        extracts = connection.execute(select(schema.document_pairs.c.seq).limit(1)).first() is not None
    kept, labels = _labels(project)
    own += kept
    found = {figure.name: figure for figure in own}
    figures = {name: figure for name, figure in paper.figures.items() if name not in found}
    if JUDGED in found:  # one each, so a paper that has every pair judged several times says nothing of second ones
        figures |= {name: SHARED[name] for name in (EXTRA, DISAGREED) if name in figures}
    if JUDGEMENT in found:
        figures.pop(PAIR, None)  # a paper's pace of everything is replaced by the project's own, part by part
        if not extracts:
            figures = {name: figure for name, figure in figures.items() if name not in (YIELD, EMPTY)}
    origins = dict(paper.origins) | ({"labels": ORIGIN} if labels else {})
    return replace(paper, figures={**figures, **found}, labels=labels or paper.labels, origins=origins)


def mean_figure(name: str, unit: str, values: Sequence[float], people: Sequence[str] = ()) -> PlanFigure | None:
    """The mean of some numbers as a figure; None if they are too few.

    The error is the larger of that between numbers and that between the people who gave them.
    """
    n = len(values)
    if n < FEWEST:
        return None
    mean, spread = fmean(values), math.sqrt(variance(values))
    error = spread / math.sqrt(n)
    by_person: defaultdict[str, list[float]] = defaultdict(list)
    for person, value in zip(people, values, strict=False):
        by_person[person].append(value)
    if len(by_person) >= FEWEST_PEOPLE:
        squares = math.fsum(math.fsum(value - mean for value in own) ** 2 for own in by_person.values())
        error = max(error, math.sqrt(squares * len(by_person) / (len(by_person) - 1)) / n)
    return PlanFigure(name, mean, unit, ORIGIN, n, spread, error)


def share_figure(name: str, hits: int, n: int) -> PlanFigure | None:
    """A share as a figure; None if it rests on too few."""
    return mean_figure(name, SHARE, [1.0] * hits + [0.0] * (n - hits))


def _present(figures: Iterable[PlanFigure | None]) -> list[PlanFigure]:
    return [figure for figure in figures if figure is not None]


def _documents(connection: Connection) -> list[PlanFigure]:
    """Yield, emptiness and seconds of document pairs that are done."""
    table, pairs = schema.document_pairs.c, schema.pairs.c
    rows = connection.execute(select(table.id, table.status)).all()
    decided = schema.judgements.c
    finished = (decided.scheme == EXTRACT, decided.seconds.is_not(None), is_current())
    spent = connection.execute(select(decided.seconds, decided.annotator).where(*finished)).all()
    done = [row for row in rows if row.status in (FINISHED, EMPTY_STATUS)]
    origin = pairs.meta["document_pair"].as_string()
    own = (pairs.rewrite_of.is_(None), pairs.state.is_distinct_from("removed"), origin.is_not(None))
    extracted = Counter(row[0] for row in connection.execute(select(origin).where(*own)))
    yields = [float(extracted[row.id]) for row in done if extracted[row.id]]
    rejected = sum(row.status == REJECTED_STATUS for row in rows)
    return _present(
        (
            mean_figure(YIELD, NUMBER, yields),
            share_figure(EMPTY, sum(not extracted[row.id] for row in done), len(done)),
            share_figure(REJECTED, rejected, len(done) + rejected) if rejected else None,
            mean_figure(DOCUMENT, SECONDS, [row.seconds for row in spent], [row.annotator for row in spent]),
        )
    )


def _judgements(connection: Connection) -> list[PlanFigure]:
    """Seconds of judgements and decisions, judgements of a pair, and how many pairs the team decided about."""
    table = schema.judgements.c
    columns = (table.pair, table.annotator, table.kind, table.purpose, table.seconds)
    about_pairs = (table.unit == "pair", table.purpose.in_(WORK), NOT_A_TEST, is_current())
    rewrites = select(schema.pairs.c.id).where(schema.pairs.c.rewrite_of.is_not(None))
    rows = connection.execute(select(*columns).where(*about_pairs, table.pair.not_in(rewrites))).all()
    single = [row for row in rows if row.kind in ("individual", "vote") and row.annotator is not None]
    decided = [row for row in rows if row.kind == "consensus"]
    timed = [row for row in single if row.seconds is not None]
    first = [row for row in single if row.purpose != CHECKS]
    times = Counter(row.pair for row in first)
    doubled = [count for count in times.values() if count > 1]
    decisions = {row.pair for row in decided}
    checked = {row.pair for row in single if row.purpose == CHECKS}
    to_decide = sum(pair in decisions for pair, count in times.items() if count > 1)
    return _present(
        (
            mean_figure(JUDGEMENT, SECONDS, [row.seconds for row in timed], [row.annotator for row in timed]),
            mean_figure(DECISION, SECONDS, [row.seconds for row in decided if row.seconds is not None]),
            mean_figure(EXTRA, NUMBER, [count - 1.0 for count in doubled]),
            share_figure(DISAGREED, to_decide, len(doubled)),
            share_figure(QA, len(checked), len(times)) if checked else None,
            PlanFigure(JUDGED, 1.0, NUMBER, f"{ORIGIN}: one each, and --double for more") if times else None,
        )
    )


def _labels(project: Project) -> tuple[list[PlanFigure], dict[str, float]]:
    """The share of judged pairs that get a label, and the labels of those."""
    columns = labels_table(project, simulated=True).table(["state", "label", "judgements"]).to_pylist()
    judged = [row for row in columns if row["judgements"]]
    labelled = [row["label"] for row in judged if row["state"] == "labelled"]
    kept = share_figure(KEPT, len(labelled), len(judged))
    counts = Counter(str(label) for label in labelled)
    shares = {label: count / counts.total() for label, count in counts.most_common()} if len(labelled) >= FEWEST else {}
    return _present((kept,)), shares
