"""N-gram overlap of paraphrases and of non-paraphrases (RuPAWS: Martynov et al. 2022, Figure 1).

The paper does not give its formula; |shared| / min(|a|, |b|) over sets of token 1–3-grams fits its figure best.
Negatives with a high overlap are what makes a corpus adversarial.
"""

from __future__ import annotations

from collections import Counter

from otherwords.acquire.batches import SelectedMeasures, text_columns
from otherwords.analyse.averages import ValuesByLabel, mean, median
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import named_lines, overlap_line, without_small
from otherwords.analyse.finding import PAIRS, Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import KINDS, NEGATIVE, POSITIVE, kind_of
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.measures.bins import bin_of, range_names
from otherwords.measures.ratio import RatioMeasure

RANGES = 10
MEASURE = "overlap:n=1-3"
CAPTION = "For each tenth of n-gram overlap, the share of a kind that falls into it."


class NgramOverlap:
    """N-gram overlap of paraphrases and non-paraphrases."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.measures = SelectedMeasures([MEASURE], corpus.lang)
        self.values = ValuesByLabel()
        self.ranges: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}
        self.over_half: Counter[str] = Counter()

    def add(self, batch: PairBatch) -> None:
        kinds = [kind_of(batch.positive[place]) for place in batch.originals]
        originals = [batch.pairs[place] for place in batch.originals]
        for places, measures in self.measures.parted(originals):
            overlap = measures[MEASURE]
            assert isinstance(overlap, RatioMeasure)
            ratio = overlap.ratio(*text_columns([originals[place] for place in places]))
            kinds_here = [kinds[place] for place in places]
            self.values.add(kinds_here, ratio.numerator / ratio.denominator, range(len(places)))
            ranges = bin_of(ratio.numerator, ratio.denominator, RANGES).tolist()
            high = (2 * ratio.numerator > ratio.denominator).tolist()
            for kind, number, over in zip(kinds_here, ranges, high, strict=True):
                self.ranges[kind][number] += 1
                self.over_half[kind] += over

    def finding(self) -> Finding | None:
        kinds = [kind for kind in KINDS if self.ranges[kind]]
        if not kinds:
            return None
        tables = [self._summary(kinds), self._ranges(kinds)]
        title = f"{self.corpus.name}: overlap of token 1–3-grams"
        lines, small = without_small([overlap_line(kind, self.ranges[kind], RANGES) for kind in kinds], "pair")
        spec = named_lines(title, lines, "overlap from", "share of its pairs", {"format": "%"})
        missing = [] if NEGATIVE in kinds else ["no label says no, so there are no non-paraphrases to analyse"]
        return Finding(
            "ngrams",
            "N-gram overlap",
            "Token 1–3-grams that both texts have, as a share of those of the text with fewer, by what the label says "
            "(Martynov et al. 2022, Figure 1).",
            tables,
            [Figure("ranges", title, spec, CAPTION)] if lines else [],
            remarks=[*missing, *small],
            signatures={table.name: self.measures.signatures()[MEASURE] for table in tables},
            headlines=[self._headline(kinds[0])],
        )

    def _headline(self, kind: str) -> str:
        share = self.over_half[kind] / self.ranges[kind].total()
        nouns = {POSITIVE: "paraphrases", NEGATIVE: "non-paraphrases"}
        return f"{100 * share:.1f} % of the {nouns.get(kind, 'pairs')} share more than half of their n-grams"

    def _summary(self, kinds: list[str]) -> Table:
        columns = [
            Column("kind", "label says"),
            PAIRS,
            Column("mean", "mean", "number", 3),
            Column("median", "median", "number", 3),
            Column("over_half", "over 0.5", "share"),
        ]
        rows: list[list[Cell]] = []
        for kind in kinds:
            values = self.values.get([kind])
            rows.append([kind, len(values), mean(values), median(values), self.over_half[kind] / len(values)])
        return Table("kinds", "Overlap by what the label says", columns, rows)

    def _ranges(self, kinds: list[str]) -> Table:
        columns = [Column("range", "range")]
        for kind in kinds:
            columns += [Column(kind, kind, "count"), Column(f"{kind}_share", "share", "share")]
        rows: list[list[Cell]] = []
        for place, name in enumerate(range_names(RANGES)):
            counts = [(self.ranges[kind][place], self.ranges[kind].total()) for kind in kinds]
            rows.append([name, *(cell for count, total in counts for cell in (count, count / total))])
        return Table("ranges", "Pairs by range", columns, rows)
