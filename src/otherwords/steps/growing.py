"""The next version of a growing set as a step, for a recipe that is run every month."""

from __future__ import annotations

from sqlalchemy import func, select

from otherwords.acquire.filters.measured import MOST_BLEU
from otherwords.corpus.growing.grow import GrowOptions, grow
from otherwords.corpus.labels.step import label_step
from otherwords.corpus.leaks.find import NEAR
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.learn.predicting import identifier
from otherwords.learn.runs.run import open_run
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import (
    Cost,
    Input,
    PeopleWork,
    StepContext,
    StepCounts,
    StepFacts,
    StepKind,
    StepResult,
)
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import MODELS, Project


class GrowParameters(Parameters, frozen=True, kw_only=True):
    """What a version is called, under which licence; ``model`` is a classifier in the project's folder models."""

    version: str = ""
    licence: str = ""
    model: str = "features"
    date: str = ""
    near: float = NEAR
    bleu: float = MOST_BLEU


def _facts(project: Project, parameters: GrowParameters) -> StepFacts:
    """The pairs that came and the releases; a version that is there stays as it is."""
    with project.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.pairs.c.seq))).scalar() or 0
        releases = connection.execute(select(func.count()).select_from(schema.releases)).scalar_one()
    return StepFacts(last, {"pairs": last, "releases": releases})


def _grow(context: StepContext[GrowParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    run = open_run(project.folder / MODELS / chosen.model)
    options = GrowOptions(
        version=chosen.version,
        licence=chosen.licence,
        model=run.record.signature,
        date=chosen.date or None,
        near=chosen.near,
        most_bleu=chosen.bleu,
    )
    grown = grow(project, options, identifier(run), problems_before_release)
    tests = {} if grown.tests is None else {"releases with a test": grown.tests}
    counts: StepCounts = {"came": grown.came, "went": grown.went, **tests, "dropped": grown.dropped}
    return StepResult(grown.pairs + sum(grown.dropped.values()), grown.pairs, counts, output=grown.folder)


def _is_unnamed(project: Project, parameters: GrowParameters) -> PeopleWork | None:
    missing = {"version": "2026-01", "licence": "CC-BY-SA-4.0"}
    examples = [f"--set grow.{name}={usual}" for name, usual in missing.items() if not getattr(parameters, name)]
    if not examples:
        return None
    return PeopleWork("nobody has named the version or its licence", f"run the recipe again with {' '.join(examples)}")


GROW = StepKind(
    name="grow",
    version=1,
    parameters=GrowParameters,
    facts=_facts,
    inputs={"labels": Input(lambda project, parameters: label_step(project), in_key=False)},
    run=_grow,
    cost=Cost(rows_per_second=2000.0, disk_bytes_per_row=1000.0),
    waits=_is_unnamed,
)
