"""Answers that make no label: scales, counts and several choices at once (Dou et al. 2022, Tables 6 and 7; Suzuki et
al. 2017, Table 3), and how well people tell machine-made pairs (Suzuki et al. 2017, the discernibility test).

A unit that several people answered counts once: on a scale by the mean of its answers, of choices by the majority, of
counts by their median; the distribution on a scale is that of all answers. The decision of a team counts alone.
Intervals of 95 % are Wilson's for shares and normal for means over units. Answers to hidden tests and simulated ones
are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, median_low, stdev

from sqlalchemy import Connection, select

from otherwords.analyse.averages import ratio
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.judgement_columns import JudgementTable
from otherwords.analyse.judgement_tables import JudgementFilter, from_ledger
from otherwords.annotate.labels.views import labelling_scheme
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.question import Answer, Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import OtherwordsError
from otherwords.measures.signature import signature
from otherwords.project.ledger import schema
from otherwords.project.project import Project

NORMAL = 1.959963984540054  # 95 %
TRUTH_SCHEME = "machine-or-not"  # its truth is the gold label of each pair
ABOUT = (
    "Answers on scales, counts and choices, each unit once: the mean of a scale, what most people chose, the median of "
    "a count (Dou et al. 2022, Tables 6 and 7; Suzuki et al. 2017, Table 3). Intervals are of 95 %, over units."
)
ASKED = (Column("scheme", "scheme"), Column("question", "question"))
SCALES = (
    *(*ASKED, Column("units", "units", "count"), Column("answers", "answers", "count")),
    *(Column("mean", "mean", "number"), Column("sd", "SD", "number")),
    *(Column("low", "low", "number"), Column("high", "high", "number")),
)
CHOICES = (
    *(*ASKED, Column("value", "answer"), Column("count", "count", "count"), Column("share", "share", "share")),
    *(Column("low", "low", "share"), Column("high", "high", "share")),
    *(Column("sum", "sum", "count"), Column("per_unit", "per unit", "number")),
)
TRUTH = (
    *(Column("class", "class"), Column("answers", "answers", "count"), Column("precision", "precision", "number", 3)),
    *(Column("recall", "recall", "number", 3), Column("f1", "F1", "number", 3)),
)

CAPTION = "The share of each answer among all answers to its question."


def answers(project: Project, options: AnalysisOptions) -> Finding | None:
    """Scales, counts and several choices: means, distributions and intervals."""
    scales: list[list[Cell]] = []
    choices: list[list[Cell]] = []
    tables: list[Table] = []
    with project.ledger.reading() as connection:
        default = labelling_scheme(project)
        judged, _ = from_ledger(connection, JudgementFilter(), default)
        for (name, *_), table in judged.items():
            try:
                scheme = load_scheme(name or default.name, project.folder)
            except OtherwordsError:  # judgements of a scheme that is not here
                continue
            for question in scheme.questions:
                by_unit = _answers_by_unit(scheme, question, table)
                asked = [scheme.name, question.name or question.title]
                if by_unit and is_scale(question):
                    scales.append([*asked, *scale_row(by_unit)])
                if by_unit and (is_scale(question) or not question.has_one_answer):
                    choices += ([*asked, *row] for row in choice_rows(question, by_unit))
            if scheme.name == TRUTH_SCHEME:
                by_unit = _answers_by_unit(scheme, scheme.questions[0], table)
                tables += _against_truth(connection, scheme.questions[0], by_unit, table)
    if scales:
        tables.insert(0, Table("scales", "Answers on scales", SCALES, scales))
    if choices:
        tables.insert(bool(scales), Table("choices", "Answers by value", CHOICES, choices))
    if not tables:
        return None
    signatures = {table.name: signature("answers", {"unit": "once", "interval": "95"}) for table in tables}
    figures = []
    if choices:
        title = f"{project.config.name}: answers on scales, counts and choices"
        bars = [(f"{question}: {value}", float(str(share))) for _, question, value, _, share, *_ in choices]
        figures.append(Figure("answers", title, share_bars(title, bars, "share"), CAPTION))
    return Finding("answers", "Answers", ABOUT, tables, figures, signatures=signatures)


def is_scale(question: Question) -> bool:
    """Whether its values are numbers, of which one is chosen, as from 1 to 5."""
    numbers = len(question.values) > 2 and all(value.value.isdigit() for value in question.values)
    return question.has_one_answer and numbers and not question.flags


def _answers_by_unit(scheme: Scheme, question: Question, table: JudgementTable) -> dict[int, list[Answer]]:
    """The canonical answers to a question by unit: those of all people, or the decision of the team."""
    by_unit: dict[int, list[Answer]] = {}
    decided: dict[int, list[Answer]] = {}
    team = table.annotator_index.get(None)
    for unit, annotator, value in zip(table.units, table.annotators, table.values, strict=True):
        answer = table.distinct_values[value]
        if not scheme.single:
            answer = answer.get(question.name) if isinstance(answer, dict) else None
        if answer is None or question.kind == "types":
            continue
        try:
            (decided if annotator == team else by_unit).setdefault(unit, []).append(question.normalise(answer))
        except OtherwordsError:  # an answer of an earlier version of the scheme
            continue
    return by_unit | {unit: found[-1:] for unit, found in decided.items()}


def scale_row(by_unit: dict[int, list[Answer]]) -> list[Cell]:
    """Units, answers, mean over the means of units, standard deviation, and the interval of the mean."""
    means = [fmean(float(answer) for answer in found) for found in by_unit.values()]
    mean, count = fmean(means), sum(len(found) for found in by_unit.values())
    if len(means) < 2:
        return [len(means), count, mean, None, None, None]
    deviation = stdev(means)
    margin = NORMAL * deviation / math.sqrt(len(means))
    return [len(means), count, mean, deviation, mean - margin, mean + margin]


def choice_rows(question: Question, by_unit: dict[int, list[Answer]]) -> Iterable[list[Cell]]:
    """For each value its count, share and interval; of counted ones also their sum.

    Of a scale all answers count, else the units that more than half of the people gave the value to.
    """
    groups = [[answer] for found in by_unit.values() for answer in found] if is_scale(question) else by_unit.values()
    for value in question.values:
        counts = [_count_in_unit(question, value.value, found) for found in groups]
        chosen = sum(count > 0 for count in counts)
        counted: list[Cell] = [sum(counts), sum(counts) / len(counts)] if question.counted else [None, None]
        yield [value.name or value.value, chosen, *wilson(chosen, len(counts)), *counted]


def _count_in_unit(question: Question, value: str, found: Sequence[Answer]) -> int:
    """How often a unit has a value: the median of counts, or 1 where more than half of the people chose it."""
    if question.counted:
        return int(median_low(sorted(int(answer.get(value, 0)) for answer in found)))
    chosen = sum(value in (answer if isinstance(answer, list) else [answer]) for answer in found)
    return int(2 * chosen > len(found))


def wilson(part: int, whole: int) -> tuple[float, float, float]:
    """A share and its interval by Wilson."""
    share, spread = part / whole, NORMAL**2 / whole
    centre = (share + spread / 2) / (1 + spread)
    margin = NORMAL * math.sqrt(share * (1 - share) / whole + spread / (4 * whole)) / (1 + spread)
    return share, max(0.0, centre - margin), min(1.0, centre + margin)


def truth_rows(judged: Sequence[tuple[str, str]]) -> list[list[Cell]]:
    """Precision, recall and F-score of each class, from the truth and the answer of every judgement."""
    rows: list[list[Cell]] = []
    for name in sorted({truth for truth, _ in judged}):
        right = sum(truth == answer == name for truth, answer in judged)
        answered, true = (sum(pair[place] == name for pair in judged) for place in (1, 0))
        rows.append([name, true, ratio(right, answered), ratio(right, true), ratio(2 * right, answered + true)])
    return rows


def _against_truth(
    connection: Connection, question: Question, by_unit: dict[int, list[Answer]], table: JudgementTable
) -> list[Table]:
    """Every answer against the gold label of its pair."""
    names = {number: name for name, number in table.unit_index.items()}
    pairs = schema.pairs.c
    gold = {row.id: (row.gold or {}).get("label") for row in connection.execute(select(pairs.id, pairs.gold))}
    known = {value.value for value in question.values}
    judged = [
        (str(gold[names[unit]]), str(answer))
        for unit, found in by_unit.items()
        if gold.get(names[unit]) in known
        for answer in found
    ]
    return [Table("truth", "Answers against the truth, every answer", TRUTH, truth_rows(judged))] if judged else []
