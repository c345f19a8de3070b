"""N-gram overlap of paraphrases and of non-paraphrases (RuPAWS: Martynov et al. 2022, Figure 1).

The paper does not print its formula; |shared| / min(|a|, |b|) over token 1–3-grams, as sets, fits its figure best.
Negatives with a high overlap are what makes a corpus adversarial.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire.batches import Chosen, columns
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import Line, named_lines
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import NEGATIVE, NEITHER, POSITIVE, kind_of
from otherwords.analyse.seen import Seen
from otherwords.analyse.values_by_label import ValuesByLabel, mean, median
from otherwords.corpus.corpora import Corpus
from otherwords.measures.bins import bin_of, range_names
from otherwords.measures.ratio import RatioMeasure

RANGES = 10
MEASURE = "overlap:n=1-3"
KINDS = (POSITIVE, NEGATIVE, NEITHER)


class NgramOverlap:
    """N-gram overlap of paraphrases and non-paraphrases."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.chosen = Chosen([MEASURE], corpus.lang)
        self.values = ValuesByLabel()
        self.ranges: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}
        self.over_half: Counter[str] = Counter()

    def add(self, batch: Seen) -> None:
        kinds = [kind_of(batch.positive[place]) for place in batch.originals]
        originals = [batch.pairs[place] for place in batch.originals]
        for places, measures in self.chosen.parted(originals):
            one = measures[MEASURE]
            assert isinstance(one, RatioMeasure)
            ratio = one.ratio(*columns([originals[place] for place in places]))
            told = [kinds[place] for place in places]
            self.values.add(told, ratio.value(), range(len(told)))
            self._count(told, ratio.numerator, ratio.denominator)

    def _count(self, kinds: list[str], numerator: NDArray[np.int64], denominator: NDArray[np.int64]) -> None:
        places = bin_of(numerator, denominator, RANGES).tolist()
        high = (2 * numerator > denominator).tolist()
        for kind, place, over in zip(kinds, places, high, strict=True):
            self.ranges[kind][place] += 1
            self.over_half[kind] += over

    def finding(self) -> Finding | None:
        kinds = [kind for kind in KINDS if self.ranges[kind]]
        if not kinds:
            return None
        remarks = [] if NEGATIVE in kinds else ["no label says no, so there are no non-paraphrases to look at"]
        tables = [self._summary(kinds), self._ranges(kinds)]
        return Finding(
            "ngrams",
            "N-gram overlap",
            "Token 1–3-grams that both texts have, of those of the text with fewer, by what the label says "
            "(Martynov et al. 2022, Figure 1).",
            tables,
            [self._figure(kinds)],
            (),
            remarks,
            {table.name: self.chosen.signatures()[MEASURE] for table in tables},
        )

    def _summary(self, kinds: list[str]) -> Table:
        columns = [
            Column("kind", "label says"),
            Column("pairs", "pairs", "count"),
            Column("mean", "mean", "number", 3),
            Column("median", "median", "number", 3),
            Column("over_half", "over 0.5", "share"),
        ]
        rows: list[list[Cell]] = []
        for kind in kinds:
            values = self.values.of([kind])
            rows.append([kind, len(values), mean(values), median(values), self.over_half[kind] / len(values)])
        return Table("kinds", "Overlap by what the label says", columns, rows)

    def _ranges(self, kinds: list[str]) -> Table:
        columns = [Column("range", "range")]
        for kind in kinds:
            columns += [Column(kind, kind, "count"), Column(f"{kind}_share", "share", "share")]
        rows: list[list[Cell]] = []
        for place, name in enumerate(range_names(RANGES)):
            row: list[Cell] = [name]
            for kind in kinds:
                row += [self.ranges[kind][place], self.ranges[kind][place] / self.ranges[kind].total()]
            rows.append(row)
        return Table("ranges", "Pairs by range", columns, rows)

    def _figure(self, kinds: list[str]) -> Figure:
        title = f"{self.corpus.name}: overlap of token 1–3-grams"
        lines = [
            Line(kind, [(place / RANGES, counts[place] / counts.total()) for place in range(RANGES + 1)])
            for kind, counts in ((kind, self.ranges[kind]) for kind in kinds)
        ]
        return Figure("ranges", title, named_lines(title, lines, "overlap from", "share of its pairs", {"format": "%"}))
