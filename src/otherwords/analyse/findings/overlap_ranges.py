"""Word overlap by range and label, and how far a mere threshold gets (Suzuki et al. 2017, Table 1, Figures 2–4).

The word overlap rate is the Jaccard index of the two sets of tokens; ranges are computed with whole numbers. A
threshold t calls a pair a paraphrase if its overlap is at least t; a corpus that such a rule solves is an easy one.
Negatives of several origins, such as machine translation and random pairs, are counted apart, as in that table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from otherwords.acquire.batches import SelectedMeasures
from otherwords.analyse.averages import ratio
from otherwords.analyse.bins import Range, count_pairs, negatives_by_origin, sum_ranges
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import FigureLine, named_lines, overlap_line, stacked_columns, without_small
from otherwords.analyse.finding import PAIRS, Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import NEGATIVE, POSITIVE, by_class, classes, shown_labels
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.measures.bins import range_names

RANGES = 10  # and one for exact matches; Suzuki et al. 2017, Table 1
MEASURE = "jaccard"
ABOUT = (
    "The share of tokens that both texts have (Jaccard), in eleven ranges closed on the left, and the accuracy of "
    "calling every pair at or above a threshold a paraphrase (Suzuki et al. 2017, Table 1, Figures 2–4)."
)


class OverlapRanges:
    """Word overlap by range and label, and the accuracy of a mere threshold."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.measures = SelectedMeasures([MEASURE], corpus.lang)
        self.ranges = [Range(name) for name in range_names(RANGES)]
        self.positive: dict[str, bool | None] = {}

    def add(self, batch: PairBatch) -> None:
        originals = [batch.pairs[place] for place in batch.originals]
        for places, measures in self.measures.parted(originals):
            count_pairs([originals[place] for place in places], measures[MEASURE], self.ranges)
        self.positive |= {batch.labels[place]: batch.positive[place] for place in batch.originals}

    def finding(self) -> Finding | None:
        if not self.positive:
            return None
        tables, figures, remarks, headlines = [self._ranges()], [self._figure()], list[str](), list[str]()
        yes, no = self._by_range(positive=True), self._by_range(positive=False)
        if yes.total() and no.total():
            accuracies = _accuracies(yes, no)
            columns = [Column("threshold", "threshold", "number", 1), Column("accuracy", "accuracy", "number", 3)]
            tables.append(Table("accuracy", "Accuracy by threshold", columns, accuracies))
            lines = [overlap_line(kind, counts, RANGES) for kind, counts in ((POSITIVE, yes), (NEGATIVE, no))]
            drawn, small = without_small(lines, "pair")
            remarks += small
            figures += [self._by_kind(drawn)] if drawn else []
            figures += [self._accuracy(accuracies, yes.total() + no.total())] if len(drawn) == len(lines) else []
            accuracy = max(share for _, share in accuracies)
            headlines.append(
                f"A mere threshold of word overlap is right for {100 * accuracy:.1f} % of the pairs at best"
            )
        else:
            remarks.append("without both positives and negatives no threshold can be evaluated")
        signed = self.measures.signatures()[MEASURE]
        signatures = {table.name: signed for table in tables}
        return Finding(
            "overlap",
            "Word overlap",
            ABOUT,
            tables,
            figures,
            remarks=remarks,
            signatures=signatures,
            headlines=headlines,
        )

    def _ranges(self) -> Table:
        shown = shown_labels(self.positive)
        columns = [
            Column("range", "range"),
            PAIRS,
            Column("mean_tokens_text1", "tokens 1", "number"),
            Column("mean_tokens_text2", "tokens 2", "number"),
            Column("share", "of all pairs", "share"),
            Column("positives", "of positives", "share"),
            Column("negatives", "of negatives", "share"),
            *(Column(f"label {label}", label, "count") for label in shown),
        ]
        total = sum_ranges(self.ranges)
        rows: list[list[Cell]] = []
        for row in (*self.ranges, total):
            shares = [ratio(self._count(row, positive=yes), self._count(total, positive=yes)) for yes in (True, False)]
            labels = [row.labels[label] for label in shown]
            rows.append([row.name, row.pairs, *row.mean_tokens(), ratio(row.pairs, total.pairs), *shares, *labels])
        negative = [label for label, positive in self.positive.items() if positive is False]
        by_origin = negatives_by_origin([*self.ranges, total], negative)
        columns += [Column(f"negatives {name}", f"negatives: {name}", "count") for name in next(iter(by_origin), ())]
        for cells, counts in zip(rows, by_origin, strict=False):
            cells += counts.values()
        return Table("ranges", "Pairs by range", columns, rows)

    def _count(self, row: Range, *, positive: bool) -> int:
        return sum(count for label, count in row.labels.items() if self.positive[label] is positive)

    def _by_range(self, *, positive: bool) -> Counter[int]:
        return Counter({place: self._count(row, positive=positive) for place, row in enumerate(self.ranges)})

    def _figure(self) -> Figure:
        title = f"{self.corpus.name}: pairs by word overlap"
        class_of = classes(self.positive, self.positive.__getitem__)
        counts = {row.name: by_class(row.labels, class_of) for row in self.ranges}
        order = list(dict.fromkeys(class_of.values()))
        spec = stacked_columns(title, counts, order, "overlap")
        return Figure("ranges", title, spec, "How many pairs fall into each tenth of word overlap, cut by label.")

    def _by_kind(self, lines: Sequence[FigureLine]) -> Figure:
        title = f"{self.corpus.name}: where positives and negatives lie"
        spec = named_lines(title, lines, "word overlap from", "share of its pairs", {"format": "%"})
        return Figure("kinds", title, spec, "For each tenth of word overlap, the share of a kind that falls into it.")

    def _accuracy(self, accuracies: Sequence[tuple[float, float]], pairs: int) -> Figure:
        title = f"{self.corpus.name}: accuracy of a mere threshold of word overlap"
        line = FigureLine("accuracy", accuracies, pairs)
        spec = named_lines(title, [line], "paraphrase from this overlap on", "accuracy")
        return Figure(
            "accuracy", title, spec, "How many labels are right if all pairs from an overlap on are paraphrases."
        )


def _accuracies(yes: Counter[int], no: Counter[int]) -> list[tuple[float, float]]:
    """By threshold: a pair in the range that begins with it, or in a higher one, is called a paraphrase."""
    total = yes.total() + no.total()
    right = [
        sum(yes[place] for place in range(start, RANGES + 1)) + sum(no[place] for place in range(start))
        for start in range(RANGES + 1)
    ]
    return [(start / RANGES, count / total) for start, count in enumerate(right)]
