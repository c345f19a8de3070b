"""Labels and their frequency: in the whole corpus, in each part and each source (Kanerva et al. 2023, Figure 1).

Rewrites, whose label follows from a rule, are counted separately. The share of positives is of the pairs whose label
says yes or no.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from sqlalchemy import select

from otherwords.analyse.averages import ratio
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import label_bars, stacked_shares
from otherwords.analyse.finding import LABEL, PAIRS, Column, Figure, Finding, Table, plain_columns, quantity
from otherwords.analyse.findings.random_shares import LabelEstimate, all_estimates, estimates_table
from otherwords.analyse.label_classes import (
    MOST_COLUMNS,
    NEGATIVE,
    POSITIVE,
    UNLABELLED,
    by_class,
    classes,
    kind_of,
    label_order,
    positive_share,
    shown_labels,
)
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.corpus.splits.step import SPLIT, parts_table, read_parts
from otherwords.measures.options import signature
from otherwords.project.ledger import schema
from otherwords.project.project import open_project
from otherwords.records import Pair

MOST_ROWS = 30  # of a table by source; the rest are summed
OTHERS = "(others)"
CAPTION = "How many pairs have each label; tones run from strong to faint in the order of the labels."


class LabelShares:
    """Labels and their frequency, also by part and source; the share of positives."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus, self.part_of = corpus, _part_lookup(corpus)
        self.labels: Counter[str] = Counter()
        self.rewrites: Counter[str] = Counter()
        self.positive: dict[str, bool | None] = {}
        self._parts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._sources: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.by: dict[str, dict[str, Counter[str]]] = {"parts": self._parts, "sources": self._sources}

    def add(self, batch: PairBatch) -> None:
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
        class_of = classes(self.labels, self.positive.__getitem__)
        shown = {label: self.labels[label] for label in order if self.labels[label]}
        title = f"{self.corpus.name}: {quantity(self.labels.total(), 'pair')} by label"
        tables = [self._summary(), self._labels(order)]
        figures = [Figure("labels", title, label_bars(title, shown, class_of), CAPTION)]
        for name, title in (("parts", "Labels by part"), ("sources", "Labels by source")):
            counts = _largest(self.by[name])
            if any(value != UNLABELLED for value in counts):
                tables.append(self._by(name, title, counts, list(shown)))
                summed = {value: by_class(of_value, class_of) for value, of_value in counts.items()}
                heading = f"{self.corpus.name}: {title[0].lower()}{title[1:]}"
                spec = stacked_shares(heading, summed, list(dict.fromkeys(class_of.values())))
                figures.append(
                    Figure(
                        name, heading, spec, f"A bar for each {name.removesuffix('s')}, cut by the share of each label."
                    )
                )
        if estimates := _estimates(self.corpus):
            tables.append(estimates_table(estimates))
        return Finding(
            "labels",
            "Labels",
            "How often each label is given. The share of positives is of the pairs whose label says yes or no; "
            "rewrites are counted separately (Kanerva et al. 2023, §6).",
            tables,
            figures,
            remarks=self._remarks(order),
            signatures={table.name: signature("label-shares", {"rewrites": "apart"}) for table in tables},
            headlines=_headlines(tables[0]),
        )

    def _summary(self) -> Table:
        kinds: Counter[str] = Counter()
        for label, count in self.labels.items():
            kinds[kind_of(self.positive[label])] += count
        positive, negative = kinds[POSITIVE], kinds[NEGATIVE]
        columns = plain_columns("count", "pairs", "rewrites", "labelled", POSITIVE, NEGATIVE)
        columns.append(Column("positive_share", "positives", "share"))
        pairs, share = self.labels.total(), ratio(positive, positive + negative)
        row = [pairs, self.rewrites.total(), pairs - self.labels[UNLABELLED], positive, negative, share]
        return Table("summary", "The corpus", columns, [row])

    def _labels(self, order: list[str]) -> Table:
        total = self.labels.total() or 1
        columns = [LABEL, PAIRS, Column("share", "share", "share"), Column("says", "says")]
        columns += plain_columns("count", "rewrites")
        rows = [
            (label, count := self.labels[label], count / total, kind_of(self.positive[label]), self.rewrites[label])
            for label in order
        ]
        return Table("labels", "Labels", columns, rows)

    def _by(self, name: str, title: str, counts_by_value: dict[str, Counter[str]], labels: list[str]) -> Table:
        shown = shown_labels(labels)
        columns = [
            Column(name.removesuffix("s"), name.removesuffix("s")),
            PAIRS,
            Column("positive_share", "positives", "share"),
            *(Column(f"label {label}", label, "count") for label in shown),
        ]
        rows = [
            [value, counts.total(), positive_share(counts, self.positive), *(counts[label] for label in shown)]
            for value, counts in counts_by_value.items()
        ]
        return Table(name, title, columns, rows)

    def _remarks(self, order: list[str]) -> list[str]:
        remarks = []
        if len([label for label in self.labels if label != UNLABELLED]) == 1:
            remarks.append("all labels are the same: nothing can be compared by label")
        if not any(self.positive[label] is not None for label in self.labels):
            remarks.append("no label says whether a pair is a paraphrase, so there is no share of positives")
        if len(order) > MOST_COLUMNS:
            remarks.append(f"{len(order)} labels are too many for a column each by part and source")
        return remarks


def _estimates(corpus: Corpus) -> list[LabelEstimate]:
    """Estimates from the random shares of batches whose pairs were chosen by worth, which are no sample themselves."""
    if corpus.kind != "project":
        return []
    with open_project(corpus.path) as project, project.ledger.reading() as connection:
        return all_estimates(connection, project)


def _headlines(summary: Table) -> list[str]:
    """The share of paraphrases in a sentence, if there is one."""
    [row] = summary.as_dicts()
    share, decided = row["positive_share"], int(row[POSITIVE] or 0) + int(row[NEGATIVE] or 0)
    if not isinstance(share, float):
        return []
    return [f"{100 * share:.1f} % of {quantity(decided, 'pair')} with a label that says yes or no are paraphrases"]


def _largest(counts: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """The largest first; those beyond the length of a table are summed in one row."""
    order = sorted(counts, key=lambda value: (value == UNLABELLED, -counts[value].total(), value))
    shown = {value: counts[value] for value in order[:MOST_ROWS]}
    if len(order) > MOST_ROWS:
        shown[OTHERS] = sum((counts[value] for value in order[MOST_ROWS:]), Counter())
    return shown


def _part_lookup(corpus: Corpus) -> Callable[[Pair], str | None]:
    """A function from a pair to its part of a split; it has to be called for all pairs in the order of the corpus.

    In a file a pair says itself in which part it is; of a project the last split counts. A project that was never split
    has no parts: analysing it splits nothing.
    """
    if corpus.kind != "project":
        return _part_in_meta
    steps = schema.steps
    done = select(steps.c.seq).where(steps.c.name == SPLIT.name, steps.c.state == "done").limit(1)
    with open_project(corpus.path) as project:
        with project.ledger.reading() as connection:
            if connection.execute(done).first() is None:
                return _part_in_meta
        rows = read_parts(parts_table(project))

    def part(pair: Pair) -> str | None:
        """Both tables are in the order of the ledger, so the rows in between belong to pairs that are not analysed."""
        return next((row.part for row in rows if row.id == pair.id), None)

    return part


def _part_in_meta(pair: Pair) -> str | None:
    part = pair.meta.get("part") or pair.meta.get("split")
    return part if isinstance(part, str) else None
