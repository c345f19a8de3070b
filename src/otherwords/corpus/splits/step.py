"""The parts of a project: for every row of its labels, in the same order, the part it is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import desc, func, select

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.columns import columns_of_labels
from otherwords.corpus.splits.options import DEFAULT_PARTS, SplitOptions
from otherwords.corpus.splits.split import read_released_parts, split_corpus
from otherwords.engine import Progress
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import Cost, Input, Step, StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Parameters, Seed
from otherwords.project.pipeline.run import output_of
from otherwords.project.project import Project

COLUMNS = ("id", "part", "unit", "reason")


class PairPart(NamedTuple):
    """Where a pair is. ``part`` is None where it is in none, and ``reason`` says why."""

    id: str
    part: str | None
    unit: str | None
    reason: str | None


class SplitParameters(Parameters, frozen=True, kw_only=True):
    """How a project is split, as :class:`~otherwords.corpus.splits.options.SplitOptions` has it."""

    by: str | None = None
    components: bool = False
    parts: str = DEFAULT_PARTS
    folds: int = 0
    seed: Seed = 0
    before: tuple[str, ...] = ()
    simulated: bool = False
    models: bool = False
    scheme: str = ""  # whose labels are split; that of the project

    def options(self) -> SplitOptions:
        return SplitOptions(self.by, self.components, self.parts, self.folds, self.seed, self.before)


def parts_table(project: Project, *, progress: Progress | None = None, **options: Any) -> Dataset:
    """The parts as they are now. Options that are not given are those of the last split, or the defaults."""
    return output_of(project, split_step(project, **options), progress=progress)


def split_step(project: Project, **options: Any) -> Step:
    """One step for each scheme, and for each kind of judgement that counts, so that none makes another stale."""
    step = make_step(SPLIT, **{**last_split(project), **options})
    assert isinstance(step.parameters, SplitParameters)
    step.parameters.options()  # what cannot be done is an error before anything is labelled
    other = [step.parameters.scheme] if step.parameters.scheme else []
    counted = [kind for kind in ("simulated", "models") if getattr(step.parameters, kind)]
    return Step("-".join([SPLIT.name, *other, *counted]), SPLIT, step.parameters)


def read_parts(parts: Dataset) -> Iterator[PairPart]:
    """All rows, in the order of the labels."""
    for batch in parts.batches(COLUMNS):
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield PairPart(*cells)


def last_split(project: Project) -> dict[str, object]:
    """How the project was split the last time, as a split without options will be."""
    steps = schema.steps
    done = select(steps.c.parameters).where(steps.c.kind == SPLIT.name, steps.c.state == "done")
    with project.ledger.reading() as connection:
        values = connection.execute(done.order_by(desc(steps.c.seq)).limit(1)).scalar_one_or_none() or {}
    known = SPLIT.decode({name: value for name, value in values.items() if name in SplitParameters.__struct_fields__})
    return {name: getattr(known, name) for name in SplitOptions.__slots__}


def _facts(project: Project, parameters: SplitParameters) -> StepFacts:
    """How much has been released: numbers that change with every release."""
    releases, released = schema.releases, schema.released_pairs
    with project.ledger.reading() as connection:
        count, last = connection.execute(select(func.count(), func.max(releases.c.time)).select_from(releases)).one()
        pairs = connection.execute(select(func.count()).select_from(released)).scalar_one()
    return StepFacts(0, {"released": [count, last, pairs]})


def _split(context: StepContext[SplitParameters]) -> StepResult:
    with context.project.ledger.reading() as connection:
        released = read_released_parts(connection)
    split = split_corpus(columns_of_labels(context.inputs["labels"]), context.parameters.options(), released)
    summary, table = split.summary, split.table.select(list(COLUMNS)).replace_schema_metadata(None)
    sizes = {row["part"]: row["pairs"] for row in summary["sizes"]}
    counts = (sizes if len(sizes) <= 3 else {"parts": len(sizes)}) | {"none": summary["none"]}
    output = context.write(table.schema, [table], lambda: summary)
    return StepResult(len(table), summary["pairs"], counts, output)


SPLIT = StepKind(
    name="split",
    version=2,
    parameters=SplitParameters,
    facts=_facts,
    inputs={
        "labels": Input(
            lambda project, chosen: label_step(
                project, simulated=chosen.simulated, models=chosen.models, scheme=chosen.scheme or None
            )
        )
    },
    run=_split,
    cost=Cost(rows_per_second=100_000.0, megabytes_per_million_rows=700.0),
)
