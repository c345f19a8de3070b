"""Which labels a corpus has and how often: all of it, each part, each source (Kanerva et al. 2023, Figure 1).

Rewrites are pairs of their own whose label follows from the rule; they are counted beside the others, never among
them. The share of positives is of the pairs whose label says yes or no.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import label_bars, stacked_shares
from otherwords.analyse.finding import Column, Figure, Finding, Table
from otherwords.analyse.label_classes import MOST_COLUMNS, by_class, classes, kind_of, positive_share, shown_labels
from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.analyse.pair_parts import parts_of
from otherwords.analyse.seen import Seen
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature

MOST_ROWS = 30  # of a table by source; the rest is summed
OTHERS = "(others)"


class LabelShares:
    """Which labels there are and how often, by part and source too; the share of positives."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus, self.part_of = corpus, parts_of(corpus)
        self.labels: Counter[str] = Counter()
        self.rewrites: Counter[str] = Counter()
        self.positive: dict[str, bool | None] = {}
        self._parts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._sources: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.by: dict[str, dict[str, Counter[str]]] = {"parts": self._parts, "sources": self._sources}

    def add(self, batch: Seen) -> None:
        for pair, label, positive in zip(batch.pairs, batch.labels, batch.positive, strict=True):
            self.positive[label] = positive
            part = self.part_of(pair)
            if pair.rewrite_of is not None:
                self.rewrites[label] += 1
                continue
            self.labels[label] += 1
            self._parts[part or UNLABELLED][label] += 1
            self._sources[pair.source or UNLABELLED][label] += 1

    def finding(self) -> Finding:
        order = label_order({*self.labels, *self.rewrites})
        tables = [self._summary(), self._labels(order)]
        figures = [self._figure(order)]
        for name, title in (("parts", "Labels by part"), ("sources", "Labels by source")):
            if any(value != UNLABELLED for value in self.by[name]):
                tables.append(self._by(name, title, order))
                figures.append(self._figure_by(name, title))
        return Finding(
            "labels",
            "Labels",
            "How often each label is given. The share of positives is of the pairs whose label says yes or no; "
            "rewrites are counted apart (Kanerva et al. 2023, §6).",
            tables,
            figures,
            (),
            self._remarks(order),
            {table.name: signature("label-shares", {"rewrites": "apart"}) for table in tables},
        )

    def _summary(self) -> Table:
        told: Counter[str] = Counter()
        for label, count in self.labels.items():
            told[kind_of(self.positive[label])] += count
        says = told["positive"] + told["negative"]
        share = told["positive"] / says if says else None
        columns = [
            Column("pairs", "pairs", "count"),
            Column("rewrites", "rewrites", "count"),
            Column("labelled", "labelled", "count"),
            *(Column(name, name, "count") for name in ("positive", "negative")),
            Column("positive_share", "positives", "share"),
        ]
        labelled = self.labels.total() - self.labels[UNLABELLED]
        row = [self.labels.total(), self.rewrites.total(), labelled, told["positive"], told["negative"], share]
        return Table("summary", "The corpus", columns, [row])

    def _labels(self, order: list[str]) -> Table:
        total = self.labels.total() or 1
        columns = [
            Column("label", "label"),
            Column("pairs", "pairs", "count"),
            Column("share", "share", "share"),
            Column("says", "says"),
            Column("rewrites", "rewrites", "count"),
        ]
        rows = [
            (label, count := self.labels[label], count / total, kind_of(self.positive[label]), self.rewrites[label])
            for label in order
        ]
        return Table("labels", "Labels", columns, rows)

    def _by(self, name: str, title: str, order: list[str]) -> Table:
        shown = shown_labels(label for label in order if self.labels[label])
        columns = [
            Column(name.removesuffix("s"), name.removesuffix("s")),
            Column("pairs", "pairs", "count"),
            Column("positive_share", "positives", "share"),
            *(Column(f"label {label}", label, "count") for label in shown),
        ]
        rows = [
            [value, counts.total(), positive_share(counts, self.positive), *(counts[label] for label in shown)]
            for value, counts in _largest(self.by[name]).items()
        ]
        return Table(name, title, columns, rows)

    def _figure(self, order: list[str]) -> Figure:
        shown = {label: self.labels[label] for label in order if self.labels[label]}
        title = f"{self.corpus.name}: {self.labels.total():,} pairs by label"
        return Figure("labels", title, label_bars(title, shown, self._classes()))

    def _figure_by(self, name: str, title: str) -> Figure:
        shown = self._classes()
        summed = {value: by_class(counts, shown) for value, counts in _largest(self.by[name]).items()}
        heading = f"{self.corpus.name}: {title[0].lower()}{title[1:]}"
        return Figure(name, heading, stacked_shares(heading, summed, list(dict.fromkeys(shown.values()))))

    def _classes(self) -> dict[str, str]:
        return classes(self.labels, self.positive.__getitem__)

    def _remarks(self, order: list[str]) -> list[str]:
        remarks = []
        if len([label for label in self.labels if label != UNLABELLED]) == 1:
            remarks.append("all labels are the same: nothing can be compared by label")
        if not any(self.positive[label] is not None for label in self.labels):
            remarks.append("no label says whether a pair is a paraphrase, so there is no share of positives")
        if len(order) > MOST_COLUMNS:
            remarks.append(f"{len(order)} labels are too many to stand beside each other by part and source")
        return remarks


def _largest(counts: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """The largest first, and what is beyond a table's length summed as one row."""
    order = sorted(counts, key=lambda value: (value == UNLABELLED, -counts[value].total(), value))
    shown = {value: counts[value] for value in order[:MOST_ROWS]}
    if len(order) > MOST_ROWS:
        shown[OTHERS] = sum((counts[value] for value in order[MOST_ROWS:]), Counter())
    return shown
