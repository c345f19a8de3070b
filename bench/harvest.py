"""Do the intervals of a harvest cover the truth? Hundreds of samples of pools whose sides are all known.

One pool is synthetic, with strata of very unequal sizes; the other is the Finnish opus-parsebank dev sample, in which
people judged every pair. From each, 400 stratified samples are drawn (``SPLITS`` in the environment), of which two
thirds estimate the precision of a region; the truth is the share of right pairs among those harvested. Each row: pool,
region, pairs, pairs judged for the estimate, mean precision, and for both intervals how many of a hundred cover the
truth and how wide they are. In as few as a hundred samples, chance alone moves that number by two to either side.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.swap import corpora
from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.score import score_pairs
from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.harvest.annotated import AnnotatedSample, SamplePair
from otherwords.corpus.harvest.columns import BY
from otherwords.corpus.harvest.draw import draw_strata
from otherwords.corpus.harvest.harvest import Harvest, HarvestRequest
from otherwords.mining.harvest.search import Side
from otherwords.mining.harvest.strata import stratum_note
from otherwords.records import Pair

SPLITS, FEWEST_HITS = int(os.environ.get("SPLITS", 400)), 93.0  # of a hundred
SYNTHETIC_PAIRS, PER_STRATUM = 6_000, 25
CONFIDENCE = "confidence"  # that a pair is negative
TRUTH = "positive"
WORDS = ("boat", "harbour", "light", "storm", "rope", "gull", "pier", "wave", "crane", "fog", "anchor", "net")


@dataclass(frozen=True, slots=True)
class KnownPool:
    """Pairs with a confidence among their scores, and the truth in their meta."""

    name: str
    pairs: Sequence[Pair]

    def stream(self) -> Iterator[Pair]:
        return iter(self.pairs)


@dataclass(slots=True)
class Coverage:
    """How often the intervals of a region cover the truth."""

    splits: int = 0
    judged: int = 0
    harvested: int = 0
    precision: float = 0.0
    hits: int = 0
    width: float = 0.0
    powered_hits: int = 0
    powered_width: float = 0.0

    def add(self, harvest: Harvest) -> None:
        """Compare one harvest with the truth."""
        found = harvest.summary
        right = [pair.meta[TRUTH] is (found.side == "positive") for pair in harvest.pairs()]
        truth = sum(right) / len(right)
        self.splits += 1
        self.judged += found.judged
        self.harvested += found.harvested
        self.precision += found.precision.estimate
        self.hits += found.precision.low <= truth <= found.precision.high
        self.width += found.precision.high - found.precision.low
        powered = found.powered or found.precision
        self.powered_hits += powered.low <= truth <= powered.high
        self.powered_width += powered.high - powered.low

    def row(self, name: str, region: str) -> str:
        means = [total / self.splits for total in (self.harvested, self.judged)]
        shares = [total / self.splits for total in (self.precision, self.width, self.powered_width)]
        hits = [100 * total / self.splits for total in (self.hits, self.powered_hits)]
        intervals = f"{hits[0]:5.1f} {shares[1]:.3f}   {hits[1]:5.1f} {shares[2]:.3f}"
        return f"{name:16} {region:42} {means[0]:7,.0f} {means[1]:6,.0f} {shares[0]:.3f}   {intervals}"


def synthetic_pool(size: int = SYNTHETIC_PAIRS, seed: int = 0) -> KnownPool:
    """Pairs that mostly share few words; those that share many are mostly paraphrases."""
    rng = random.Random(seed)
    pairs = []
    for number in range(size):
        first = rng.sample(WORDS, 6)
        kept = min(6, int(rng.expovariate(0.7)))
        second = [*first[:kept], *rng.sample([word for word in WORDS if word not in first], 6 - kept)]
        positive = rng.random() < (0.03, 0.05, 0.1, 0.3, 0.6, 0.8, 0.9)[kept]
        confidence = min(1.0, max(0.0, rng.gauss(0.25 if positive else 0.7, 0.2)))
        texts = {"text1": " ".join([*first, f"{number}"]), "text2": " ".join([*second, f"{number + size}"])}
        pairs.append(Pair(id=f"s{number}", **texts, scores={CONFIDENCE: confidence}, meta={TRUTH: positive}))
    return KnownPool("synthetic", pairs)


def finnish_pool(path: Path) -> KnownPool:
    """The opus-parsebank dev sample; the confidence is how few words two texts share."""
    corpus = open_corpus(path)
    judged = [pair for pair in corpus.pairs() if corpus.positive(pair) is not None and not pair.rewrite_of]
    pairs = []
    for pair in score_pairs(judged, SelectedMeasures(["jaccard"], "fi")):
        confidence = 1 - (pair.scores["jaccard"] or 0.0)
        scores, meta = {CONFIDENCE: confidence}, {TRUTH: corpus.positive(pair)}
        pairs.append(Pair(id=pair.id, text1=pair.text1, text2=pair.text2, scores=scores, meta=meta))
    return KnownPool("opus-parsebank", pairs)


def sample_of(pool: KnownPool, per_stratum: int, seed: int) -> AnnotatedSample:
    """A stratified sample of a pool, judged by the truth."""
    draw = draw_strata(pool.stream(), per_stratum, BY, seed)
    drawn = [SamplePair(pair, note, pair.meta[TRUTH]) for pair in draw.pairs() if (note := stratum_note(pair.meta))]
    return AnnotatedSample(Path(pool.name), BY, f"{draw.digest}", None, drawn)


def coverage(pool: KnownPool, region: str, side: Side, splits: int = SPLITS) -> Coverage:
    """The coverage of the intervals of a region over many samples; λ gives the confidence its sign."""
    found = Coverage()
    request = HarvestRequest(side=side, region=region, confidence=CONFIDENCE)
    for seed in range(1_000, 1_000 + splits):
        found.add(Harvest(pool.stream, sample_of(pool, PER_STRATUM, seed), request))
    return found


def run() -> bool:
    """Print a row for each pool and region."""
    pools = [synthetic_pool()]
    path = corpora() / "turku-fi" / "opus-pb-dev.json"
    if path.is_file():
        pools.append(finnish_pool(path))
    else:
        print(f"harvest: {path} not here (set OTHERWORDS_CORPORA); the synthetic pool alone was measured")
    regions: list[tuple[str, Side]] = [
        (f"similarity < 0.1 or {CONFIDENCE} > 0.8", "negative"),
        (f"similarity < 0.4 and {CONFIDENCE} > 0.5", "negative"),
        (f"similarity > 0.5 and {CONFIDENCE} < 0.5", "positive"),
    ]
    print(f"{'pool':16} {'region':42} {'pairs':>7} {'judged':>6} prec.   classical     prediction-powered")
    reached = True
    for pool in pools:
        for region, side in regions:
            found = coverage(pool, region, side)
            print(found.row(pool.name, region), flush=True)
            reached &= 100 * min(found.hits, found.powered_hits) / found.splits >= FEWEST_HITS
    return reached
