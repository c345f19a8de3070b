"""Lexical similarity by label: which labels the look-alikes have (Kanerva et al. 2023, Figure 2).

Twenty strata of 0.05, the last one with both its ends. The measure is that of the released corpus: the cosine of
plain counts of character 2–4-grams within words.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import Bar, stacked_histogram
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import by_class, classes, groupings, positive_share, shown_labels
from otherwords.analyse.seen import Seen, similarity_measure
from otherwords.analyse.values_by_label import ValuesByLabel, mean, median
from otherwords.corpus.corpora import Corpus
from otherwords.measures.bins import bin_of_score

STRATA = 20  # of 0.05, as in Kanerva et al. 2023, §7.2
ABOUT = (
    "The cosine of character 2–4-grams of both texts, in 20 strata, and the share that each label has in every stratum "
    "(Kanerva et al. 2023, Figure 2). Rewrites are left out."
)


class SimilarityByLabel:
    """Lexical similarity by label: means, and the labels of every stratum of 0.05."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.strata = [Counter[str]() for _ in range(STRATA)]
        self.values = ValuesByLabel()

    def add(self, batch: Seen) -> None:
        places = np.minimum(bin_of_score(batch.similarity, STRATA), STRATA - 1).tolist()
        for place in batch.originals:
            self.positive[batch.labels[place]] = batch.positive[place]
            self.strata[places[place]][batch.labels[place]] += 1
        self.values.add(batch.labels, batch.similarity, batch.originals)

    def finding(self) -> Finding | None:
        if not self.positive:
            return None
        signed = similarity_measure().signature()
        tables = [self._means(), self._strata(), self._shares()]
        figures = [self._figure("strata", "pairs by lexical similarity"), self._share_figure()]
        return Finding(
            "similarity",
            "Lexical similarity",
            ABOUT,
            tables,
            figures,
            signatures={table.name: signed for table in tables},
        )

    def _means(self) -> Table:
        columns = [
            Column("label", "label"),
            Column("pairs", "pairs", "count"),
            Column("mean", "mean", "number", 3),
            Column("median", "median", "number", 3),
        ]
        rows: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            values = self.values.of(labels)
            rows.append([name, len(values), mean(values), median(values)])
        return Table("means", "Similarity by label", columns, rows)

    def _strata(self) -> Table:
        shown = shown_labels(self.positive)
        columns = [
            Column("from", "from", "number"),
            Column("to", "to", "number"),
            Column("pairs", "pairs", "count"),
            Column("positive_share", "positives", "share"),
            *(Column(f"label {label}", label, "count") for label in shown),
        ]
        rows = [
            [*_edges(place), counts.total(), positive_share(counts, self.positive), *(counts[label] for label in shown)]
            for place, counts in enumerate(self.strata)
        ]
        return Table("strata", "Pairs by stratum", columns, rows)

    def _shares(self) -> Table:
        order = list(dict.fromkeys(self._classes().values()))
        columns = [
            Column("from", "from", "number"),
            Column("to", "to", "number"),
            *(Column(f"share {one}", one, "share") for one in order),
        ]
        rows = [
            [*_edges(place), *(counts[one] / counts.total() if counts else None for one in order)]
            for place, counts in enumerate(self._by_class())
        ]
        return Table("shares", "Share of labels in each stratum", columns, rows)

    def _classes(self) -> dict[str, str]:
        return classes(self.positive, self.positive.__getitem__)

    def _by_class(self) -> list[Counter[str]]:
        shown = self._classes()
        return [by_class(counts, shown) for counts in self.strata]

    def _bars(self, order: list[str]) -> list[Bar]:
        return [
            Bar(*_edges(place), one, counts[one])
            for place, counts in enumerate(self._by_class())
            for one in order
            if counts[one]
        ]

    def _figure(self, name: str, what: str) -> Figure:
        order, title = list(dict.fromkeys(self._classes().values())), f"{self.corpus.name}: {what}"
        spec = stacked_histogram(title, self._bars(order), order, "cosine of character 2–4-grams", "pairs")
        return Figure(name, title, spec)

    def _share_figure(self) -> Figure:
        figure = self._figure("shares", "share of labels by lexical similarity")
        height = {"stack": "normalize", "title": "share of pairs", "axis": {"format": "%"}}
        encoding = figure.spec["encoding"]
        spec = figure.spec | {"encoding": encoding | {"y": encoding["y"] | height}}
        return Figure(figure.name, figure.title, spec)


def _edges(place: int) -> tuple[float, float]:
    return place / STRATA, (place + 1) / STRATA
