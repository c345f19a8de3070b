"""Answers that make no label: scales, counts and several choices at once (Dou et al. 2022, Tables 6 and 7; Suzuki et
al. 2017, Table 3), and how well people tell machine-made pairs (Suzuki et al. 2017, the discernibility test).

A unit that several people answered counts once: on a scale by the mean of its answers, of choices by the majority, of
counts by their median; the distribution on a scale is that of all answers. The decision of a team counts alone.
Intervals of 95 % are Wilson's for shares and normal for means over units. Answers for other purposes than production
and agreement are left out. In a project the answers come from its ledger, in a release from its file of judgements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median_low, stdev

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.findings.truth import NAME as TRUTH
from otherwords.analyse.findings.truth import AnsweredUnit, truth_signature, truth_table
from otherwords.analyse.judgement_columns import JudgementTable, JudgementTables
from otherwords.analyse.judgement_tables import JudgementFilter, from_files, from_ledger
from otherwords.annotate.batch_plans.machine_check import SCHEME, who_made_them
from otherwords.annotate.current_judgements import gold_labels
from otherwords.annotate.labels.views import labelling_scheme
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.question import Answer, Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import OtherwordsError
from otherwords.measures.intervals import NORMAL, wilson
from otherwords.measures.options import signature
from otherwords.project.project import Project

NAME = "answers"
TRUTH_SCHEME = SCHEME  # its truth is the gold label of a pair, or the method that made it
ABOUT = (
    "Answers on scales, counts and choices for production or agreement, each unit once: the mean of a scale, what most "
    "people chose, the median of a count (Dou et al. 2022, Tables 6 and 7; Suzuki et al. 2017, Table 3). The "
    "distribution on a scale is that of all answers. Intervals are of 95 %."
)
ASKED = (Column("scheme", "scheme"), Column("question", "question"))
UNITS, VALUE = Column("units", "units", "count"), Column("value", "answer")
MEAN = (
    *(Column("mean", "mean", "number"), Column("sd", "SD", "number")),
    *(Column("low", "from", "number"), Column("high", "to", "number")),
)
SCALES = (*ASKED, UNITS, Column("answers", "answers", "count"), *MEAN)
CHOICES = (
    *(*ASKED, VALUE, Column("count", "count", "count"), Column("n", "of", "count"), Column("share", "share", "share")),
    *(Column("low", "from", "share"), Column("high", "to", "share")),
)
COUNTS = (*ASKED, VALUE, UNITS, Column("sum", "sum", "count"), *MEAN)
TABLES: tuple[tuple[str, str, Sequence[Column]], ...] = (
    ("scales", "Answers on scales", SCALES),
    ("choices", "Answers by value", CHOICES),
    ("counts", "Counts per unit", COUNTS),
)
CAPTION = "The share of each answer among all answers to its question."
AnswersByUnit = dict[int, list[Answer]]


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What answers are read with: the schemes of a corpus, and the truth about its pairs."""

    corpus: str
    folder: Path | None = None  # of its own schemes
    truth: Mapping[str, str] = field(default_factory=dict)  # by pair

    def scheme(self, name: str | None) -> Scheme | None:
        """The scheme of that name; None if it is not here."""
        try:
            return load_scheme(name, self.folder) if name is not None else None
        except OtherwordsError:
            return None


def answers(project: Project, options: AnalysisOptions) -> Finding | None:
    """Scales, counts and several choices: means, distributions and intervals."""
    main = labelling_scheme(project)
    with project.ledger.reading() as connection:
        judged, _ = from_ledger(connection, JudgementFilter(), main)
        asked = any(key.scheme == TRUTH_SCHEME for key in judged)
        truth = {**who_made_them(connection), **gold_labels(connection)} if asked else {}
    return _finding(judged, AnswerContext(project.config.name, project.folder, truth), options)


def release_answers(
    judgements: Path, context: AnswerContext, options: AnalysisOptions, selection: JudgementFilter
) -> Finding | None:
    """The same from the judgements of a release; None if it has no such answers."""
    if not judgements.is_file() or not judgements.stat().st_size:
        return None
    judged, _ = from_files([judgements], selection, format="jsonl")
    return _finding(judged, context, options)


def _finding(judged: JudgementTables, context: AnswerContext, options: AnalysisOptions) -> Finding | None:
    rows: dict[str, list[list[Cell]]] = {name: [] for name, *_ in TABLES}
    compared: list[AnsweredUnit] = []
    for key, table in judged.items():
        scheme = context.scheme(key.scheme)
        if scheme is None:
            continue
        for question in scheme.questions:
            by_unit = _answers_by_unit(scheme, question, table)
            if by_unit:
                for name, row in _question_rows(question, by_unit):
                    rows[name].append([scheme.name, question.name or question.title or None, *row])
            if scheme.name == TRUTH_SCHEME:
                compared += _with_truth(question, by_unit, list(table.unit_index), context.truth)
    tables = [Table(name, title, columns, rows[name]) for name, title, columns in TABLES if rows[name]]
    signatures = {table.name: signature(NAME, {"unit": "once", "interval": 95}) for table in tables}
    if compared:
        tables.append(truth_table(compared, options))
        signatures[TRUTH] = truth_signature(options)
    figures = _figures(context.corpus, rows["choices"])
    return Finding(NAME, "Answers", ABOUT, tables, figures, signatures=signatures) if tables else None


def _figures(corpus: str, choices: Sequence[Sequence[Cell]]) -> list[Figure]:
    if not choices:
        return []
    title = f"{corpus}: answers on scales, counts and choices"
    bars = [
        (f"{question or scheme}: {value}", float(str(share))) for scheme, question, value, _, _, share, *_ in choices
    ]
    return [Figure(NAME, title, share_bars(title, bars, "share"), CAPTION)]


def _question_rows(question: Question, by_unit: AnswersByUnit) -> Iterator[tuple[str, list[Cell]]]:
    """The rows about a question, each with the name of its table."""
    if is_scale(question):
        yield "scales", scale_row(by_unit)
    if is_scale(question) or question.several or question.counted:
        yield from (("choices", row) for row in choice_rows(question, by_unit))
    if question.counted:
        yield from (("counts", row) for row in count_rows(question, by_unit))


def is_scale(question: Question) -> bool:
    """Whether its values are numbers, of which one is chosen, as from 1 to 5."""
    numbers = len(question.values) > 2 and all(value.value.isdigit() for value in question.values)
    return question.has_one_answer and numbers and not question.flags


def _answers_by_unit(scheme: Scheme, question: Question, table: JudgementTable) -> AnswersByUnit:
    """The canonical answers to a question by unit: the last of everybody, or the last decision of the team."""
    by_unit: dict[int, dict[int, Answer]] = {}
    team = table.annotator_index.get(None, -1)
    for unit, annotator, value in zip(table.units, table.annotators, table.values, strict=True):
        answer = table.distinct_values[value]
        if not scheme.single:
            answer = answer.get(question.name) if isinstance(answer, dict) else None
        if answer is None or question.kind == "types":
            continue
        try:
            by_unit.setdefault(unit, {})[annotator] = question.normalise(answer)
        except OtherwordsError:  # an answer of an earlier version of the scheme
            continue
    return {unit: [found[team]] if team in found else list(found.values()) for unit, found in by_unit.items() if found}


def scale_row(by_unit: AnswersByUnit) -> list[Cell]:
    """Units, answers, and the mean over the means of units with its deviation and interval."""
    means = [fmean(float(answer) for answer in found) for found in by_unit.values()]
    return [len(means), sum(len(found) for found in by_unit.values()), *mean_cells(means)]


def mean_cells(numbers: Sequence[float]) -> list[Cell]:
    """A mean, its standard deviation, and the ends of its interval; a single number has only a mean."""
    mean = fmean(numbers)
    if len(numbers) < 2:
        return [mean, None, None, None]
    deviation = stdev(numbers)
    margin = NORMAL * deviation / math.sqrt(len(numbers))
    return [mean, deviation, mean - margin, mean + margin]


def choice_rows(question: Question, by_unit: AnswersByUnit) -> Iterable[list[Cell]]:
    """For each value its count, of how many, its share and interval.

    Of a scale all answers count, else the units that more than half of the people gave the value to.
    """
    groups = [[answer] for found in by_unit.values() for answer in found] if is_scale(question) else by_unit.values()
    for value in question.values:
        chosen = sum(_count_in_unit(question, value.value, found) > 0 for found in groups)
        name = f"{value.value} {value.name}" if is_scale(question) else value.name or value.value
        yield [name.strip(), chosen, len(groups), *wilson(chosen, len(groups))]


def count_rows(question: Question, by_unit: AnswersByUnit) -> Iterable[list[Cell]]:
    """For each counted value the units, the sum, and the mean per unit with its deviation and interval."""
    for value in question.values:
        counts = [_count_in_unit(question, value.value, found) for found in by_unit.values()]
        yield [value.name or value.value, len(counts), sum(counts), *mean_cells(counts)]


def _count_in_unit(question: Question, value: str, found: Sequence[Answer]) -> int:
    """How often a unit has a value: the median of counts, or 1 where more than half of the people chose it."""
    if question.counted:
        return int(median_low(sorted(int(answer.get(value, 0)) for answer in found)))
    chosen = sum(value in (answer if isinstance(answer, list) else [answer]) for answer in found)
    return int(2 * chosen > len(found))


def _with_truth(
    question: Question, by_unit: AnswersByUnit, units: Sequence[str], truth: Mapping[str, str]
) -> Iterator[AnsweredUnit]:
    """The units about which the truth is known, and the answers to each."""
    known = {value.value for value in question.values}
    for unit, found in by_unit.items():
        if (label := truth.get(units[unit])) in known and label is not None:
            yield label, [str(answer) for answer in found]
