"""How good the paraphrases are that systems wrote in a project, for its report.

What people said about them is a page of its own (:mod:`otherwords.analyse.ratings.finding`).
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import desc, select

from otherwords.analyse.finding import Cell, Column, Finding, Table
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset, is_whole, open_dataset
from otherwords.project.project import open_project

MEASURED = "evaluate-generation"  # the kind of step
ABOUT = (
    "What systems wrote for sources that have references, with 95 % bootstrap intervals over sources (Dou et al. 2022, "
    "§4.2). The first rows say how far the references themselves are from their sources. A difference is that from the "
    "system to which a row is compared."
)
COLUMNS = (
    *(Column("system", "system"), Column("measure", "measure"), Column("n", "outputs", "count")),
    *(Column("value", "score", "number", 3), Column("low", "from", "number", 3), Column("high", "to", "number", 3)),
    *(Column("against", "compared to"), Column("difference_low", "difference from", "number", 3)),
    *(Column("difference_high", "difference to", "number", 3), Column("copies", "copies", "count")),
    *(Column("empty", "empty", "count"), Column("repeating", "loops", "count")),
)


def generation_finding(folder: Path) -> Finding | None:
    """The scores of the last evaluation of a project; None if it has none."""
    scores = _last_scores(folder)
    if scores is None:
        return None
    rows: list[list[Cell]] = [[row[column.name] for column in COLUMNS] for row in scores.table().to_pylist()]
    table = Table("generation", "What systems wrote", COLUMNS, rows)
    remarks, signatures = scores.summary["notes"], scores.summary["signatures"]
    return Finding("generation", "Generated paraphrases", ABOUT, [table], remarks=remarks, signatures=signatures)


def _last_scores(folder: Path) -> Dataset | None:
    """The dataset of the last evaluation; None if there is none."""
    steps = schema.steps
    done = (steps.c.kind == MEASURED, steps.c.state == "done", steps.c.output.is_not(None))
    with open_project(folder) as project, project.ledger.reading() as connection:
        last = select(steps.c.output).where(*done).order_by(desc(steps.c.seq)).limit(1)
        output = connection.execute(last).scalar_one_or_none()
    return open_dataset(folder / output) if output is not None and is_whole(folder / output) else None
