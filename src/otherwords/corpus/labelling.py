"""Labels: what the standing judgements of a project make of each pair, as a table.

A consensus is the label; without one it is what the rule of the scheme makes of what people said on their own. Where
they differ and nobody has decided, the pair stays open and has none. Answers given in training, in checks and to
hidden tests, and simulated ones, never become a label by themselves. The table is a step of the project: it is made
anew only where something was said since, or the scheme changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, desc, func, select

from otherwords.corpus.labelled import Columns, write_columns
from otherwords.corpus.labelling_counts import Counts
from otherwords.corpus.labelling_outcomes import Making
from otherwords.corpus.labelling_rows import labelled_blocks
from otherwords.corpus.views import scheme_in
from otherwords.errors import ProjectError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.recipe import Step
from otherwords.project.run import run_step
from otherwords.project.simulated import is_simulated
from otherwords.project.work import Progress, Result, Running, Work

STEP = "label"


def labels_table(
    project: Project, *, simulated: bool = False, scheme: str | None = None, progress: Progress | None = None
) -> Path:
    """The table of all labels as they are now."""
    step = _step(project, simulated, scheme)
    with project.holding(wait=True):
        planned, _ = run_step(project, step, progress=progress)
    return project.tables / step.name / f"{planned.key}.parquet"


def label(
    project: Project, *, simulated: bool = False, scheme: str | None = None, progress: Progress | None = None
) -> tuple[Path, dict[str, Any]]:
    """The table of all labels and what is to be counted in it; a project without any is told what to do."""
    table = labels_table(project, simulated=simulated, scheme=scheme, progress=progress)
    told = _counts(project, _step(project, simulated, scheme))
    if not told["states"].get("labelled"):
        raise ProjectError(f"{project.folder}: {_what_to_do(project.folder, told)}")
    return table, told


def _step(project: Project, simulated: bool, scheme: str | None) -> Step:
    """One step for each scheme, and one with what was simulated, so that none makes another stale."""
    other = scheme if scheme != project.config.scheme else None
    name = "-".join([STEP, *([other] if other else []), *(["simulated"] if simulated else [])])
    return Step(name, STEP, LABEL.checked({"simulated": simulated, "scheme": other or ""}))


def _counts(project: Project, step: Step) -> dict[str, Any]:
    done = schema.steps
    mine = (done.c.name == step.name, done.c.state == "done")
    with project.ledger.reading() as connection:
        row = connection.execute(select(done.c.counts).where(*mine).order_by(desc(done.c.seq)).limit(1)).scalar_one()
    return dict(row)


def _what_to_do(folder: Path, told: dict[str, Any]) -> str:
    if not told["pairs"]:
        return f"there are no pairs; bring some with: otherwords import {folder} pairs PATH"
    if told["states"].get("unjudged") == told["pairs"]:
        return (
            f"nobody has judged any of the {told['pairs']:,} pairs in a way that makes a label of the scheme "
            f"{told['scheme']}; make a batch (otherwords batch new {folder} NAME) and have it judged "
            f"(otherwords serve {folder}), or bring judgements with: otherwords import {folder} judgements PATH"
        )
    why = "; ".join(f"{count:,} × {reason}" for reason, count in told["reasons"].items())
    how = f"of imported judgements make a batch first: otherwords batch imported {folder} NAME"
    return f"no pair has a label ({why}); where people differ, decide on the page Adjudicate ({how})"


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """How much was said, and how many pairs there are; both only grow, but for what is removed or withdrawn."""
    counted = (schema.judgements, schema.pairs, schema.tombstones, schema.batches)
    with project.ledger.reading() as connection:
        told = {table.name: _how_much(connection, table) for table in counted}
        removed = connection.execute(select(func.count(schema.pairs.c.state))).scalar_one()
        made_up = {"made_up": True} if is_simulated(connection) else {}
    scheme = scheme_in(project, parameters["scheme"])
    digest = hashlib.sha256(msgspec.json.encode(scheme.as_page(), order="sorted")).hexdigest()
    return {**told, "removed": removed, "scheme": digest, "rows": told["pairs"][0], **made_up}


def _how_much(connection: Connection, table: Table) -> list[int]:
    """The rows of a table and the last of their numbers; asked for together, SQLite would not use its indexes."""
    rows = connection.execute(select(func.count()).select_from(table)).scalar_one()
    return [rows, connection.execute(select(func.max(table.c.seq))).scalar() or 0]


def _label(running: Running) -> Result:
    wanted, simulated = running.parameters["scheme"], running.parameters["simulated"]
    scheme = scheme_in(running.project, wanted)
    counts = Counts(scheme.name)
    with running.project.ledger.reading() as connection:
        total = connection.execute(select(func.count()).select_from(schema.pairs)).scalar_one()
        by = Making(connection, scheme, own=not wanted, simulated=simulated)

        def counted() -> Iterator[Columns]:
            for block in labelled_blocks(connection, by):
                counts.add(block.outcomes)
                running.progress(counts.pairs, total)
                yield block.columns

        write_columns(counted(), running.table)
    told = counts.as_dict()
    return Result(counts.pairs, told["states"].get("labelled", 0), told, running.table)


LABEL = Work(
    name="label",
    version=2,
    parameters={"simulated": False, "scheme": ""},
    inputs=_inputs,
    run=_label,
    rows_a_second=20_000.0,
    megabytes_a_million_rows=0.0,
)
