"""One pass over a pool: how many pairs each region has in each stratum, and what is known of the annotated ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from otherwords.acquire.batches import pair_blocks
from otherwords.corpus.harvest.annotated import AnnotatedSample, SamplePair, sentence_digests
from otherwords.corpus.harvest.columns import column_values, known_columns, with_similarity
from otherwords.errors import UsageError
from otherwords.measures.bins import bin_of_score
from otherwords.mining.harvest.precision import RegionStratum
from otherwords.mining.harvest.region import Region
from otherwords.mining.harvest.search import SIMILARITY, Side
from otherwords.mining.harvest.strata import STRATA, SamplePart
from otherwords.records import Pair

IN_SAMPLE = "it is in the sample that people judge"
IN_TEST = "it has a sentence of the test part"
Counts = npt.NDArray[np.int64]
Sums = npt.NDArray[np.float64]


def strata_of(similarity: npt.NDArray[np.float64]) -> Counts:
    """The number of the stratum of every pair."""
    return np.minimum(bin_of_score(similarity, STRATA), STRATA - 1)


@dataclass
class PoolSurvey:
    """What a pass over the pool finds about some regions; a row for each, a column for each stratum."""

    sample: AnnotatedSample
    regions: Sequence[Region]
    side: Side
    confidence: str | None  # the column that a model's confidence is in
    pairs: int = 0
    left_out: Counter[str] = field(default_factory=Counter)  # before anything is asked about regions
    missing: Counter[str] = field(default_factory=Counter)  # pairs without a value, by column

    def __post_init__(self) -> None:
        shape = len(self.regions), STRATA
        self.populations: Counts = np.zeros(shape, np.int64)
        self._confidence: Sums = np.zeros(shape)
        self._drawn = {drawn.note.pair: drawn for drawn in self.sample.pairs}
        self._found: dict[str, tuple[npt.NDArray[np.bool_], float]] = {}
        self._known: list[str] = []
        named = set().union({SIMILARITY}, *(region.columns() for region in self.regions))
        self.columns = sorted(named | ({self.confidence} if self.confidence else set()))

    def run(self, pairs: Iterable[Pair]) -> None:
        """Go through the pool."""
        for block in pair_blocks(with_similarity(pairs, self.sample.by, self.sample.lang)):
            self._add(block)
        self._refuse_unknown()

    def strata(self, place: int, part: SamplePart) -> list[RegionStratum]:
        """The strata of a region, with the annotated pairs of one part of the sample."""
        right: list[list[bool]] = [[] for _ in range(STRATA)]
        confidence: list[list[float]] = [[] for _ in range(STRATA)]
        for drawn in self.sample.annotated:
            inside, value = self._found.get(drawn.note.pair, (None, math.nan))
            if drawn.note.part == part and inside is not None and inside[place]:
                right[drawn.note.place].append(is_right(drawn, self.side))
                confidence[drawn.note.place].append(value)
        sizes = self.populations[place]
        means = np.divide(self._confidence[place], sizes, out=np.full(STRATA, math.nan), where=sizes > 0)
        return [
            RegionStratum(int(sizes[stratum]), right[stratum], confidence[stratum], float(means[stratum]))
            for stratum in range(STRATA)
        ]

    def _add(self, block: Sequence[Pair]) -> None:
        self.pairs += len(block)
        columns = column_values(block, self.columns, self.sample.by)
        if not self._known:
            self._known = known_columns(block[0])
        for name, values in columns.items():
            self.missing[name] += int(np.isnan(values).sum())
        inside = np.array([region.inside(columns) for region in self.regions])
        free = np.ones(len(block), np.bool_)
        for row, pair in enumerate(block):
            if pair.id in self._drawn:
                value = columns[self.confidence][row] if self.confidence else math.nan
                self._found[pair.id] = inside[:, row], float(value)
            if (reason := excluded(pair, self._drawn, self.sample)) is not None:
                self.left_out[reason] += 1
                free[row] = False
        places = strata_of(columns[SIMILARITY])
        values = columns[self.confidence] if self.confidence else np.zeros(len(block))
        for number, mask in enumerate(inside & free):
            self.populations[number] += np.bincount(places[mask], minlength=STRATA)
            self._confidence[number] += np.bincount(places[mask], weights=values[mask], minlength=STRATA)

    def _refuse_unknown(self) -> None:
        for name in self.columns:
            if self.missing[name] == self.pairs:
                known = ", ".join(sorted(self._known))
                message = (
                    f"no pair has a value of {name}; known are {known}. The confidence of a classifier comes from "
                    "otherwords predict RUN PAIRS --out PREDICTED: harvest from that file"
                )
                raise UsageError(message, code="no-such-column")


def excluded(pair: Pair, drawn: dict[str, SamplePair], sample: AnnotatedSample) -> str | None:
    """Why a pair may not be harvested whatever the region is; None if it may."""
    if pair.id in drawn:
        return IN_SAMPLE
    if sample.test_sentences and not sample.test_sentences.isdisjoint(sentence_digests(pair)):
        return IN_TEST
    return None


def is_right(drawn: SamplePair, side: Side) -> bool:
    """Whether people say of a pair what the harvest does."""
    return drawn.positive is (side == "positive")
