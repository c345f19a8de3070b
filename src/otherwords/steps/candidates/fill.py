"""Near sentences for the ranges of word overlap in which people found too few negatives (Suzuki et al. 2017, §4.2).

Each range gets as many candidates as it has more positives than negatives. The paper took such pairs for negatives;
here people judge them like all others.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from otherwords.acquire.near import NEAR, SIMILARITY, NearOptions, near_pairs, similarity_signature
from otherwords.acquire.translations import RANGES
from otherwords.corpus.labels.step import label_step
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.measures import measure
from otherwords.measures.bins import bin_scores, range_names
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepCounts, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Seed
from otherwords.project.project import Project
from otherwords.project.simulated import is_simulated
from otherwords.steps.candidates.pool import (
    TEXTS_OF_PAIRS,
    PoolParameters,
    candidates_result,
    pair_table,
    pool,
    pool_facts,
)


class FillParameters(PoolParameters, frozen=True, kw_only=True):
    """``source`` names the sentences, ``low`` the overlap from which on ranges are filled."""

    low: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.7  # Suzuki et al. 2017, Table 1
    seed: Seed = 0


def missing_negatives(labelled: list[LabelledPair], lang: str | None) -> list[dict[str, int]]:
    """For each of the eleven ranges, its positives, its negatives, and how many more positives there are.

    Pairs that are near because a step looked for such do not count: they are the answer.
    """
    known = [pair for pair in labelled if pair.positive is not None and pair.method != NEAR]
    places = bin_scores(
        measure(SIMILARITY, lang=lang), [pair.text1 for pair in known], [pair.text2 for pair in known], RANGES
    )
    ranges = [{"positives": 0, "negatives": 0} for _ in range_names(RANGES)]
    for pair, place in zip(known, places.tolist(), strict=True):
        ranges[place]["positives" if pair.positive else "negatives"] += 1
    return [row | {"wanted": max(0, row["positives"] - row["negatives"])} for row in ranges]


def _facts(project: Project, parameters: FillParameters) -> StepFacts:
    facts = pool_facts(project, parameters)
    return StepFacts(facts.rows, {**facts.depends_on, SIMILARITY: similarity_signature(project.config.lang)})


def _fill(context: StepContext[FillParameters]) -> StepResult:
    chosen, lang = context.parameters, context.project.config.lang
    if not pool_facts(context.project, chosen).rows:
        return StepResult(counts={f"no sentences of source {chosen.source} to fill ranges with": True})
    labelled = [pair for pair in read_table(context.inputs["labels"]) if pair.state == "labelled"]
    ranges = missing_negatives(labelled, lang)
    first = round(RANGES * chosen.low)
    wanted = tuple(row["wanted"] if place >= first else 0 for place, row in enumerate(ranges))
    sentences = pool(context)
    if not any(wanted):
        return StepResult(len(sentences), 0, {"no range lacks negatives": True})
    result = near_pairs(sentences, NearOptions(chosen.low, seed=chosen.seed, by_range=wanted), lang)
    found = zip(range_names(RANGES), ranges, result.ranges.values(), strict=True)
    counts: StepCounts = {
        "ranges": {name: {**row, **near} for name, row, near in found},
        "dropped": dict(result.reasons),
    }
    return candidates_result(context, len(sentences), result.pairs, pair_table(result.pairs, [SIMILARITY]), counts)


def _labels(project: Project) -> Any:
    with project.ledger.reading() as connection:
        return label_step(project, simulated=is_simulated(connection))


FILL = StepKind(
    name="fill-ranges",
    version=1,
    parameters=FillParameters,
    facts=_facts,
    # What people say about the pairs that it finds makes new labels, and no new pairs.
    inputs={"labels": Input(lambda project, parameters: _labels(project), in_key=False)},
    run=_fill,
    cost=Cost(rows_per_second=5000.0, megabytes_per_million_rows=3000.0),
    derived=TEXTS_OF_PAIRS,
)
