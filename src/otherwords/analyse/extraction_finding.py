"""How much people found in each text source: Table 1 of Kanerva et al. 2023 as a finding."""

from __future__ import annotations

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.extraction import extraction_table
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.order import UNLABELLED
from otherwords.analyse.share_bars import Panel, bars_beside
from otherwords.measures.signature import signature
from otherwords.project.project import Project

COLUMNS = (
    Column("source", "source"),
    Column("documents", "document pairs", "count"),
    Column("empty", "empty", "share"),
    Column("yield", "yield", "number"),
    Column("coverage", "coverage", "share"),
    Column("length", "length", "number", 0),
)
ABOUT = (
    "Document pairs that yielded something and the share of those that did not; of the former, pairs found in each, "
    "the share of alphanumeric characters that was selected, and the mean length of a document in such characters "
    "(Kanerva et al. 2023, Table 1)."
)


def extraction(project: Project, wishes: Wishes) -> Finding | None:
    """What people extracted from each text source (Kanerva et al. 2023, Table 1)."""
    with project.ledger.reading() as connection:
        found = extraction_table(connection)
    if not found:
        return None
    rows: list[list[Cell]] = [
        [one.source or UNLABELLED, one.documents, one.empty / 100, one.mean_yield, _part(one.coverage), one.length]
        for one in found
    ]
    table = Table("extraction", "Extraction by source", COLUMNS, rows)
    told = signature("extraction", {"characters": "alphanumeric", "overlaps": "once", "subtitles": "first-round"})
    return Finding(
        "extraction",
        "Extraction",
        ABOUT,
        [table],
        [_figure(project.config.name, table)],
        signatures={table.name: told},
    )


def _figure(corpus: str, table: Table) -> Figure:
    title = f"{corpus}: what was found in each source"
    forms = {"yield": ".1f", "coverage": ".1%", "empty": ".1%"}
    rows = table.as_dicts()
    panels = [
        Panel([(str(row["source"]), float(value)) for row in rows if (value := row[name]) is not None], name, form)
        for name, form in forms.items()
    ]
    return Figure("extraction", title, bars_beside(title, panels))


def _part(per_cent: float | None) -> float | None:
    return None if per_cent is None else per_cent / 100
