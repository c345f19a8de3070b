"""Lengths of texts in tokens: by label, for first and second texts separately (Kanerva et al. 2023, Figure 3).

Only the count of each length is kept, since lengths are whole numbers. Means and medians are exact.
"""

from __future__ import annotations

from collections import Counter

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import FigureLine, named_lines, without_small
from otherwords.analyse.finding import LABEL, PAIRS, Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import KINDS, groupings, kind_of
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.measures.options import signature
from otherwords.text.tokenise import tokeniser

LONGEST_SHOWN = 40  # tokens; longer texts are one row of the table and are not in the figure
Counts = Counter[int]


class Lengths:
    """Tokens per text: mean, median and histogram, by label and for both texts."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.counts: dict[str, tuple[Counts, Counts]] = {}
        self.tokenisers: set[str] = set()

    def add(self, batch: PairBatch) -> None:
        first, second = (side.tolist() for side in batch.tokens)
        for place in batch.originals:
            label = batch.labels[place]
            self.positive[label] = batch.positive[place]
            counts1, counts2 = self.counts.setdefault(label, (Counter(), Counter()))
            counts1[first[place]] += 1
            counts2[second[place]] += 1
        self.tokenisers |= {batch.tokeniser_of(pair) for pair in batch.pairs}

    def finding(self) -> Finding | None:
        if not self.counts:
            return None
        tokenisers = " and ".join(sorted(tokeniser(name).signature for name in self.tokenisers))
        signed = signature("tokens", {"tok": tokenisers})
        tables = [self._labels(), self._histogram()]
        figures, small = self._figures()
        texts: Counts = sum((counts for sides in self.counts.values() for counts in sides), Counter())
        mean = sum(length * count for length, count in texts.items()) / texts.total()
        return Finding(
            "lengths",
            "Lengths",
            "Tokens of each text, counted with the tokeniser of its language (Kanerva et al. 2023, Figure 3). Rewrites "
            "are left out.",
            tables,
            figures,
            remarks=small,
            signatures={table.name: signed for table in tables},
            headlines=[f"A text has {mean:.1f} tokens on average"],
        )

    def _labels(self) -> Table:
        sides = ("text1", "text2", "both")
        columns = [LABEL, PAIRS, *(Column(f"mean_{side}", f"mean {side}", "number") for side in sides)]
        columns += [Column(f"median_{side}", f"median {side}", "number") for side in sides]
        columns.append(Column("longest", "longest", "count"))
        rows: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            first, second = self._sides(labels)
            lengths = (first, second, first + second)
            means = [sum(length * count for length, count in counts.items()) / counts.total() for counts in lengths]
            rows.append([name, first.total(), *means, *map(_median, lengths), max(lengths[-1])])
        return Table("labels", "Tokens by label", columns, rows)

    def _histogram(self) -> Table:
        columns = [Column("tokens", "tokens"), Column("text1", "text 1", "count"), Column("text2", "text 2", "count")]
        by_kind = self._by_kind()
        columns += [Column(kind, f"{kind} texts", "count") for kind in by_kind]
        per_column = [*self._sides(list(self.counts)), *by_kind.values()]
        longest = max(max(counts) for counts in per_column)
        rows: list[list[Cell]] = [
            [str(length), *(counts[length] for counts in per_column)]
            for length in range(min(longest, LONGEST_SHOWN) + 1)
        ]
        if longest > LONGEST_SHOWN:
            longer = [sum(counts[length] for length in counts if length > LONGEST_SHOWN) for counts in per_column]
            rows.append([f"more than {LONGEST_SHOWN}", *longer])
        return Table("histogram", "Texts by length", columns, rows)

    def _figures(self) -> tuple[list[Figure], list[str]]:
        """The figure, and remarks on the lines that are left out of it."""
        title = f"{self.corpus.name}: tokens per text"
        by_kind = self._by_kind()
        longest = min(max(max(counts) for counts in by_kind.values()), LONGEST_SHOWN)
        shares = {
            kind: [(length, counts[length] / counts.total()) for length in range(longest + 1)]
            for kind, counts in by_kind.items()
        }
        all_lines = [FigureLine(kind, points, by_kind[kind].total()) for kind, points in shares.items()]
        lines, small = without_small(all_lines, "text")
        spec = named_lines(title, lines, "tokens", "share of texts", {"format": "%"})
        caption = "For each length in tokens, the share of the texts of a kind that have it."
        return [Figure("lengths", title, spec, caption)] if lines else [], small

    def _sides(self, labels: list[str]) -> tuple[Counts, Counts]:
        sides = Counts(), Counts()
        for label in labels:
            for side, counts in zip(sides, self.counts[label], strict=True):
                side.update(counts)
        return sides

    def _by_kind(self) -> dict[str, Counts]:
        kinds: dict[str, Counts] = {kind: Counter() for kind in KINDS}
        for label, (counts1, counts2) in self.counts.items():
            kinds[kind_of(self.positive[label])] += counts1 + counts2
        return {kind: counts for kind, counts in kinds.items() if counts}


def _median(counts: Counts) -> float:
    """The middle length, or the mean of the two in the middle."""
    total, below = counts.total(), 0
    middle: list[int] = []
    for length in sorted(counts):
        below += counts[length]
        while len(middle) < 2 and below > (total - 1 + len(middle)) // 2:
            middle.append(length)
    return sum(middle) / 2
