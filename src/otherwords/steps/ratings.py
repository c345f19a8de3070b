"""Human evaluation as steps: a batch of what systems wrote, and what people said about it (Dou et al. 2022, §4.3).

People see no system. Outputs are pairs of their batch alone, which no label, split or release knows of; whoever
withdraws a text withdraws what systems made of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Annotated

import msgspec
from sqlalchemy import func, select

from otherwords.analyse.ratings.finding import RatingOptions, rating_report, write_page
from otherwords.annotate.batch_plans.outputs import Ask, SystemOutput, create_from_outputs
from otherwords.learn.generation.evaluate import chosen_metrics
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import Cost, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.project import Project
from otherwords.steps.batches import batch_size
from otherwords.steps.generators import REFERENCES, RESAMPLES, WRITTEN, known_references
from otherwords.steps.report_and_release import replace_page


class OutputsParameters(Parameters, frozen=True, kw_only=True):
    """What people are asked about outputs, and how many of them; 0 judgements are those of the paper.

    ``sample`` is the number of sources, 0 being all.
    """

    ask: Ask = "ratings"
    asked: Count = 0
    sample: Count = 0
    seed: Seed = 0


def _make(context: StepContext[OutputsParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    outputs = list(_outputs(context.inputs["outputs"], project.config.lang))
    with project.ledger.writing() as connection:
        if (size := batch_size(connection, context.name)) is not None:
            return StepResult(rows_out=size)
        batch = create_from_outputs(
            connection,
            project,
            context.name,
            outputs,
            ask=chosen.ask,
            times=chosen.asked or None,
            sample=chosen.sample or None,
            seed=chosen.seed,
        )
    counts = {
        "systems": len(batch.systems),
        "sources": batch.sources,
        "judgements asked for": batch.items * batch.batch.asked,
        "dropped": dict(batch.left_out),
    }
    return StepResult(len(outputs), batch.items, counts)


def _outputs(dataset: Dataset, lang: str | None) -> Iterator[SystemOutput]:
    for row in dataset.table().to_pylist():
        origin = {"document": row["document"], "pair": row["pair"]}
        yield SystemOutput(row["system"], row["source"], row["output"], lang, **origin)


class RatingsParameters(Parameters, frozen=True, kw_only=True):
    """The batches by name, the measures that are compared with people, and the folder of the page."""

    batches: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("bleu", "self-bleu", "pinc")
    encoder: str = ""
    out: str = "ratings"
    resamples: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = RESAMPLES
    seed: Seed = 0

    def problem(self) -> str | None:
        return None if self.batches else "name the batches of outputs: batches = [...]"


def _facts(project: Project, chosen: RatingsParameters) -> StepFacts:
    """What was said in these batches."""
    judgements = schema.judgements
    counted = select(func.count(), func.max(judgements.c.seq)).where(judgements.c.batch.in_(chosen.batches))
    with project.ledger.reading() as connection:
        count, last = connection.execute(counted).one()
    return StepFacts(count, {"judgements": [count, last or 0]})


def _evaluate(context: StepContext[RatingsParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    lang, references = project.config.lang, known_references(context.inputs["references"])
    metrics = chosen_metrics(chosen.metrics, lang, chosen.encoder or None)[0] if chosen.metrics else []
    settings = RatingOptions(metrics, references, lang, Bootstrap(chosen.resamples, chosen.seed))
    with project.ledger.reading() as connection:
        report = rating_report(connection, project, chosen.batches, settings)
    target = project.folder / chosen.out
    new = target.with_name(f".{target.name}.new")
    shutil.rmtree(new, ignore_errors=True)  # of a run that was killed
    written = write_page(report, new, f"{project.config.name}: what people say about systems")
    replace_page(target, new, context.name)
    counts = {fact.noun: fact.value for fact in report.facts}
    counts |= {"tables": str(written.tables), "figures": str(written.figures)}
    return StepResult(context.inputs["references"].rows, len(report.findings), counts, output=target)


OUTPUTS = StepKind(
    name="outputs",
    version=1,
    parameters=OutputsParameters,
    inputs={"outputs": WRITTEN},
    run=_make,
)
EVALUATE_RATINGS = StepKind(
    name="evaluate-ratings",
    version=1,
    parameters=RatingsParameters,
    inputs={"references": REFERENCES},
    facts=_facts,
    run=_evaluate,
    cost=Cost(rows_per_second=50.0),
)
