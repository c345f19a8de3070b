"""How far people agree, as a finding: all together, each against the consensus, and from week to week.

The figures are those of ``otherwords agree`` (:mod:`agree`), of which the main ones are shown. Names are replaced
before anything is computed, so that none can get into a remark; people are called as in :mod:`pace`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from otherwords.analyse.agree import Asking, Report, agree
from otherwords.analyse.agree_answers import own_scheme
from otherwords.analyse.agree_rows import Sets, Wish, from_ledger
from otherwords.analyse.agreement_figure import coefficient_dots, week_lines
from otherwords.analyse.agreement_pooled import pooled, remarks
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Cell, Column, Finding, Table
from otherwords.analyse.pace_people import called
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap
from otherwords.measures.agreement.two_by_two import CONSENSUS
from otherwords.measures.parallel import cores
from otherwords.measures.signature import signature
from otherwords.project.project import Project

MAIN = ("observed", "alpha-nominal", "alpha-ordinal", "fleiss", "cohen-mean")
WEEKLY = ("observed", "alpha-nominal")
AGAINST = ("accuracy", "cohen-consensus")
INTERVAL = (Column("low", "from", "number", 3), Column("high", "to", "number", 3))
ABOUT = (
    "How often people who judged the same said the same, and how much more often than by chance, each with a "
    f"{LEVEL} % bootstrap interval; each annotator against what the team agreed on (Kanerva et al. 2023, §6.1). "
    "A unit belongs to the week of its last judgement."
)


def agreement(project: Project, wishes: Wishes) -> Finding | None:
    """How far people agree: all together, each against the consensus, and over weeks."""
    with project.ledger.reading() as connection:
        sets, names = from_ledger(connection, Wish(), own_scheme(project)), called(connection)
    if not sets:
        return None
    _rename(sets, names)
    bootstrap = Bootstrap(wishes.replicates, wishes.seed, cores())
    report = agree(sets, Asking(bootstrap=bootstrap, project=project.folder, pictures=True))
    main = _main(report)
    tables = [*_together(main), *_against(report), *_by_week(report)]
    if not tables:
        return Finding("agreement", "Agreement", ABOUT, remarks=_remarks(report, main))
    told = signature("agreement", {"ci": f"percentile{LEVEL}", "bs": wishes.replicates, "seed": wishes.seed})
    return Finding(
        "agreement",
        "Agreement",
        ABOUT,
        tables,
        [*coefficient_dots(project.config.name, main), *week_lines(project.config.name, report.weeks)],
        remarks=_remarks(report, main),
        signatures={one.name: told for one in tables} | {f"{one.measure}, {one.labels}": one.signature for one in main},
    )


def _rename(sets: Sets, names: Mapping[str, str]) -> None:
    """Put what people are called in the place of their names."""
    for said in sets.values():
        said.names = {name and names[name]: place for name, place in said.names.items()}
        said.typed.judgements = [
            msgspec.structs.replace(one, annotator=names.get(one.annotator or "", CONSENSUS))
            for one in said.typed.judgements
        ]


def _main(report: Report) -> list[Figure]:
    """Of each measure the figure of most people, of types that of all: every two are left to ``otherwords agree``."""
    told: dict[tuple[str, str], Figure] = {}
    for one in report.figures:
        if one.measure.partition(":")[0] in MAIN and one.value is not None:
            known = told.get((one.measure, one.labels))
            if known is None or len(known.annotators) < len(one.annotators):
                told[one.measure, one.labels] = one
    return [*told.values(), *pooled(report.figures)]


def _together(figures: list[Figure]) -> list[Table]:
    columns = [
        Column("measure", "measure"),
        Column("labels", "labels"),
        Column("value", "value", "number", 3),
        *INTERVAL,
        Column("units", "units", "count"),
        Column("annotators", "annotators", "count"),
    ]
    rows: list[list[Cell]] = [
        [one.measure, one.labels, one.value, one.low, one.high, one.n, len(one.annotators)] for one in figures
    ]
    return [Table("agreement", "All annotators together", columns, rows)] if rows else []


def _against(report: Report) -> list[Table]:
    columns = [
        Column("annotator", "annotator"),
        Column("measure", "measure"),
        Column("labels", "labels"),
        Column("value", "value", "number", 3),
        *INTERVAL,
        Column("units", "units", "count"),
    ]
    rows: list[list[Cell]] = [
        [one.annotators[0], one.measure, one.labels, one.value, one.low, one.high, one.n]
        for one in report.figures
        if one.measure.partition(":")[0] in AGAINST and one.value is not None
    ]
    rows.sort(key=lambda row: (str(row[2]) != "full", str(row[2]), str(row[1]), str(row[0])))
    return [Table("consensus", "Each annotator against the consensus", columns, rows)] if rows else []


def _by_week(report: Report) -> list[Table]:
    columns = [
        Column("labels", "labels"),
        Column("week", "week"),
        Column("measure", "measure"),
        Column("value", "value", "number", 3),
        *INTERVAL,
        Column("units", "units", "count"),
    ]
    rows: list[list[Cell]] = [
        [title, week, one.measure.partition(":")[0], one.value, one.low, one.high, one.n]
        for title, weeks in report.weeks.items()
        for week, figures in weeks.items()
        for one in figures
        if one.measure.partition(":")[0] in WEEKLY and one.value is not None
    ]
    return [Table("agreement_by_week", "Agreement by week", columns, rows)] if rows else []


def _remarks(report: Report, main: list[Figure]) -> list[str]:
    """What was found odd, and why there is no agreement where there is none."""
    return list(dict.fromkeys([*report.remarks, *_missing(report.figures), *remarks(main)]))


def _missing(figures: list[Figure]) -> Iterator[str]:
    """Of each set of labels why nobody agrees in it, or else how many pairs of people never met."""
    sets: dict[tuple[str, str], list[Figure]] = {}
    for one in figures:
        if one.measure.startswith("observed"):
            sets.setdefault((one.measure, one.labels), []).append(one)
    for same in sets.values():
        most = max(same, key=lambda one: len(one.annotators))
        apart = [one for one in same if one.value is None and one is not most]
        if most.value is None and most.note:
            yield f"no agreement: {most.note}"
        elif apart:
            yield f"no agreement of {len(apart)} of {len(same) - 1} pairs of annotators: they judged nothing in common"
