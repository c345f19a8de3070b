"""Filters and balanced samples as steps: which of the candidates that nobody has judged people get to see."""

from __future__ import annotations

from typing import Annotated

import msgspec
from sqlalchemy import Connection, func, select

from otherwords.acquire.filters import DEFAULT_RULES
from otherwords.acquire.sampling import SamplePlan, parse_ranges
from otherwords.annotate.candidates import filter_candidates, sample_candidates, unjudged_pairs
from otherwords.corpus.harvest.draw import has_batch, sample_batch
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import Cost, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.project import Project
from otherwords.steps.batches import AUTHOR

Number = Annotated[int, msgspec.Meta(ge=1)]
NOTHING = {"nothing to choose from": True}


class FilterParameters(Parameters, frozen=True, kw_only=True):
    """Rules as ``otherwords filter`` spells them; by default the usual ones, which need no model."""

    rules: tuple[str, ...] = DEFAULT_RULES


class SampleParameters(Parameters, frozen=True, kw_only=True):
    """So many pairs of each range of a measure, in a batch that is called like the step.

    ``bins`` is a number of ranges or their edges between commas; no group gives more than ``cap_per_group`` pairs, 0
    being as many as it has.
    """

    by: str = "jaccard"
    bins: str = "10"
    per_bin: Number = 50
    cap_per_group: Count = 0
    asked: Number = 1
    scheme: str = ""
    seed: Seed = 0

    def plan(self) -> SamplePlan:
        ranges = parse_ranges(self.bins, self.by)
        return SamplePlan(self.by, ranges, self.per_bin, None, self.cap_per_group or None, self.seed)


def _pairs_so_far(project: Project, parameters: FilterParameters) -> StepFacts:
    """Which pairs have come so far; whoever judges them later changes nothing."""
    with project.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.pairs.c.seq))).scalar() or 0
    return StepFacts(last, {"pairs": last})


def _is_empty(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return next(unjudged_pairs(connection), None) is None


def _filter(context: StepContext[FilterParameters]) -> StepResult:
    if _is_empty(context.project):
        return StepResult(counts=NOTHING)
    done = filter_candidates(context.project, context.parameters.rules)
    reasons = {row.reason: row.first for row in done.counts.reasons if row.first}
    return StepResult(done.counts.pairs, done.counts.kept, {"dropped": reasons})


def _sample(context: StepContext[SampleParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    if _is_empty(project):
        return StepResult(counts=NOTHING)
    table, ids = sample_candidates(project, chosen.plan())

    def record(connection: Connection) -> None:
        if ids and not has_batch(connection, context.name):
            seed, times, scheme = chosen.seed, chosen.asked, chosen.scheme or None
            sample_batch(connection, project, context.name, ids, seed=seed, times=times, scheme=scheme, author=AUTHOR)

    short = {row.range: reason for row in table.ranges if (reason := row.reason(table.classes))}
    return StepResult(table.pairs, len(ids), {"fewer than wanted": short} if short else {}, record=record)


FILTER = StepKind(
    name="filter",
    version=1,
    parameters=FilterParameters,
    facts=_pairs_so_far,
    run=_filter,
    cost=Cost(rows_per_second=5000.0),
)
SAMPLE = StepKind(name="sample", version=1, parameters=SampleParameters, run=_sample, cost=Cost(rows_per_second=5000.0))
