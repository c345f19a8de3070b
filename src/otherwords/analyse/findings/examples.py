"""A few pairs of each label, drawn at random, so that a reader sees what the label means in this corpus.

A random sample is drawn in one pass and does not depend on order: every pair gets a number, and the lowest numbers are
kept. The number follows from the seed and the two texts, so that a shuffled or renumbered corpus gives the same sample;
no more pairs are held in memory than are drawn.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Example, Examples, Finding
from otherwords.analyse.label_classes import label_order
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.digests import digest_bytes
from otherwords.measures.options import signature
from otherwords.records import Pair

BITS = 64


def seeded_digest(seed: int, *names: str | None) -> int:
    """A random number of ``BITS`` bits that depends on the seed and these names only."""
    return int.from_bytes(digest_bytes(str(seed), *(name or "" for name in names), size=BITS // 8), "big")


@dataclass(slots=True)
class RandomDraw:
    """The ``count`` pairs with the lowest random numbers among those offered."""

    count: int
    seed: int
    _heap: list[tuple[int, int, Pair]] = field(default_factory=list)  # the highest number first
    _offered: int = 0

    def offer(self, pair: Pair) -> None:
        """Keep a pair if its number is among the lowest so far."""
        if not self.count:
            return
        self._offered += 1
        entry = (-seeded_digest(self.seed, pair.text1, pair.text2, pair.label), -self._offered, pair)
        if len(self._heap) < self.count:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def drawn(self) -> list[Pair]:
        """The pairs that were kept, the lowest number first."""
        return [pair for *_, pair in sorted(self._heap, key=lambda entry: (-entry[0], -entry[1]))]


class LabelExamples:
    """Some pairs of every label, without rewrites."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus, self.options = corpus, options
        self.draws: dict[str, RandomDraw] = {}

    def add(self, batch: PairBatch) -> None:
        for place in batch.originals:
            draw = self.draws.setdefault(batch.labels[place], RandomDraw(self.options.examples, self.options.seed))
            draw.offer(batch.pairs[place])

    def finding(self) -> Finding | None:
        examples = drawn_examples(self.draws, label_order(self.draws), self.corpus.lang)
        if not examples:
            return None
        return Finding(
            "examples",
            "Examples of each label",
            "Pairs drawn at random, the same number of each label.",
            examples=examples,
            signatures={"examples": signature("examples", {"each": self.options.examples, "seed": self.options.seed})},
        )


def drawn_examples(draws: Mapping[str, RandomDraw], order: Iterable[str], lang: str | None) -> list[Examples]:
    """The pairs drawn for each heading, in this order; headings without any are left out."""
    examples = []
    for heading in order:
        pairs = draws[heading].drawn() if heading in draws else []
        if pairs:
            shown = [Example(pair.id, pair.text1, pair.text2, pair.label, pair.lang or lang) for pair in pairs]
            examples.append(Examples(heading, shown))
    return examples
