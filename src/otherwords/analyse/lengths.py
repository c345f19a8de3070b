"""How long the texts are, in tokens: by label, and the first and the second text apart (Kanerva et al. 2023, Figure 3).

Lengths are whole numbers, so counts of each length are all that is kept. Means and medians are exact.
"""

from __future__ import annotations

from collections import Counter

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import Line, named_lines
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import NEGATIVE, NEITHER, POSITIVE, groupings, kind_of
from otherwords.analyse.seen import Seen
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature
from otherwords.text.tokenise import tokeniser

LONGEST_SHOWN = 40  # tokens; what is longer is one row of the table and no point of the figure
Counts = Counter[int]


class Lengths:
    """Tokens a text: mean, median and histogram, by label and for both texts."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.counts: dict[str, tuple[Counts, Counts]] = {}
        self.tokenisers: set[str] = set()

    def add(self, batch: Seen) -> None:
        first, second = (side.tolist() for side in batch.tokens)
        for place in batch.originals:
            label = batch.labels[place]
            self.positive[label] = batch.positive[place]
            one, two = self.counts.setdefault(label, (Counter(), Counter()))
            one[first[place]] += 1
            two[second[place]] += 1
        self.tokenisers |= {batch.tokeniser_of(pair) for pair in batch.pairs}

    def finding(self) -> Finding | None:
        if not self.counts:
            return None
        cut = " and ".join(sorted(tokeniser(name).signature for name in self.tokenisers))
        signed = signature("tokens", {"tok": cut})
        tables = [self._labels(), self._histogram()]
        return Finding(
            "lengths",
            "Lengths",
            "Tokens of each text, counted by the tokeniser of its language (Kanerva et al. 2023, Figure 3). Rewrites "
            "are left out.",
            tables,
            [self._figure()],
            signatures={table.name: signed for table in tables},
        )

    def _labels(self) -> Table:
        columns = [Column("label", "label"), Column("pairs", "pairs", "count")]
        for name in ("mean", "median"):
            columns += [Column(f"{name}_{side}", f"{name} {side}", "number") for side in ("text1", "text2", "both")]
        columns.append(Column("longest", "longest", "count"))
        rows: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            sides = self._sides(labels)
            both = sides[0] + sides[1]
            row: list[Cell] = [name, sides[0].total()]
            row += [_mean(one) for one in (*sides, both)]
            row += [_median(one) for one in (*sides, both)]
            rows.append([*row, max(both)])
        return Table("labels", "Tokens by label", columns, rows)

    def _histogram(self) -> Table:
        columns = [Column("tokens", "tokens"), Column("text1", "text 1", "count"), Column("text2", "text 2", "count")]
        by_kind = self._by_kind()
        columns += [Column(kind, f"{kind} texts", "count") for kind in by_kind]
        every = [*self._sides(list(self.counts)), *by_kind.values()]
        longest = max(max(counts) for counts in every)
        rows: list[list[Cell]] = [
            [str(length), *(counts[length] for counts in every)] for length in range(min(longest, LONGEST_SHOWN) + 1)
        ]
        if longest > LONGEST_SHOWN:
            more = [sum(counts[length] for length in counts if length > LONGEST_SHOWN) for counts in every]
            rows.append([f"more than {LONGEST_SHOWN}", *more])
        return Table("histogram", "Texts by length", columns, rows)

    def _figure(self) -> Figure:
        title = f"{self.corpus.name}: tokens a text"
        by_kind = self._by_kind()
        longest = min(max(max(counts) for counts in by_kind.values()), LONGEST_SHOWN)
        lines = [
            Line(kind, [(length, counts[length] / counts.total()) for length in range(longest + 1)])
            for kind, counts in by_kind.items()
        ]
        return Figure("lengths", title, named_lines(title, lines, "tokens", "share of texts", {"format": "%"}))

    def _sides(self, labels: list[str]) -> tuple[Counts, Counts]:
        sides = Counts(), Counts()
        for label in labels:
            for side, counts in zip(sides, self.counts[label], strict=True):
                side.update(counts)
        return sides

    def _by_kind(self) -> dict[str, Counts]:
        kinds: dict[str, Counts] = {POSITIVE: Counter(), NEGATIVE: Counter(), NEITHER: Counter()}
        for label, (one, two) in self.counts.items():
            kinds[kind_of(self.positive[label])] += one + two
        return {kind: counts for kind, counts in kinds.items() if counts}


def _mean(counts: Counts) -> float:
    return sum(length * count for length, count in counts.items()) / counts.total()


def _median(counts: Counts) -> float:
    """The middle length, or the mean of the two in the middle."""
    total, below = counts.total(), 0
    middle: list[int] = []
    for length in sorted(counts):
        below += counts[length]
        while len(middle) < 2 and below > (total - 1 + len(middle)) // 2:
            middle.append(length)
    return sum(middle) / 2
