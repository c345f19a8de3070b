"""Counts and times of the judgements that people made and that stand: by person, by week, by label.

The ledger goes in, read once; numbers come out, of which only the seconds are held one by one, for their medians.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from statistics import median
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from otherwords.analyse.agree_questions import week_of
from otherwords.analyse.pace_people import BY_PEOPLE, called
from otherwords.annotate.standing import stands
from otherwords.project import schema

ROWS_AT_A_TIME = 5000
MOST_WEEKS = 520  # in a row; a time that is years off does not make years of empty weeks


@dataclass(slots=True)
class Amount:
    """Judgements of one kind, and how long those took that were timed."""

    judgements: int = 0
    seconds: array[float] = field(default_factory=lambda: array("d"))

    def add(self, seconds: float | None) -> None:
        self.judgements += 1
        if seconds is not None:
            self.seconds.append(seconds)

    @property
    def median(self) -> float | None:
        return median(self.seconds) if self.seconds else None


@dataclass(slots=True)
class Counts:
    """What was judged when, by whom, how and how fast."""

    all: Amount = field(default_factory=Amount)
    people: dict[str, Amount] = field(default_factory=dict)
    weeks: dict[str, Amount] = field(default_factory=dict)
    labels: dict[str, Amount] = field(default_factory=dict)
    by_week: Counter[tuple[str, str]] = field(default_factory=Counter)  # by week and person
    undated: int = 0
    unlabelled: int = 0  # answers to several questions


def counted(connection: Connection, scheme: str | None) -> Counts:
    """Count what stands; labels are those of pairs under this scheme."""
    said, names, counts = schema.judgements, called(connection), Counts()
    theirs = (said.c.annotator.is_not(None), said.c.kind.in_(BY_PEOPLE), stands())
    columns = (said.c.annotator, said.c.unit, said.c.scheme, said.c.value, said.c.seconds, said.c.time)
    rows = connection.execute(select(*columns).where(*theirs).execution_options(yield_per=ROWS_AT_A_TIME))
    for annotator, unit, of, value, seconds, time in rows:
        who, week = names[annotator], week_of(time) if time else None
        counts.all.add(seconds)
        counts.people.setdefault(who, Amount()).add(seconds)
        if week is None:
            counts.undated += 1
        else:
            counts.weeks.setdefault(week, Amount()).add(seconds)
            counts.by_week[week, who] += 1
        if unit == "pair" and of in (None, scheme):
            _add_label(counts, value, seconds)
    return counts


def _add_label(counts: Counts, value: Any, seconds: float | None) -> None:
    if isinstance(value, list | dict):
        counts.unlabelled += 1
        return
    label = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    counts.labels.setdefault(label, Amount()).add(seconds)


def every_week(weeks: list[str]) -> list[str]:
    """All weeks from the first to the last, also those in which nobody judged anything, unless there are too many."""
    if not weeks:
        return []
    day, last = (_monday(week) for week in (min(weeks), max(weeks)))
    if last - day > timedelta(weeks=MOST_WEEKS):
        return sorted(weeks)
    found = []
    while day <= last:
        found.append(week_of(day.isoformat()) or "")
        day += timedelta(days=7)
    return found


def _monday(week: str) -> date:
    year, _, number = week.partition("-W")
    return date.fromisocalendar(int(year), int(number), 1)
