"""Lexical similarity by label: which labels similar texts have (Kanerva et al. 2023, Figure 2).

There are twenty strata of 0.05, of which the last includes 1. The measure is that of the released corpus: the cosine of
plain counts of character 2–4-grams within words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from otherwords.analyse.averages import ValuesByLabel, mean, median, ratio
from otherwords.analyse.bins import STRATA, strata_of, stratum_edges
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import HistogramBar, stacked_histogram
from otherwords.analyse.finding import LABEL, PAIRS, Cell, Column, Figure, Finding, Table, plain_columns
from otherwords.analyse.label_classes import by_class, classes, groupings, positive_share, shown_labels
from otherwords.analyse.pair_batch import PairBatch, similarity_measure
from otherwords.corpus.corpus import Corpus

ABOUT = (
    "The cosine of character 2–4-grams of both texts, in 20 strata, and the share of each label in every stratum "
    "(Kanerva et al. 2023, Figure 2). Rewrites are left out."
)


class SimilarityByLabel:
    """Lexical similarity by label: means, and the labels of every stratum of 0.05."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.strata = [Counter[str]() for _ in range(STRATA)]
        self.values = ValuesByLabel()

    def add(self, batch: PairBatch) -> None:
        strata = strata_of(batch.similarity).tolist()
        for place in batch.originals:
            label = batch.labels[place]
            self.positive[label] = batch.positive[place]
            self.strata[strata[place]][label] += 1
        self.values.add(batch.labels, batch.similarity, batch.originals)

    def finding(self) -> Finding | None:
        if not self.positive:
            return None
        class_of = classes(self.positive, self.positive.__getitem__)
        order = list(dict.fromkeys(class_of.values()))
        strata = [by_class(counts, class_of) for counts in self.strata]
        edges = plain_columns("number", "from", "to")
        columns = [*edges, *(Column(f"share {label_class}", label_class, "share") for label_class in order)]
        rows = [
            [*stratum_edges(stratum), *(ratio(counts[label_class], counts.total()) for label_class in order)]
            for stratum, counts in enumerate(strata)
        ]
        shares = Table("shares", "Share of labels in each stratum", columns, rows)
        tables = [self._means(), self._strata(), shares]
        signatures = {table.name: similarity_measure().signature() for table in tables}
        figures = self._figures(strata, order)
        values = self.values.get(list(self.positive))
        headlines = [f"The mean lexical similarity is {mean(values):.2f}, the median {median(values):.2f}"]
        return Finding(
            "similarity", "Lexical similarity", ABOUT, tables, figures, signatures=signatures, headlines=headlines
        )

    def _means(self) -> Table:
        columns = [LABEL, PAIRS, Column("mean", "mean", "number", 3), Column("median", "median", "number", 3)]
        rows: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            values = self.values.get(labels)
            rows.append([name, len(values), mean(values), median(values)])
        return Table("means", "Similarity by label", columns, rows)

    def _strata(self) -> Table:
        shown = shown_labels(self.positive)
        columns = [*plain_columns("number", "from", "to"), PAIRS, Column("positive_share", "positives", "share")]
        columns += [Column(f"label {label}", label, "count") for label in shown]
        rows: list[list[Cell]] = []
        for stratum, counts in enumerate(self.strata):
            share = positive_share(counts, self.positive)
            rows.append([*stratum_edges(stratum), counts.total(), share, *(counts[label] for label in shown)])
        return Table("strata", "Pairs by stratum", columns, rows)

    def _figures(self, strata: Sequence[Counter[str]], order: Sequence[str]) -> list[Figure]:
        """The pairs of each stratum cut by class, and the same with all bars equally high."""
        bars = [
            HistogramBar(*stratum_edges(stratum), label_class, counts[label_class])
            for stratum, counts in enumerate(strata)
            for label_class in order
            if counts[label_class]
        ]
        pairs = f"{self.corpus.name}: pairs by lexical similarity"
        shares = f"{self.corpus.name}: share of labels by lexical similarity"
        counted, shared = (
            stacked_histogram(title, bars, order, "cosine of character 2–4-grams", "pairs") for title in (pairs, shares)
        )
        height = {"stack": "normalize", "title": "share of pairs", "axis": {"format": "%"}}
        shared["encoding"]["y"] |= height
        captions = (
            "How many pairs fall into each stratum of 0.05, cut by label.",
            "The same strata, all equally high: the share of each label in every one.",
        )
        return [Figure("strata", pairs, counted, captions[0]), Figure("shares", shares, shared, captions[1])]
