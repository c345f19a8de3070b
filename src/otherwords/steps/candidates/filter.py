"""Filters as a step: what a rule rejects among the candidates that nobody has judged is left out of the corpus."""

from __future__ import annotations

from sqlalchemy import func, select

from otherwords.acquire.filters import DEFAULT_RULES
from otherwords.annotate.candidates import filter_candidates, unjudged_pairs
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import Cost, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import Project


class FilterParameters(Parameters, frozen=True, kw_only=True):
    """Rules as ``otherwords filter`` spells them; by default the usual ones, which need no model."""

    rules: tuple[str, ...] = DEFAULT_RULES


def _facts(project: Project, parameters: FilterParameters) -> StepFacts:
    """Which pairs have come so far; whoever judges them later changes nothing."""
    with project.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.pairs.c.seq))).scalar() or 0
    return StepFacts(last, {"pairs": last})


def _filter(context: StepContext[FilterParameters]) -> StepResult:
    project = context.project
    with project.ledger.reading() as connection:
        if next(unjudged_pairs(connection), None) is None:
            return StepResult(counts={"nothing to filter": 1})
    done = filter_candidates(project, context.parameters.rules)
    reasons = {row.reason: row.first for row in done.counts.reasons if row.first}
    return StepResult(done.counts.pairs, done.counts.kept, {"dropped": reasons})


FILTER = StepKind(
    name="filter",
    version=1,
    parameters=FilterParameters,
    facts=_facts,
    run=_filter,
    cost=Cost(rows_per_second=5000.0),
)
