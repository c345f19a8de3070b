"""A measure by range and label: the table by which Suzuki et al. 2017 (Table 1) balance their corpus.

Ranges are closed on the left, and the exact matches are a range of their own. For measures that
are a ratio of two counts the range is found with whole numbers (10·|∩| // |∪|): more than half of
that corpus lies exactly on an edge, where a floating-point quotient falls to either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords.acquire.score import chosen_measures, fit
from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.errors import UsageError
from otherwords.measures import Measure, token_counts
from otherwords.measures.bins import bin_scores, range_names
from otherwords.records import Pair
from otherwords.sources.files import readable_twice
from otherwords.sources.reading import Reading, Watch, reading, unwatched

PAIRS_A_BATCH = 4096


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


def bins(pairs: Iterable[Pair], chosen: Measure, count: int = 10) -> Bins:
    """Count pairs by range and label. Rewrites are pairs of their own and are left out."""
    if chosen.range != (0.0, 1.0) and chosen.range != (0.0, 100.0):
        raise UsageError(f"{chosen.name} has no fixed range, so it cannot be cut into ranges")
    if count < 1:
        raise UsageError(f"--bins {count}: at least one range is needed")
    ranges = [Range(name) for name in range_names(count, chosen.range[1])]
    stream = (pair for pair in pairs if pair.rewrite_of is None)
    tokeniser = getattr(chosen, "tokeniser", None)
    while batch := list(islice(stream, PAIRS_A_BATCH)):
        texts1 = pa.array([pair.text1 for pair in batch], pa.large_string())
        texts2 = pa.array([pair.text2 for pair in batch], pa.large_string())
        places = bin_scores(chosen, texts1, texts2, count).tolist()
        lengths = zip(token_counts(texts1, tokeniser).tolist(), token_counts(texts2, tokeniser).tolist(), strict=True)
        for pair, place, (length1, length2) in zip(batch, places, lengths, strict=True):
            row = ranges[place]
            row.pairs += 1
            row.tokens1 += length1
            row.tokens2 += length2
            row.labels[pair.label if pair.label is not None else UNLABELLED] += 1
    return Bins(chosen.name, chosen.signature(), ranges)


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
    with readable_twice(path) as readable, reading(readable, lang=lang, **wishes) as corpus:
        first, pairs = corpus.peeked()
        chosen = chosen_measures([spec], first, lang, tokeniser)[spec]
        if chosen.needs_fit:
            with reading(readable, lang=lang, **wishes) as again:
                fit([chosen], again.pairs())
        return corpus, bins(watch(pairs, corpus, "counting"), chosen, count)
