"""Word overlap by range and label, and how far a mere threshold gets (Suzuki et al. 2017, Table 1, Figures 2–4).

The word overlap rate is the Jaccard of the two sets of tokens; ranges are cut with whole numbers. A threshold t calls
a pair a paraphrase if its overlap is t or more; a corpus that such a rule solves is an easy one.
"""

from __future__ import annotations

from collections import Counter

from otherwords.acquire.batches import Chosen
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.bins import Range, count_pairs
from otherwords.analyse.drawing import Line, named_lines, stacked_columns
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import NEGATIVE, POSITIVE, by_class, classes, shown_labels
from otherwords.analyse.seen import Seen
from otherwords.corpus.corpora import Corpus
from otherwords.measures.bins import range_names

RANGES = 10  # and one for exact matches; Suzuki et al. 2017, Table 1
MEASURE = "jaccard"
ABOUT = (
    "The share of tokens that both texts have (Jaccard), in eleven ranges closed on the left, and the accuracy of "
    "calling every pair from a threshold up a paraphrase (Suzuki et al. 2017, Table 1, Figures 2–4)."
)


class OverlapRanges:
    """Word overlap by range and label, and the accuracy of a pure threshold."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.chosen = Chosen([MEASURE], corpus.lang)
        self.ranges = [Range(name) for name in range_names(RANGES)]
        self.positive: dict[str, bool | None] = {}

    def add(self, batch: Seen) -> None:
        originals = [batch.pairs[place] for place in batch.originals]
        for places, measures in self.chosen.parted(originals):
            count_pairs([originals[place] for place in places], measures[MEASURE], self.ranges)
        self.positive |= {batch.labels[place]: batch.positive[place] for place in batch.originals}

    def finding(self) -> Finding | None:
        if not self.positive:
            return None
        tables, figures = [self._ranges()], [self._figure()]
        remarks = []
        if self._yes().total() and self._no().total():
            tables.append(self._accuracy())
            figures += [self._by_kind(), self._accuracy_figure()]
        else:
            remarks.append("without both positives and negatives there is nothing for a threshold to tell apart")
        signed = self.chosen.signatures()[MEASURE]
        signatures = {table.name: signed for table in tables}
        return Finding("overlap", "Word overlap", ABOUT, tables, figures, (), remarks, signatures)

    def _ranges(self) -> Table:
        shown = shown_labels(self.positive)
        columns = [
            Column("range", "range"),
            Column("pairs", "pairs", "count"),
            Column("mean_tokens_text1", "tokens 1", "number"),
            Column("mean_tokens_text2", "tokens 2", "number"),
            Column("share", "of all pairs", "share"),
            Column("positives", "of positives", "share"),
            Column("negatives", "of negatives", "share"),
            *(Column(f"label {label}", label, "count") for label in shown),
        ]
        total = Range("total")
        for row in self.ranges:
            total.pairs, total.labels = total.pairs + row.pairs, total.labels + row.labels
            total.tokens1, total.tokens2 = total.tokens1 + row.tokens1, total.tokens2 + row.tokens2
        rows = [self._row(row, total, shown) for row in (*self.ranges, total)]
        return Table("ranges", "Pairs by range", columns, rows)

    def _row(self, row: Range, total: Range, shown: list[str]) -> list[Cell]:
        means = [tokens / row.pairs if row.pairs else None for tokens in (row.tokens1, row.tokens2)]
        shares = [
            _share(row.pairs, total.pairs),
            _share(self._count(row, says=True), self._count(total, says=True)),
            _share(self._count(row, says=False), self._count(total, says=False)),
        ]
        return [row.name, row.pairs, *means, *shares, *(row.labels[label] for label in shown)]

    def _accuracy(self) -> Table:
        columns = [Column("threshold", "threshold", "number", 1), Column("accuracy", "accuracy", "number", 3)]
        return Table("accuracy", "Accuracy by threshold", columns, self._accuracies())

    def _accuracies(self) -> list[tuple[float, float]]:
        """With the ≥ rule: a pair in the range that begins with the threshold, or above, is called a paraphrase."""
        yes, no = self._yes(), self._no()
        total = yes.total() + no.total()
        right = [
            sum(yes[place] for place in range(start, RANGES + 1)) + sum(no[place] for place in range(start))
            for start in range(RANGES + 1)
        ]
        return [(start / RANGES, count / total) for start, count in enumerate(right)]

    def _count(self, row: Range, *, says: bool) -> int:
        return sum(count for label, count in row.labels.items() if self.positive[label] is says)

    def _yes(self) -> Counter[int]:
        return Counter({place: self._count(row, says=True) for place, row in enumerate(self.ranges)})

    def _no(self) -> Counter[int]:
        return Counter({place: self._count(row, says=False) for place, row in enumerate(self.ranges)})

    def _figure(self) -> Figure:
        title = f"{self.corpus.name}: pairs by word overlap"
        shown = classes(self.positive, self.positive.__getitem__)
        counts = {row.name: by_class(row.labels, shown) for row in self.ranges}
        return Figure("ranges", title, stacked_columns(title, counts, list(dict.fromkeys(shown.values())), "overlap"))

    def _by_kind(self) -> Figure:
        title = f"{self.corpus.name}: where positives and negatives lie"
        lines = [
            Line(name, [(place / RANGES, counts[place] / counts.total()) for place in range(RANGES + 1)])
            for name, counts in ((POSITIVE, self._yes()), (NEGATIVE, self._no()))
        ]
        spec = named_lines(title, lines, "word overlap from", "share of its pairs", {"format": "%"})
        return Figure("kinds", title, spec)

    def _accuracy_figure(self) -> Figure:
        title = f"{self.corpus.name}: accuracy of a mere threshold of word overlap"
        return Figure(
            "accuracy",
            title,
            named_lines(title, [Line("accuracy", self._accuracies())], "paraphrase from this overlap on", "accuracy"),
        )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
