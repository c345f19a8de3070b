"""Judgements as labels, question by question, and parts of them by batch or week."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import numpy as np
import numpy.typing as npt

from otherwords.analyse.agree_answers import answers
from otherwords.analyse.agree_rows import Said
from otherwords.annotate.scheme import Scheme
from otherwords.errors import LabelError
from otherwords.measures.agreement.codes import Codes, Ints, coded


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was answered to one question: which rows of all judgements have a label, and its place in ``spelled``."""

    said: Said
    question: str
    spelled: tuple[str, ...]
    rows: Ints
    labels: Ints

    def codes(self, first: Iterable[str] = ()) -> Codes:
        """What people said by themselves; labels in this order."""
        team = self.said.names.get(None, -1)
        people = np.array(self.said.people, np.int64)[self.rows]
        return self._coded(people != team, tuple(name or "" for name in self.said.names), first)

    def codes_with_team(self, team: str) -> Codes:
        """The same on the units that the team agreed on, with the consensus under that name."""
        hub = self.said.names.get(None, -1)
        units = np.array(self.said.units, np.int64)[self.rows]
        agreed = np.unique(units[np.array(self.said.people, np.int64)[self.rows] == hub])
        names = tuple(team if name is None else name for name in self.said.names)
        return self._coded(np.isin(units, agreed), names, ())

    def _coded(self, keep: npt.NDArray[np.bool_], names: tuple[str, ...], first: Iterable[str]) -> Codes:
        rows = self.rows[keep]
        units, people = (np.array(column, np.int64)[rows] for column in (self.said.units, self.said.people))
        return coded(units, people, self.labels[keep], names, self.spelled, first)

    def parts(self, by: Literal["week", "batch"]) -> dict[str, Labelled]:
        """The same by batch, or by the week in which a unit had its last judgement; what has neither is left out."""
        names = self.said.batches if by == "batch" else _weeks(self.said)
        of = [names[row] for row in self.rows.tolist()]
        known = sorted({name for name in of if name is not None})
        place = {name: number for number, name in enumerate(known)}
        which = np.array([place.get(name or "", -1) for name in of], np.int64)
        return {
            name: replace(self, rows=self.rows[which == number], labels=self.labels[which == number])
            for name, number in place.items()
        }


def _weeks(said: Said) -> list[str | None]:
    last: dict[int, str] = {}
    for unit, time in zip(said.units, said.times, strict=True):
        if time:
            last[unit] = max(time, last.get(unit, ""))
    weeks = {unit: week_of(time) for unit, time in last.items()}
    return [weeks.get(unit) for unit in said.units]


def week_of(time: str) -> str | None:
    """The week of a time, as ISO 8601 counts them: 2024-W19."""
    try:
        year, week, _ = datetime.fromisoformat(time).isocalendar()
    except ValueError:
        return None
    return f"{year}-W{week:02}"


def questions(said: Said, scheme: Scheme | None, view: str) -> tuple[list[Labelled], list[str]]:
    """What was said to each question under a projection, and what is wrong with values that were left out.

    Every value is looked at once, however often it was given.
    """
    told: dict[str, dict[int, str]] = {}
    wrong: dict[str, None] = {}
    for place, value in enumerate(said.all_values):
        try:
            labels = answers(value, scheme, view)
        except LabelError as problem:
            wrong[str(problem)] = None
            continue
        for question, label in labels.items():
            told.setdefault(question, {})[place] = label
    values = np.array(said.values, np.int64)
    return [_labelled(said, question, labels, values) for question, labels in told.items()], list(wrong)


def _labelled(said: Said, question: str, labels: dict[int, str], values: Ints) -> Labelled:
    spelled = tuple(dict.fromkeys(labels.values()))
    number = {label: place for place, label in enumerate(spelled)}
    label_of = np.full(len(said.all_values), -1, np.int64)
    for place, label in labels.items():
        label_of[place] = number[label]
    rows = np.flatnonzero(label_of[values] >= 0)
    return Labelled(said, question, spelled, rows, label_of[values[rows]])
