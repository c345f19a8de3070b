"""Near and random candidates as steps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from otherwords.acquire.near import SIMILARITY, NearOptions, near_pairs, random_pairs, similarity_signature
from otherwords.project.pipeline.kind import Cost, StepContext, StepCounts, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Seed, Share
from otherwords.project.project import Project
from otherwords.steps.candidates.pool import (
    TEXTS_OF_PAIRS,
    PoolParameters,
    candidates_result,
    pair_table,
    pool,
    pool_facts,
)

Wanted = Annotated[int, msgspec.Meta(ge=1)]
AboveZero = Annotated[float, msgspec.Meta(gt=0, le=1)]


class _RangeParameters(PoolParameters, frozen=True, kw_only=True):
    """A range of word overlap, and where the two sentences must come from."""

    low: Share = 0.0
    high: Share = 1.0
    within: Literal["anywhere", "group", "document", "other-groups"] = "anywhere"
    most: Wanted = 100
    seed: Seed = 0

    def problem(self) -> str | None:
        return None if self.low <= self.high else f"a range from {self.low} to {self.high}: low is above high"


class NearParameters(_RangeParameters, frozen=True, kw_only=True):
    """Sentences that share many words; ``per_range`` of each range of word overlap, or ``most`` in all."""

    low: AboveZero = 0.5
    per_range: Count = 0


class RandomParameters(_RangeParameters, frozen=True, kw_only=True):
    """Any two sentences."""


def _facts(project: Project, parameters: _RangeParameters) -> StepFacts:
    facts = pool_facts(project, parameters)
    return StepFacts(facts.rows, {**facts.depends_on, SIMILARITY: similarity_signature(project.config.lang)})


def _run(context: StepContext[Any]) -> StepResult:
    chosen, lang = context.parameters, context.project.config.lang
    sentences = pool(context)
    near = isinstance(chosen, NearParameters)
    per_range = chosen.per_range if near else 0
    options = NearOptions(chosen.low, chosen.high, chosen.within, chosen.most, chosen.seed, per_range)
    result = (near_pairs if near else random_pairs)(sentences, options, lang)
    counts: StepCounts = {"looked at": result.seen, "dropped": dict(result.reasons)}
    if per_range:
        counts["ranges"] = result.ranges
    elif result.pairs and len(result.pairs) < chosen.most:
        counts["fewer than wanted"] = chosen.most - len(result.pairs)
    return candidates_result(context, len(sentences), result.pairs, pair_table(result.pairs, [SIMILARITY]), counts)


COST = Cost(rows_per_second=5000.0, megabytes_per_million_rows=3000.0)
NEAR = StepKind(
    name="acquire-near",
    version=1,
    parameters=NearParameters,
    facts=_facts,
    run=_run,
    cost=COST,
    derived=TEXTS_OF_PAIRS,
)
RANDOM = StepKind(
    name="acquire-random",
    version=1,
    parameters=RandomParameters,
    facts=_facts,
    run=_run,
    cost=COST,
    derived=TEXTS_OF_PAIRS,
)
