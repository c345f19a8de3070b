"""How fast people work: judgements by person and week, and the median seconds of a judgement.

Nobody is named (:mod:`pace_people`). Weeks are those of ISO 8601, in UTC.
"""

from __future__ import annotations

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import bar_chart, tone_scale
from otherwords.analyse.figures import COUNTS
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Spec, Table
from otherwords.analyse.label_classes import ALL
from otherwords.analyse.order import label_order
from otherwords.analyse.pace_counts import Amount, Counts, counted, every_week
from otherwords.measures.signature import signature
from otherwords.project.project import Project

SHOWN = 4  # people that have a tone of their own
OTHERS = "others"
WIDTH, HEIGHT = 480, 220
ABOUT = (
    "Judgements of people that stand, by person, week (ISO 8601, UTC) and label, with the median seconds of those that "
    "were timed. People are called a01, a02 … by how much they judged."
)


def pace(project: Project, wishes: Wishes) -> Finding | None:
    """Judgements by person, week and label, and how long they take."""
    with project.ledger.reading() as connection:
        counts = counted(connection, project.config.scheme)
    if not counts.all.judgements:
        return None
    tables = [_people(counts), *_weeks(counts), *_labels(counts)]
    told = signature("pace", {"kind": "individual+vote", "stands": "yes", "seconds": "median", "weeks": "iso-utc"})
    return Finding(
        "pace",
        "Pace of annotation",
        ABOUT,
        tables,
        _figures(project.config.name, counts),
        remarks=_remarks(counts),
        signatures=dict.fromkeys((table.name for table in tables), told),
    )


def _people(counts: Counts) -> Table:
    weeks = {who: len({week for week, one in counts.by_week if one == who}) for who in counts.people}
    columns = [
        Column("annotator", "annotator"),
        Column("judgements", "judgements", "count"),
        Column("share", "share", "share"),
        Column("weeks", "weeks at work", "count"),
        *_timed(),
    ]
    whole = counts.all.judgements
    rows: list[list[Cell]] = [
        [who, one.judgements, one.judgements / whole, weeks[who], *_times(one)]
        for who, one in sorted(counts.people.items())
    ]
    if len(rows) > 1:
        rows.append([ALL, whole, 1.0, len(counts.weeks), *_times(counts.all)])
    return Table("pace", "Judgements by annotator", columns, rows)


def _timed() -> list[Column]:
    return [Column("timed", "timed", "count"), Column("seconds", "median seconds", "number", 1)]


def _times(one: Amount) -> list[Cell]:
    return [len(one.seconds), one.median]


def _weeks(counts: Counts) -> list[Table]:
    if not counts.weeks:
        return []
    columns = [
        Column("week", "week"),
        Column("judgements", "judgements", "count"),
        Column("annotators", "annotators", "count"),
        *_timed(),
    ]
    rows: list[list[Cell]] = []
    for week in every_week(list(counts.weeks)):
        one = counts.weeks.get(week, Amount())
        rows.append([week, one.judgements, sum(which == week for which, _ in counts.by_week), *_times(one)])
    return [Table("pace_by_week", "Judgements by week", columns, rows)]


def _labels(counts: Counts) -> list[Table]:
    columns = [Column("label", "label"), Column("judgements", "judgements", "count"), *_timed()]
    rows: list[list[Cell]] = [
        [label, counts.labels[label].judgements, *_times(counts.labels[label])] for label in label_order(counts.labels)
    ]
    return [Table("pace_by_label", "Judgements of pairs by label", columns, rows)] if rows else []


def _remarks(counts: Counts) -> list[str]:
    remarks = []
    if counts.undated:
        remarks.append(f"judgements without a time are in no week: {counts.undated:,}")
    if not counts.all.seconds:
        remarks.append("no judgement was timed")
    if counts.unlabelled:
        remarks.append(f"judgements that answer several questions stand under no label: {counts.unlabelled:,}")
    return remarks


def _figures(corpus: str, counts: Counts) -> list[Figure]:
    """Bars by week, cut by who judged; more than a few people are drawn as one."""
    weeks = every_week(list(counts.weeks))
    if not weeks:
        return []
    several = f"{len(weeks)} weeks" if len(weeks) > 1 else "one week"
    title = f"{corpus}: {counts.all.judgements - counts.undated:,} judgements in {several}"
    return [Figure("pace", title, _bars(title, weeks, counts))]


def _bars(title: str, weeks: list[str], counts: Counts) -> Spec:
    people = sorted(counts.people)
    shown = people if len(people) <= SHOWN + 1 else [*people[:SHOWN], OTHERS]
    drawn = {(week, who): 0 for week in weeks for who in shown}
    for (week, who), number in counts.by_week.items():
        drawn[week, who if who in shown else OTHERS] += number
    rows = [
        {"week": week, "annotator": who, "judgements": number, "order": shown.index(who)}
        for (week, who), number in drawn.items()
    ]
    return bar_chart(
        title,
        rows,
        {
            "x": {
                "field": "week",
                "type": "ordinal",
                "sort": weeks,
                "title": "week",
                "axis": {"labelOverlap": True, "labelAngle": -45},
            },
            "y": {"field": "judgements", "type": "quantitative", "title": "judgements", "axis": COUNTS},
            "color": {"field": "annotator", "type": "nominal", "scale": tone_scale(shown), "title": "annotator"},
            "order": {"field": "order", "type": "quantitative"},
        },
    )
