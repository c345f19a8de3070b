"""A measure by range and label: the table by which Suzuki et al. 2017 (Table 1) balance their corpus.

Ranges are closed on the left, and the exact matches are a range of their own. For measures that
are a ratio of two counts the range is found with whole numbers (10·|∩| // |∪|): more than half of
that corpus lies exactly on an edge, where a floating-point quotient falls to either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.acquire.batches import Chosen, batches, columns
from otherwords.acquire.score import fitted_reading
from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.errors import UsageError
from otherwords.measures import Measure, measure, token_counts
from otherwords.measures.bins import bin_scores, range_names
from otherwords.records import Pair
from otherwords.sources.reading import Reading, Watch, unwatched


@dataclass(slots=True)
class Range:
    """One row of the table."""

    name: str
    pairs: int = 0
    tokens1: int = 0
    tokens2: int = 0
    labels: Counter[str] = field(default_factory=Counter)

    def as_dict(self, labels: list[str]) -> dict[str, object]:
        return {
            "range": self.name,
            "pairs": self.pairs,
            "mean_tokens_text1": self.tokens1 / self.pairs if self.pairs else None,
            "mean_tokens_text2": self.tokens2 / self.pairs if self.pairs else None,
            "labels": {label: self.labels[label] for label in labels},
        }


@dataclass(slots=True)
class Bins:
    """The whole table, with the signature of its measure."""

    measure: str
    signature: str
    ranges: list[Range]

    @property
    def labels(self) -> list[str]:
        """All labels that occur."""
        return label_order(self.total.labels)

    @property
    def total(self) -> Range:
        """The sum of all ranges."""
        total = Range("total")
        for row in self.ranges:
            total.pairs += row.pairs
            total.tokens1 += row.tokens1
            total.tokens2 += row.tokens2
            total.labels += row.labels
        return total

    def as_dict(self) -> dict[str, object]:
        return {
            "measure": self.measure,
            "signature": self.signature,
            "ranges": [row.as_dict(self.labels) for row in self.ranges],
            "total": self.total.as_dict(self.labels),
        }


def bins(pairs: Iterable[Pair], chosen: Chosen, count: int = 10) -> Bins:
    """Count pairs by range and label. Rewrites are pairs of their own and are left out."""
    [spec] = chosen.specs
    highest = measure(spec).range[1]
    if count < 1:
        raise UsageError(f"--bins {count}: at least one range is needed")
    ranges = [Range(name) for name in range_names(count, highest)]
    for batch in batches(pair for pair in pairs if pair.rewrite_of is None):
        for numbers, measures in chosen.parted(batch):
            count_pairs([batch[number] for number in numbers], measures[spec], ranges)
    signature = chosen.signatures().get(spec, measure(spec).signature())
    return Bins(spec, signature, ranges)


def count_pairs(pairs: list[Pair], one: Measure, ranges: list[Range]) -> None:
    """Count some pairs in the ranges into which they fall by a measure."""
    texts1, texts2 = columns(pairs)
    places = bin_scores(one, texts1, texts2, len(ranges) - 1).tolist()
    lengths1, lengths2 = (token_counts(texts, one.tokeniser).tolist() for texts in (texts1, texts2))
    for pair, place, length1, length2 in zip(pairs, places, lengths1, lengths2, strict=True):
        row = ranges[place]
        row.pairs += 1
        row.tokens1 += length1
        row.tokens2 += length2
        row.labels[pair.label if pair.label is not None else UNLABELLED] += 1


def bins_of_file(
    path: str | Path,
    spec: str = "jaccard",
    count: int = 10,
    *,
    lang: str | None = None,
    tokeniser: str | None = None,
    watch: Watch = unwatched,
    **wishes: Any,
) -> tuple[Reading, Bins]:
    """The table of a corpus in a file."""
    chosen = Chosen([spec], lang, tokeniser)
    with fitted_reading(path, chosen, lang=lang, watch=watch, **wishes) as corpus:
        return corpus, bins(watch(corpus.pairs(), corpus, "counting"), chosen, count)
