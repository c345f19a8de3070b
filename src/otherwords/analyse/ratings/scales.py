"""Ratings on scales: how far raters agree, what they gave, and how systems differ (Dou et al. 2022, §4.3, Figure 6).

The rating of an output is the mean of its raters. Means of systems and their differences have intervals over resampled
sources; a difference is taken over the sources for which both systems have a rating.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from otherwords.analyse.figures.charts import stacked_shares
from otherwords.analyse.finding import Cell, Column, Figure, Table
from otherwords.analyse.ratings.judged import RatedBatch, answer_to
from otherwords.measures.agreement.labelled import joint_coefficients
from otherwords.measures.agreement.resampling import Bootstrap, Formula, Weights, divide, estimates
from otherwords.measures.agreement.scale import Level, Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.columns import Floats

OVERALL = "all scales"
SCALE, SYSTEM = Column("scale", "scale"), Column("system", "system")
INTERVAL = (Column("low", "from", "number"), Column("high", "to", "number"))
AGREEMENT = (
    *(Column("question", "asked"), Column("measure", "measure"), Column("value", "value", "number", 3)),
    *(Column("low", "from", "number", 3), Column("high", "to", "number", 3)),
    *(Column("units", "units", "count"), Column("raters", "raters", "count"), Column("note", "note")),
)
MEANS = (SCALE, SYSTEM, Column("outputs", "outputs", "count"), Column("mean", "mean", "number"), *INTERVAL)
DIFFERENCES = (
    *(SCALE, Column("first", "first"), Column("second", "second"), Column("sources", "shared sources", "count")),
    *(Column("difference", "first − second", "number"), *INTERVAL, Column("differs", "differs")),
)
DISTRIBUTION = (SCALE, SYSTEM, Column("ratings", "ratings", "count"))
CAPTION = "The share of each rating among all ratings of a system; the strongest tone is the highest rating."


def agreement_table(judged: RatedBatch, questions: Sequence[str], level: Level, bootstrap: Bootstrap) -> Table:
    """Krippendorff's alpha and the observed agreement for each question."""
    rows: list[list[Cell]] = []
    for question in questions:
        order = judged.scheme.order(question)
        places = tuple((value, float(place)) for place, value in enumerate(order, 1)) if level != "nominal" else ()
        setting = AgreementSetting("full", Scale(level, places, ""), bootstrap, noun="output", categories=order)
        for found in joint_coefficients(judged.codes(question), setting):
            if found.measure in (f"alpha-{level}", "observed"):
                figures = (found.value, found.low, found.high, found.n, len(found.annotators))
                rows.append([question or judged.scheme.title, found.measure, *figures, found.note or None])
    rows.sort(key=lambda row: row[1] == "observed")
    return Table("agreement", "How far raters agree", AGREEMENT, rows)


def mean_ratings(judged: RatedBatch, questions: Sequence[str]) -> dict[str, dict[str, float]]:
    """The mean rating of each output on each scale, and on all of them together, by scale and output."""
    given: dict[str, dict[str, list[int]]] = {question: {} for question in (*questions, OVERALL)}
    for judgement in judged.judgements:
        for question in questions:
            if (answer := answer_to(judgement, question)) is not None:
                for scale in (question, OVERALL):
                    given[scale].setdefault(judgement.pair, []).append(int(answer))
    return {scale: {name: fmean(ratings) for name, ratings in by_output.items()} for scale, by_output in given.items()}


def system_tables(judged: RatedBatch, means: dict[str, dict[str, float]], bootstrap: Bootstrap) -> list[Table]:
    """The mean of each system on each scale, and the differences of every two systems, if there are two."""
    systems, place_of = judged.systems, {source: place for place, source in enumerate(judged.sources)}
    mean_rows: list[list[Cell]] = []
    difference_rows: list[list[Cell]] = []
    for scale, by_output in means.items():
        values = np.full((len(systems), len(place_of)), np.nan)
        for name, mean in by_output.items():
            output = judged.outputs[name]
            for system in output.systems:
                values[systems.index(system), place_of[output.source]] = mean
        pairs = list(combinations(range(len(systems)), 2))
        compared = np.array([values[first] - values[second] for first, second in pairs]).reshape(-1, len(place_of))
        columns = np.concatenate([values, compared])
        found = estimates(_means_of(columns), np.ones(len(place_of), np.int64), bootstrap)
        counts = np.isfinite(columns).sum(axis=1).tolist()
        for system, estimate, count in zip(systems, found, counts, strict=False):
            mean_rows.append([scale, system, count, estimate.value, estimate.low, estimate.high])
        for (first, second), estimate, count in zip(pairs, found[len(systems) :], counts[len(systems) :], strict=True):
            low, high = estimate.low, estimate.high
            differs = None if low is None or high is None else "yes" if low > 0 or high < 0 else "no"
            cells = [systems[first], systems[second], count, estimate.value, low, high, differs]
            difference_rows.append([scale, *cells])
    tables = [Table("means", "Mean ratings of systems", MEANS, mean_rows)]
    if difference_rows:
        tables.append(Table("differences", "Differences of systems on shared sources", DIFFERENCES, difference_rows))
    return tables


def _means_of(columns: Floats) -> Formula:
    """The mean of each row over the sources that have a value in it."""
    known = np.isfinite(columns).astype(np.float64)
    filled = np.nan_to_num(columns)

    def formula(weights: Weights) -> Floats:
        return divide(filled @ weights, known @ weights)

    return formula


def distributions(judged: RatedBatch, questions: Sequence[str]) -> tuple[Table, list[Figure]]:
    """The share of each rating among those of a system, with a figure for each scale; all have the same values."""
    rows: list[list[Cell]] = []
    figures = []
    values = judged.scheme.order(questions[0])
    for question in questions:
        counts: dict[str, Counter[str]] = {system: Counter() for system in judged.systems}
        for judgement in judged.judgements:
            if (answer := answer_to(judgement, question)) is not None:
                for system in judged.outputs[judgement.pair].systems:
                    counts[system][answer] += 1
        for system, given in counts.items():
            total = given.total()
            rows.append([question, system, total, *(given[value] / total if total else None for value in values)])
        spec = stacked_shares(f"Ratings of {question}", counts, list(reversed(values)))
        spec["encoding"]["x"]["title"] = "share of ratings"
        spec["encoding"]["color"]["title"] = question
        figures.append(Figure(f"distribution-{question}", f"Ratings of {question} by system", spec, CAPTION))
    columns = (*DISTRIBUTION, *(Column(value, value, "share") for value in values))
    return Table("distribution", "How often each rating was given", columns, rows), figures
