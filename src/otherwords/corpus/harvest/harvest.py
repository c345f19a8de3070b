"""A harvest: the pairs of a region of the pool, with a precision that an annotated sample estimates.

The region is named by somebody, or chosen on a third of the sample for a wanted precision. Either way its precision is
estimated on the other two thirds, over exactly the pairs that are written: none of the sample, none with a sentence of
the project's test part, none of a stratum in which nobody judged a pair of the region.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from otherwords.acquire.batches import pair_blocks
from otherwords.corpus.harvest.annotated import AnnotatedSample
from otherwords.corpus.harvest.columns import (
    NEGATIVE,
    POSITIVE,
    PairStream,
    column_value,
    column_values,
    with_similarity,
)
from otherwords.corpus.harvest.survey import PoolSurvey, excluded, strata_of
from otherwords.errors import DataError, UsageError
from otherwords.mining.harvest.precision import Interval, RegionStratum, classical, prediction_powered
from otherwords.mining.harvest.region import Region, parse_region
from otherwords.mining.harvest.search import SIMILARITY, RegionChoice, Side, choose_region, region_paths
from otherwords.mining.harvest.strata import PoolDigest, stratum_edges, stratum_name
from otherwords.records import Pair
from otherwords.sources.reading import write_records

META = "harvest"
OUTSIDE = "it is outside the region"
UNSEEN = "nobody judged a pair of the region in its stratum"


class HarvestRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is harvested: a side, by a region or for a precision; ``confidence`` is a column of the model's."""

    side: Side
    region: str | None = None
    precision: float | None = None
    confidence: str | None = None

    @property
    def column(self) -> str:
        return self.confidence or (POSITIVE if self.side == "positive" else NEGATIVE)


class HarvestStratum(msgspec.Struct, frozen=True, kw_only=True):
    """A stratum of the harvest: its pairs, those judged for the estimate, and those of them that are right."""

    stratum: str
    pairs: int
    judged: int
    right: int


class HarvestSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What was harvested, how precise it is, and what was left out."""

    side: Side
    region: str
    pool: str
    by: str
    pairs: int  # of the pool
    harvested: int
    precision: Interval
    powered: Interval | None  # by the model as well
    judged: int  # pairs that the precision rests on
    wanted: float | None
    chosen: Interval | None  # the precision on the pairs that the region was chosen on, corrected for the search
    tried: int  # regions in the search
    strata: list[HarvestStratum]
    left_out: dict[str, int]
    notes: list[str]


def pool_digest(pairs: PairStream) -> str:
    """The digest of a pool, by which a sample of it is known."""
    digest = PoolDigest()
    for pair in pairs():
        digest.add(pair.id)
    return f"{digest}"


class Harvest:
    """A harvest that was decided on: its summary, and its pairs as often as they are asked for."""

    def __init__(self, pairs: PairStream, sample: AnnotatedSample, request: HarvestRequest) -> None:
        _check(request, sample)
        paths = [[parse_region(request.region)]] if request.region else region_paths(request.side, request.column)
        regions = [region for path in paths for region in path]
        confidence = request.column if request.precision is not None else _confidence(pairs, request)
        self._pairs, self._sample, self._side = pairs, sample, request.side
        survey = PoolSurvey(sample, regions, request.side, confidence)
        survey.run(pairs())
        choice: RegionChoice | None = None
        if request.precision is not None:
            choosing = [survey.strata(place, "choose") for place in range(len(regions))]
            choice = choose_region(paths, choosing, request.precision)
        place = 0 if choice is None else choice.place
        self.region: Region = regions[place]
        strata = survey.strata(place, "estimate")
        self._judged = np.array([stratum.annotated > 0 for stratum in strata])
        self.summary = self._summary(survey, strata, request, choice)

    def pairs(self) -> Iterator[Pair]:
        """The harvested pairs, each with its side as its label and the estimate in its meta."""
        summary, sample = self.summary, self._sample
        drawn = {pair.note.pair: pair for pair in sample.pairs}
        about = {
            "region": summary.region,
            "precision": round(summary.precision.estimate, 4),
            "low": round(summary.precision.low, 4),
            "high": round(summary.precision.high, 4),
            "pool": summary.pool,
        }
        columns = sorted(self.region.columns() | {SIMILARITY})
        for block in pair_blocks(with_similarity(self._pairs(), sample.by, sample.lang)):
            values = column_values(block, columns, sample.by)
            inside = self.region.inside(values) & self._judged[strata_of(values[SIMILARITY])]
            for row in np.flatnonzero(inside).tolist():
                pair = block[row]
                if excluded(pair, drawn, sample) is None:
                    yield msgspec.structs.replace(pair, label=self._side, meta=pair.meta | {META: about})

    def _summary(
        self, survey: PoolSurvey, strata: list[RegionStratum], request: HarvestRequest, choice: RegionChoice | None
    ) -> HarvestSummary:
        inside = sum(stratum.population for stratum in strata)
        harvested = sum(stratum.population for stratum in strata if stratum.annotated)
        outside = survey.pairs - survey.left_out.total() - inside
        left_out = Counter(survey.left_out) + Counter({OUTSIDE: outside, UNSEEN: inside - harvested})
        if not harvested:
            why = ", ".join(f"{count:,} × {reason}" for reason, count in left_out.most_common())
            message = f"nothing is harvested from {str(self.region)!r}: of {survey.pairs:,} pairs, {why}"
            raise DataError(message, code="nothing-harvested")
        notes = [f"{count:,} {reason}" for reason, count in self._sample.unused.items()]
        powered = prediction_powered(strata)
        if powered is None:
            notes.append("no model says how confident it is about all pairs of the region: one interval only")
        rows = [
            HarvestStratum(
                stratum=stratum_name(stratum_edges(place)[0]),
                pairs=stratum.population if stratum.annotated else 0,
                judged=stratum.annotated,
                right=sum(stratum.right),
            )
            for place, stratum in enumerate(strata)
        ]
        return HarvestSummary(
            side=request.side,
            region=f"{self.region}",
            pool=self._sample.pool,
            by=self._sample.by,
            pairs=survey.pairs,
            harvested=harvested,
            precision=classical(strata),
            powered=powered,
            judged=sum(stratum.annotated for stratum in strata if stratum.population),
            wanted=request.precision,
            chosen=None if choice is None else choice.precision,
            tried=0 if choice is None else choice.tried,
            strata=rows,
            left_out=dict(left_out.most_common()),
            notes=notes,
        )


def write_harvest(harvest: Harvest, out: str | Path) -> None:
    """Write the harvested pairs; the file appears when it is complete."""
    write_records(harvest.pairs(), out)


def _confidence(pairs: PairStream, request: HarvestRequest) -> str | None:
    """The column of the confidence, where it is named or the first pair has one."""
    first = next(pairs(), None)
    if request.confidence is None and (first is None or math.isnan(column_value(first, request.column, ""))):
        return None
    return request.column


def _check(request: HarvestRequest, sample: AnnotatedSample) -> None:
    if (request.region is None) == (request.precision is None):
        raise UsageError("name either a region or a wanted precision", code="region-or-precision")
    if request.precision is not None and not 0 < request.precision < 1:
        message = f"a precision of {request.precision:g} is not above 0 and below 1"
        raise UsageError(message, code="bad-precision")
    sides = {drawn.positive for drawn in sample.annotated}
    if not sides:
        message = "nobody has judged a pair of its sample; have the batch judged first"
        raise DataError(message, sample.place, code="sample-not-judged")
    if len(sides) == 1:
        verdict = "paraphrases" if True in sides else "no paraphrases"
        message = f"all {len(sample.annotated):,} judged pairs of its sample are {verdict}; judge more of them"
        raise DataError(message, sample.place, code="sample-of-one-side")
