"""A plan as tables: for the terminal, and as a page like that of a report. Numbers are rounded to what is known."""

from __future__ import annotations

import math
from pathlib import Path

from otherwords import __version__
from otherwords.analyse.finding import Column, Finding, Table
from otherwords.analyse.planning.figures import SHARE
from otherwords.analyse.planning.plan import CorpusPlan
from otherwords.analyse.report.build import WrittenReport, write_sheet
from otherwords.analyse.report.page import Fact, Sheet, counted_fact
from otherwords.measures.intervals import NORMAL
from otherwords.sources.io.files import atomic_folder

DIGITS = 2  # significant ones, of a number without an interval
STAGES = (
    Column("stage", "work"),
    Column("units", "units", "number"),
    Column("hours", "hours", "number"),
    Column("range", "95 %", "number"),
    Column("origin", "from"),
)
FIGURES = (
    Column("figure", "figure"),
    Column("value", "value", "number"),
    Column("range", "95 %", "number"),
    Column("n", "measured on", "count"),
    Column("origin", "from"),
)
INTERVALS = (
    Column("interval", "interval"),
    Column("expected", "expected", "number", 3),
    Column("n", "n", "count"),
    Column("low", "from", "number", 3),
    Column("high", "to", "number", 3),
    Column("width", "width", "number", 3),
    Column("origin", "from"),
)
METHODS = (
    "Hours are units times seconds. Their interval is one of prediction: it covers the error of the project's mean, "
    "between judgements and between people, the error of yields and shares, and the spread of the units to come. It "
    "takes for granted that people of the same kind do the same work; a paper's figure has no interval.",
    "Intervals of agreement fall with the root of the number of doubly judged pairs: those that the report prints now "
    "are carried over. Where there are none yet, judgements of two people are drawn with the expected kappa and "
    "labels, and the report's bootstrap is run on them. Label shares have Wilson's interval, a harvest that of Clopper "
    "and Pearson.",
)


def rounded(value: float, margin: float | None = None) -> str:
    """A number with as many digits as its margin leaves, or with two significant ones."""
    if not value or not math.isfinite(value):
        return f"{value:,.0f}"
    place = math.floor(math.log10(margin)) if margin else math.floor(math.log10(abs(value))) - DIGITS + 1
    number = round(value, -place)
    return f"{number:,.{max(0, -place)}f}"


def hours_text(plan: CorpusPlan) -> str:
    """All hours with their interval."""
    if (ends := plan.hour_range) is None:
        return f"about {rounded(plan.hours)} hours"
    margin = (ends[1] - ends[0]) / 2
    low, high = (rounded(end, margin) for end in ends)
    return f"{rounded(plan.hours, margin)} hours ({low} to {high})"


def lines(plan: CorpusPlan) -> list[str]:
    """The plan in sentences for a proposal."""
    options = plan.options
    people = "1 person" if options.people == 1 else f"{options.people} people"
    needed = [f"{options.pairs:,} pairs need"]
    if plan.document_pairs is not None:
        needed.append(f"about {rounded(plan.document_pairs)} document pairs and")
    needed.append(f"about {rounded(plan.candidates)} judged pairs")
    weeks = f"{plan.weeks} week" if plan.weeks == 1 else f"{plan.weeks:,} weeks"
    sentences = [
        " ".join(needed),
        f"that is {hours_text(plan)} of work: about {rounded(plan.hours_a_person)} hours for each of {people}, "
        f"{weeks} at {options.hours_a_week:g} hours a week",
    ]
    if plan.cost is not None:
        sentences.append(f"at {options.wage:g} an hour it costs about {rounded(plan.cost)}")
    return sentences


def stages_table(plan: CorpusPlan) -> Table:
    """The stages of the work."""
    rows = [
        (stage.name, rounded(stage.units), *_with_range(stage.hours, stage.low, stage.high), stage.origin)
        for stage in plan.stages
    ]
    return Table("work", "Work", STAGES, rows)


def figures_table(plan: CorpusPlan) -> Table:
    """The figures that the plan rests on."""
    rows = []
    for figure in plan.figures:
        margin = NORMAL * figure.error if figure.known_error else None
        scale = 100 if figure.unit == SHARE else 1
        value, ends = _with_range(
            scale * figure.value,
            scale * (figure.value - margin) if margin is not None else None,
            scale * (figure.value + margin) if margin is not None else None,
        )
        unit = {SHARE: " %", "seconds": " s"}.get(figure.unit, "")
        rows.append((figure.name, f"{value}{unit}", ends, figure.n, figure.origin))
    return Table("figures", "What the plan rests on", FIGURES, rows)


def intervals_table(plan: CorpusPlan) -> Table:
    """The intervals that the report would print at that size."""
    rows = [(row.name, row.expected, row.n, row.low, row.high, row.width, row.origin) for row in plan.intervals]
    return Table("intervals", "Intervals that the report would print", INTERVALS, rows)


def _with_range(value: float, low: float | None, high: float | None) -> tuple[str, str]:
    if low is None or high is None or high <= low:
        return rounded(value), ""
    margin = (high - low) / 2
    return rounded(value, margin), f"{rounded(low, margin)} to {rounded(high, margin)}"


def write_page(plan: CorpusPlan, out: Path, command: str) -> WrittenReport:
    """Write the page into a new folder."""
    with atomic_folder(out) as folder:
        return write_sheet(_sheet(plan, command), folder, out)


def _sheet(plan: CorpusPlan, command: str) -> Sheet:
    titles = (("Work", stages_table(plan)), ("Figures", figures_table(plan)), ("Intervals", intervals_table(plan)))
    return Sheet(
        title=f"A plan for {plan.options.pairs:,} pairs",
        about=f"{'. '.join(line[:1].upper() + line[1:] for line in lines(plan))}.",
        facts=[
            Fact(rounded(plan.hours), "hours"),
            counted_fact(plan.weeks, "week"),
            Fact(f"{plan.options.people:,}", "people" if plan.options.people > 1 else "person"),
        ],
        findings=[Finding(table.name, title, "", [table]) for title, table in titles],
        methods=[*METHODS, f"otherwords {__version__}, by the command {command}."],
        remarks=plan.remarks,
    )
