"""The table of parts of a project: for every row of its table of labels, in the same order, the part it is in.

``split`` is the step that writes it; its account (:func:`parts_summary`) is in the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow.parquet as pq
from sqlalchemy import desc, select

from otherwords.corpus.labelling import labels_table
from otherwords.corpus.split import Split, split_of
from otherwords.corpus.split_columns import of_labels
from otherwords.corpus.split_kept import kept, released_so_far
from otherwords.corpus.split_wishes import Wishes
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.recipe import Step
from otherwords.project.run import plan, run_step
from otherwords.project.work import WORKS, Progress, Result, Running, Work
from otherwords.sources.files import replacing

STEP = "split"
ACCOUNT = b"otherwords.split"
ROWS_A_GROUP = 20_000
COLUMNS = ("id", "part", "unit", "reason")


class Part(NamedTuple):
    """Where a pair is. ``part`` is None where it is in none, and ``reason`` says why."""

    id: str
    part: str | None
    unit: str | None
    reason: str | None


def parts_table(project: Project, *, progress: Progress | None = None, **wishes: Any) -> Path:
    """The table of parts as it is now. Wishes that are not given are those of the last split, or the usual ones."""
    parameters = SPLIT.checked({**last_wishes(project), **wishes})
    _wishes(parameters)  # what cannot be done is said before anything is labelled
    step = Step(_name(parameters), "split", parameters)
    with project.holding(wait=True):
        labels_table(project, simulated=parameters["simulated"])
        run_step(project, step, progress=progress)
        return project.tables / step.name / f"{plan(project, step).key}.parquet"


def read_parts(path: Path) -> Iterator[Part]:
    """All rows of a table, in the order of the table of labels."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_A_GROUP, columns=list(COLUMNS)):
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield Part(*cells)


def parts_summary(path: Path) -> dict[str, Any]:
    """How a split was made and what came of it: wishes, cut-offs (``cut_offs``), sizes, remarks; fit for JSON."""
    told: dict[str, Any] = msgspec.json.decode(pq.read_schema(path).metadata[ACCOUNT])
    return told


def write_parts(split: Split, path: Path) -> None:
    """Write the table of a split with its account, aside and then into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    account = {ACCOUNT: msgspec.json.encode(split.summary)}
    table = split.table.select(list(COLUMNS)).replace_schema_metadata(account)
    with replacing(path) as file:
        pq.write_table(table, file, row_group_size=ROWS_A_GROUP, compression="zstd")


def _name(parameters: dict[str, Any]) -> str:
    """One step for what people said and one with what was simulated, so that neither makes the other stale."""
    return f"{STEP}-simulated" if parameters["simulated"] else STEP


def last_wishes(project: Project) -> dict[str, Any]:
    """How the project was split the last time, as a split that is asked for nothing else will be."""
    steps = schema.steps
    done = select(steps.c.parameters).where(steps.c.does == STEP, steps.c.state == "done")
    with project.ledger.reading() as connection:
        told = connection.execute(done.order_by(desc(steps.c.seq)).limit(1)).scalar_one_or_none()
    wishes = SPLIT.checked({name: value for name, value in (told or {}).items() if name in SPLIT.parameters})
    return {name: value for name, value in wishes.items() if name != "simulated"}


def _wishes(parameters: dict[str, Any]) -> Wishes:
    told = {name: value for name, value in parameters.items() if name != "simulated"}
    return Wishes(**told | {"before": tuple(parameters["before"])})


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    label = WORKS.get("label")
    labels = plan(project, Step("label", "label", label.checked({"simulated": parameters["simulated"]})))
    with project.ledger.reading() as connection:
        return {"labels": labels.key, "released": released_so_far(connection), "rows": labels.rows}


def _split(running: Running) -> Result:
    labels = labels_table(running.project, simulated=running.parameters["simulated"])
    with running.project.ledger.reading() as connection:
        before = kept(connection)
    split = split_of(of_labels(labels), _wishes(running.parameters), before)
    write_parts(split, running.table)
    sizes = {one["part"]: one["pairs"] for one in split.summary["sizes"]}
    counts = (sizes if len(sizes) <= 3 else {"parts": len(sizes)}) | {"none": split.summary["none"]}
    return Result(rows_in=len(split.table), rows_out=split.summary["pairs"], counts=counts, table=running.table)


SPLIT = Work(
    name="split",
    version=1,
    parameters={**Wishes().as_dict(), "simulated": False},
    inputs=_inputs,
    run=_split,
    rows_a_second=100_000.0,
    megabytes_a_million_rows=700.0,
)
