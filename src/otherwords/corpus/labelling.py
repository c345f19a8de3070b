"""Labels: what the standing judgements of a project make of each pair, as a table.

A consensus is the label; without one it is what the rule of the scheme makes of what people said on their own. Where
they differ and nobody has decided, the pair stays open and has none. Answers given in training, in checks and to
hidden tests, and simulated ones, never become a label by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.pair_labels import Standing, labels_of
from otherwords.corpus.labelled import Labelled, write_table
from otherwords.corpus.polarity import polarity
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.recipe import Step
from otherwords.project.rows import records
from otherwords.project.run import plan, run_step
from otherwords.project.work import Result, Running, Work

PAIRS_AT_A_TIME = 2000
STEP = "label"


def labels_table(project: Project, *, simulated: bool = False) -> Path:
    """The table of all labels as they are now; it is made anew only where something was said since."""
    step = Step(STEP, "label", LABEL.checked({"simulated": simulated}))
    with project.holding(wait=True):
        run_step(project, step)
        return project.tables / STEP / f"{plan(project, step).key}.parquet"


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """How much was said, and how many pairs there are; both only grow, but for what is withdrawn."""
    with project.ledger.reading() as connection:
        told = {
            table.name: connection.execute(select(func.count(), func.max(table.c.seq)).select_from(table)).one()
            for table in (schema.judgements, schema.pairs, schema.tombstones)
        }
    return {name: list(row) for name, row in told.items()} | {"rows": told["pairs"][0]}


def _label(running: Running) -> Result:
    states: Counter[str] = Counter()

    def counted(rows: Iterator[Labelled]) -> Iterator[Labelled]:
        for row in rows:
            states[row.state] += 1
            yield row

    count = write_table(counted(_rows(running)), running.table)
    return Result(rows_in=count, rows_out=states["labelled"], counts=dict(states), table=running.table)


def _rows(running: Running) -> Iterator[Labelled]:
    """A first, plain form: what everybody said alike, or a consensus."""
    with running.project.ledger.reading() as connection:
        block: list[Labelled] = []
        for row in records(connection, Labelled, *others(EVERYTHING)):
            block.append(row)
            if len(block) == PAIRS_AT_A_TIME:
                yield from _labelled(connection, running, block)
                block = []
        yield from _labelled(connection, running, block)


def _labelled(connection: Any, running: Running, block: list[Labelled]) -> Iterator[Labelled]:
    import msgspec

    found = labels_of(connection, [row.id for row in block], running.project.config.scheme)
    says = polarity([one.label for one in found.values() if one.label])
    for row in block:
        standing: Standing = found[row.id]
        state = "labelled" if standing.label else "open" if standing.open else "unjudged"
        yield msgspec.structs.replace(row, label=standing.label, positive=says(standing.label), state=state)


LABEL = Work(
    name="label",
    version=1,
    parameters={"simulated": False},
    inputs=_inputs,
    run=_label,
    rows_a_second=20_000.0,
    megabytes_a_million_rows=200.0,
)
