"""Twenty strata of lexical similarity, and a draw of so many pairs from each in one pass over the pool.

A sample of all pairs would have next to none where paraphrases are: most neighbours share few words. So the same number
is drawn from each stratum of 0.05 (Kanerva et al. 2023, §7.2), and every drawn pair keeps the size of its stratum, by
which estimates are weighted. A third of each stratum is for choosing a region, the rest for estimating its precision.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from otherwords.digests import digest_number
from otherwords.measures.bins import bin_of_score
from otherwords.records import Pair

STRATA = 20
WIDTH = 1 / STRATA
META = "stratum"  # of a drawn pair, in its meta
SamplePart = Literal["choose", "estimate"]
CHOOSING = 3  # every third pair of a stratum is for choosing
_MODULUS = 2**64


class StratumNote(msgspec.Struct, frozen=True, kw_only=True):
    """What a drawn pair keeps of its draw: the pool and its id there, its stratum, and the size of that."""

    pool: str  # the digest of the pool
    pair: str  # its id there
    by: str  # the measure
    similarity: float
    place: int  # the number of the stratum
    low: float
    high: float
    population: int  # pairs of the pool in the stratum
    drawn: int  # … and in the sample
    part: SamplePart


@dataclass(slots=True)
class PoolDigest:
    """A digest of the ids of a pool, whatever order they come in and whatever else is known of the pairs."""

    pairs: int = 0
    _sum: int = 0

    def add(self, id: str) -> None:
        self.pairs += 1
        self._sum = (self._sum + digest_number(id)) % _MODULUS

    def __str__(self) -> str:
        return f"{self._sum:016x}-{self.pairs}"


@dataclass(frozen=True, slots=True)
class StratumDraw:
    """How many pairs a stratum has, and how many of them were drawn."""

    low: float
    high: float
    population: int
    drawn: int
    wanted: int

    @property
    def name(self) -> str:
        return stratum_name(self.low)

    @property
    def reason(self) -> str:
        """Why it has fewer than wanted; empty if it has not."""
        if self.drawn >= self.wanted:
            return ""
        noun = "pair" if self.population == 1 else "pairs"
        return f"only {self.population:,} {noun} in this stratum" if self.population else "no pairs in this stratum"


@dataclass(slots=True)
class StratifiedDraw:
    """Draws the pairs with the lowest random keys of each stratum; memory holds no more than these."""

    per_stratum: int
    by: str
    seed: int = 0
    digest: PoolDigest = field(default_factory=PoolDigest)
    _sizes: list[int] = field(default_factory=lambda: [0] * STRATA)
    _heaps: list[list[tuple[int, int, Pair]]] = field(default_factory=lambda: [[] for _ in range(STRATA)])

    def add(self, pair: Pair) -> None:
        """Count a pair, whose similarity is among its scores, and keep it as long as its key is low."""
        self.digest.add(pair.id)
        place = stratum_of(similarity_of(pair, self.by))
        self._sizes[place] += 1
        key = digest_number(f"{self.seed}", pair.id)
        heap, entry = self._heaps[place], (-key, -self.digest.pairs, pair)
        if len(heap) < self.per_stratum:
            heapq.heappush(heap, entry)
        elif entry > heap[0]:
            heapq.heapreplace(heap, entry)

    def strata(self) -> list[StratumDraw]:
        """The table of the draw."""
        return [
            StratumDraw(*stratum_edges(place), size, len(heap), self.per_stratum)
            for place, (size, heap) in enumerate(zip(self._sizes, self._heaps, strict=True))
        ]

    def pairs(self) -> list[Pair]:
        """The drawn pairs, stratum by stratum in their random order, each with a note of its stratum."""
        return [
            self._noted(pair, place, number)
            for place, heap in enumerate(self._heaps)
            for number, (_, _, pair) in enumerate(sorted(heap, reverse=True))
        ]

    def _noted(self, pair: Pair, place: int, number: int) -> Pair:
        low, high = stratum_edges(place)
        note = StratumNote(
            pool=f"{self.digest}",
            pair=pair.id,
            by=self.by,
            similarity=similarity_of(pair, self.by),
            place=place,
            low=low,
            high=high,
            population=self._sizes[place],
            drawn=len(self._heaps[place]),
            part="choose" if number % CHOOSING == CHOOSING - 1 else "estimate",
        )
        return msgspec.structs.replace(pair, meta={**pair.meta, META: msgspec.to_builtins(note)})


def stratum_of(similarity: float) -> int:
    """The number of the stratum; the last holds the highest similarity too."""
    return min(int(bin_of_score(similarity, STRATA)), STRATA - 1)


def stratum_edges(place: int) -> tuple[float, float]:
    """From and up to which similarity a stratum goes."""
    return round(place * WIDTH, 2), round((place + 1) * WIDTH, 2)


def stratum_name(low: float) -> str:
    """A stratum as text, such as ``[0.05, 0.10)``."""
    high = low + WIDTH
    return f"[{low:.2f}, {high:.2f}{']' if high > 1 - WIDTH / 2 else ')'}"


def similarity_of(pair: Pair, by: str) -> float:
    """The similarity that a pair was measured to have."""
    score = pair.scores[by]
    assert score is not None
    return score


def stratum_note(meta: dict[str, Any]) -> StratumNote | None:
    """What the meta of a pair keeps of its draw; None for a pair that was not drawn."""
    try:
        return msgspec.convert(meta[META], StratumNote) if META in meta else None
    except msgspec.ValidationError:
        return None  # a note of somebody else under the same name
