"""How fast people work: judgements by person, week and label, and the median seconds of a judgement.

Nobody is named (:mod:`otherwords.analyse.judgement_tables`). Weeks are those of ISO 8601, in UTC. The ledger is read
once; only the seconds are kept one by one, for their medians.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from statistics import median

import msgspec
from sqlalchemy import Connection, select

from otherwords.analyse.agreement.questions import iso_week
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import COUNTS, bar_chart, stacking
from otherwords.analyse.finding import LABEL, Cell, Column, Figure, Finding, Table, quantity
from otherwords.analyse.judgement_tables import BY_PEOPLE, annotator_aliases
from otherwords.analyse.label_classes import ALL, label_order
from otherwords.annotate.current_judgements import is_current
from otherwords.measures.options import signature
from otherwords.project.ledger import schema
from otherwords.project.project import Project

ROWS_AT_A_TIME = 5000
MOST_WEEKS = 520  # in a row; a wrong date does not make years of empty weeks
SHOWN = 4  # people with their own tone in the figure
OTHERS = "others"
JUDGEMENTS = Column("judgements", "judgements", "count")
TIMED = (Column("timed", "timed", "count"), Column("seconds", "median seconds", "number", 1))
ABOUT = (
    "Current judgements of people by person, week (ISO 8601, UTC) and label, with the median seconds of those that "
    "were timed. People are called a01, a02 … by how much they judged."
)


@dataclass(slots=True)
class Amount:
    """A number of judgements, and the seconds of those that were timed."""

    judgements: int = 0
    seconds: array[float] = field(default_factory=lambda: array("d"))

    def add(self, seconds: float | None) -> None:
        self.judgements += 1
        if seconds is not None:
            self.seconds.append(seconds)

    def times(self) -> list[Cell]:
        """The cells under the columns ``TIMED``."""
        return [len(self.seconds), median(self.seconds) if self.seconds else None]


@dataclass(slots=True)
class PaceCounts:
    """Judgements by person, week and label."""

    total: Amount = field(default_factory=Amount)
    people: dict[str, Amount] = field(default_factory=dict)
    weeks: dict[str, Amount] = field(default_factory=dict)
    labels: dict[str, Amount] = field(default_factory=dict)
    by_week: Counter[tuple[str, str]] = field(default_factory=Counter)  # by week and person
    undated: int = 0
    unlabelled: int = 0  # answers to several questions


def pace(project: Project, options: AnalysisOptions) -> Finding | None:
    """Judgements by person, week and label, and how long they take."""
    with project.ledger.reading() as connection:
        counts = _count(connection, project.config.scheme)
    if not counts.total.judgements:
        return None
    tables = [table for table in (_people(counts), _weeks(counts), _labels(counts)) if table.rows]
    remarks = []
    if counts.undated:
        remarks.append(f"judgements without a time, which are in no week: {counts.undated:,}")
    if not counts.total.seconds:
        remarks.append("no judgement was timed")
    if counts.unlabelled:
        remarks.append(f"judgements that answer several questions, which are under no label: {counts.unlabelled:,}")
    figures = [_figure(project.config.name, counts)] if counts.weeks else []
    signed = signature("pace", {"kind": "individual+vote", "stands": "yes", "seconds": "median", "weeks": "iso-utc"})
    signatures = {table.name: signed for table in tables}
    return Finding("pace", "Pace of annotation", ABOUT, tables, figures, remarks=remarks, signatures=signatures)


def _count(connection: Connection, project_scheme: str | None) -> PaceCounts:
    """Count current judgements; labels are those of pairs under the scheme of the project."""
    aliases, counts, table = annotator_aliases(connection), PaceCounts(), schema.judgements.c
    by_people = (table.annotator.is_not(None), table.kind.in_(BY_PEOPLE), is_current())
    columns = (table.annotator, table.unit, table.scheme, table.value, table.seconds, table.time)
    rows = connection.execute(select(*columns).where(*by_people).execution_options(yield_per=ROWS_AT_A_TIME))
    for annotator, unit, scheme, value, seconds, time in rows:
        alias, week = aliases[annotator], iso_week(time) if time else None
        counts.total.add(seconds)
        counts.people.setdefault(alias, Amount()).add(seconds)
        if week is None:
            counts.undated += 1
        else:
            counts.weeks.setdefault(week, Amount()).add(seconds)
            counts.by_week[week, alias] += 1
        if unit != "pair" or scheme not in (None, project_scheme):
            continue
        if isinstance(value, list | dict):
            counts.unlabelled += 1
        else:
            label = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            counts.labels.setdefault(label, Amount()).add(seconds)
    return counts


def every_week(weeks: list[str]) -> list[str]:
    """All weeks from the first to the last, also those without judgements, unless there are too many."""
    if not weeks:
        return []
    ends = [week.split("-W") for week in (min(weeks), max(weeks))]
    day, last = (date.fromisocalendar(int(year), int(number), 1) for year, number in ends)
    if last - day > timedelta(weeks=MOST_WEEKS):
        return sorted(weeks)
    filled = []
    while day <= last:
        filled.append(iso_week(day.isoformat()) or "")
        day += timedelta(days=7)
    return filled


def _people(counts: PaceCounts) -> Table:
    weeks = Counter(alias for _, alias in counts.by_week)
    columns = [
        Column("annotator", "annotator"),
        JUDGEMENTS,
        Column("share", "share", "share"),
        Column("weeks", "weeks at work", "count"),
        *TIMED,
    ]
    whole = counts.total.judgements
    rows: list[list[Cell]] = [
        [alias, amount.judgements, amount.judgements / whole, weeks[alias], *amount.times()]
        for alias, amount in sorted(counts.people.items())
    ]
    if len(rows) > 1:
        rows.append([ALL, whole, 1.0, len(counts.weeks), *counts.total.times()])
    return Table("pace", "Judgements by annotator", columns, rows)


def _weeks(counts: PaceCounts) -> Table:
    columns = [Column("week", "week"), JUDGEMENTS, Column("annotators", "annotators", "count"), *TIMED]
    annotators = Counter(week for week, _ in counts.by_week)
    rows: list[list[Cell]] = []
    for week in every_week(list(counts.weeks)):
        amount = counts.weeks.get(week, Amount())
        rows.append([week, amount.judgements, annotators[week], *amount.times()])
    return Table("pace_by_week", "Judgements by week", columns, rows)


def _labels(counts: PaceCounts) -> Table:
    rows: list[list[Cell]] = []
    for label in label_order(counts.labels):
        amount = counts.labels[label]
        rows.append([label, amount.judgements, *amount.times()])
    return Table("pace_by_label", "Judgements of pairs by label", [LABEL, JUDGEMENTS, *TIMED], rows)


def _figure(corpus: str, counts: PaceCounts) -> Figure:
    """Bars by week, cut by annotator; beyond a few, annotators are drawn as one."""
    weeks = every_week(list(counts.weeks))
    dated = quantity(counts.total.judgements - counts.undated, "judgement")
    title = f"{corpus}: {dated} in {quantity(len(weeks), 'week')}"
    people = sorted(counts.people)
    shown = people if len(people) <= SHOWN + 1 else [*people[:SHOWN], OTHERS]
    judgements = {(week, alias): 0 for week in weeks for alias in shown}
    for (week, alias), count in counts.by_week.items():
        judgements[week, alias if alias in shown else OTHERS] += count
    rows = [
        {"week": week, "annotator": alias, "judgements": count, "order": shown.index(alias)}
        for (week, alias), count in judgements.items()
        if count  # an empty part would be drawn as a line
    ]
    angled = {"labelOverlap": True, "labelAngle": -45}
    encoding = {
        "x": {"field": "week", "type": "ordinal", "scale": {"domain": weeks}, "title": "week", "axis": angled},
        "y": {"field": "judgements", "type": "quantitative", "title": "judgements", "axis": COUNTS},
        **stacking("annotator", shown, "annotator"),
    }
    return Figure("pace", title, bar_chart(title, rows, encoding), "Judgements of each week, cut by annotator.")
