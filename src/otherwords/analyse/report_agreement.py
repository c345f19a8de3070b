"""Agreement on the judgements of a release, as a finding: of everybody together, and of each against the consensus.

A project has an analysis of its own for this. In a release people have pseudonyms already; figures of two out of many
are left to ``otherwords agree``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherwords.analyse.agree_files import measured
from otherwords.analyse.agreement_over_time import MAIN
from otherwords.analyse.agreement_pooled import pooled, remarks
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Column, Finding, Table
from otherwords.analyse.released_types import texts_of
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.two_by_two import CONSENSUS

NAME = "agreement"
FIGURES = (
    Column("measure", "measure"),
    Column("labels", "labels"),
    Column("value", "value", "number", 3),
    Column("low", "from", "number", 3),
    Column("high", "to", "number", 3),
    Column("units", "units", "count"),
)
ABOUT = (
    "How far people who judged the same pairs said the same, with the ends of a 95 % bootstrap interval over pairs. "
    "Only judgements that stand and that people made on their own are compared, and on types every two of them."
)


def agreement_in(judgements: Path, wishes: Wishes, release: Path, *, simulated: bool = False) -> Finding | None:
    """The agreement in a file of judgements of a release; None where there is none, or nothing can be computed."""
    if not judgements.is_file() or not judgements.stat().st_size:
        return None
    how: dict[str, Any] = {"seed": wishes.seed, "replicates": wishes.replicates, "texts": texts_of(release)}
    report = measured([judgements], simulated=simulated, **how)
    told = [one for one in report.figures if one.value is not None]
    together = [one for one in told if one.measure.partition(":")[0] in MAIN and _of_all(one, told)]
    together += pooled(told)
    against = [one for one in told if CONSENSUS in one.annotators]
    tables = [*_together(together), *_against(against)]
    signatures = {f"{one.measure}, {one.labels} labels": one.signature for one in together}
    return (
        Finding(NAME, "Agreement", ABOUT, tables, (), (), [*report.remarks, *remarks(together)], signatures)
        if tables
        else None
    )


def _of_all(figure: Figure, figures: list[Figure]) -> bool:
    """Whether a figure is of everybody: of two among many there are too many for a page."""
    people = {name for one in figures for name in one.annotators} - {CONSENSUS}
    return CONSENSUS not in figure.annotators and (len(people) == 2 or len(figure.annotators) > 2)


def _together(figures: list[Figure]) -> list[Table]:
    columns = (*FIGURES, Column("annotators", "annotators", "count"))
    rows = [(one.measure, one.labels, one.value, one.low, one.high, one.n, len(one.annotators)) for one in figures]
    return [Table(NAME, "All annotators together", columns, list(dict.fromkeys(rows)))] if rows else []


def _against(figures: list[Figure]) -> list[Table]:
    rows = [
        (name, one.measure, one.labels, one.value, one.low, one.high, one.n)
        for one in figures
        for name in one.annotators
        if name != CONSENSUS
    ]
    rows.sort(key=lambda row: (row[2], row[1], row[0]))
    columns = (Column("annotator", "annotator"), *FIGURES)
    return [Table("consensus", "Each annotator against the consensus", columns, rows)] if rows else []
