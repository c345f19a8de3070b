"""The answers to each question as arrays of labels, which can be divided by batch or week."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np

from otherwords.analyse.agreement.answers import labels_by_question
from otherwords.analyse.judgement_columns import JudgementTable
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import LabelError
from otherwords.measures.agreement.codes import Codes, Ints, encode_judgements
from otherwords.sources.rows.records import scalar_text

WORDS, CHARACTERS = 3, 30  # the shortest free text, in one or the other
FEW = 10  # so many different numbers may be a scale, even if each is given once
FREE_TEXT = "free text"
MEASUREMENTS = "numbers or times that hardly repeat"
_NUMBER_OR_TIME = re.compile(r"[-+]?\d[\d\s.,:/+TZ-]*")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


def why_not_labels(counts: Mapping[str, int], *, among_others: bool) -> str | None:
    """What answers are instead of labels, from how often each was given; None if they are labels.

    Numbers that are the only answers of a table (not ``among_others``) are always a scale.
    """
    if 2 * len(counts) <= sum(counts.values()):
        return None
    if all(map(_NUMBER_OR_TIME.fullmatch, counts)):
        return MEASUREMENTS if among_others and len(counts) > FEW else None
    long = sum(len(answer.split()) >= WORDS or len(answer) > CHARACTERS for answer in counts)
    return FREE_TEXT if 2 * long > len(counts) else None


def decimal_points(labels: Mapping[int, str]) -> dict[int, str]:
    """Numbers by the values that they stand for; if all labels are numbers and some have decimal commas, with points.

    So ``3,50`` and ``3.5`` are the same number, and ``3,0`` is ``3``.
    """
    if not any(map(_DECIMAL_COMMA.fullmatch, labels.values())):
        return dict(labels)
    try:
        numbers = {value: float(label.replace(",", ".")) for value, label in labels.items()}
    except ValueError:
        return dict(labels)
    return {value: scalar_text(number) for value, number in numbers.items()}


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """The answers to one question: which rows of the table have a label, and its index in ``distinct_labels``."""

    table: JudgementTable
    question: str
    distinct_labels: tuple[str, ...]
    rows: Ints
    labels: Ints

    def why_not_labels(self, *, among_others: bool) -> str | None:
        """What the answers are instead of labels; None if they are labels."""
        given = np.bincount(self.labels, minlength=len(self.distinct_labels)).tolist()
        return why_not_labels(dict(zip(self.distinct_labels, given, strict=True)), among_others=among_others)

    def codes(self, first: Iterable[str] = ()) -> Codes:
        """The individual answers; the labels in ``first`` come first, in that order."""
        units, annotators = self._columns()
        own = annotators != self.table.annotator_index.get(None, -1)
        names = tuple(name or "" for name in self.table.annotator_index)
        return encode_judgements(units[own], annotators[own], self.labels[own], names, self.distinct_labels, first)

    def codes_with_team(self, team_name: str) -> Codes:
        """All answers on units that have a consensus, with the consensus as an annotator of that name."""
        units, annotators = self._columns()
        decided = np.isin(units, np.unique(units[annotators == self.table.annotator_index.get(None, -1)]))
        names = tuple(team_name if name is None else name for name in self.table.annotator_index)
        labels = self.labels[decided]
        return encode_judgements(units[decided], annotators[decided], labels, names, self.distinct_labels, ())

    def _columns(self) -> tuple[Ints, Ints]:
        """The units and the annotators of the answers."""
        return np.array(self.table.units, np.int64)[self.rows], np.array(self.table.annotators, np.int64)[self.rows]

    def parts(self, by: Literal["week", "batch"]) -> dict[str, QuestionAnswers]:
        """The answers by batch, or by the week of a unit's last judgement; answers with neither are left out."""
        names_of_rows = self.table.batches
        if by == "week":
            last: dict[int, str] = {}
            for unit, time in zip(self.table.units, self.table.times, strict=True):
                if time:
                    last[unit] = max(time, last.get(unit, ""))
            weeks = {unit: iso_week(time) for unit, time in last.items()}
            names_of_rows = [weeks.get(unit) for unit in self.table.units]
        names = [names_of_rows[row] for row in self.rows.tolist()]
        index = {name: place for place, name in enumerate(sorted({name for name in names if name is not None}))}
        part = np.array([index.get(name or "", -1) for name in names], np.int64)
        return {
            name: replace(self, rows=self.rows[part == place], labels=self.labels[part == place])
            for name, place in index.items()
        }


def iso_week(time: str) -> str | None:
    """The ISO 8601 week of a time, such as 2024-W19; None if the time cannot be read."""
    try:
        year, week, _ = datetime.fromisoformat(time).isocalendar()
    except ValueError:
        return None
    return f"{year}-W{week:02}"


def answers_by_question(
    table: JudgementTable, scheme: Scheme | None, projection: str
) -> tuple[list[QuestionAnswers], list[str]]:
    """The answers to each question under a projection, and what is wrong with the values that were left out.

    Each distinct value is interpreted once, however often it occurs. Where there is no scheme, an empty text is no
    answer.
    """
    labels_of_values: dict[str, dict[int, str]] = {}
    problems: dict[str, None] = {}
    for number, value in enumerate(table.distinct_values):
        try:
            labels = labels_by_question(value, scheme, projection)
        except LabelError as problem:
            problems[str(problem)] = None
            continue
        for question, label in labels.items():
            if label or scheme is not None:
                labels_of_values.setdefault(question, {})[number] = label
    values = np.array(table.values, np.int64)
    answers = []
    for question, given in labels_of_values.items():
        by_value = given if scheme is not None else decimal_points(given)
        distinct_labels = tuple(dict.fromkeys(by_value.values()))
        index = {label: place for place, label in enumerate(distinct_labels)}
        label_of_value = np.full(len(table.distinct_values), -1, np.int64)
        label_of_value[list(by_value)] = [index[label] for label in by_value.values()]
        rows = np.flatnonzero(label_of_value[values] >= 0)
        answers.append(QuestionAnswers(table, question, distinct_labels, rows, label_of_value[values[rows]]))
    return answers, list(problems)
