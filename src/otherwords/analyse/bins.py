"""A measure by range and label: the table by which Suzuki et al. 2017 (Table 1) balance their corpus.

Ranges are closed on the left, and exact matches are a range of their own. For measures that are a ratio of two counts
the range is computed with whole numbers (10·|∩| // |∪|): more than half of that corpus lies exactly on an edge, where a
floating-point quotient falls to either side. Negatives of several origins are counted apart, as in that table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire.batches import SelectedMeasures, pair_blocks, text_columns
from otherwords.acquire.score import fitted_reading
from otherwords.analyse.averages import ratio
from otherwords.analyse.label_classes import UNLABELLED, label_of, label_order
from otherwords.annotate.labels.label_rule import polarity
from otherwords.errors import UsageError
from otherwords.measures import Measure, measure, token_counts
from otherwords.measures.bins import bin_of_score, bin_scores, range_names
from otherwords.records import Pair
from otherwords.sources.reading import RecordReader, WithProgress, without_progress

PairOrigin = tuple[str | None, ...]  # meta.origin, method, source
MOST_ORIGINS = 8  # columns of a table; the rest are summed
OTHERS = "(others)"


def origin_of(pair: Pair) -> PairOrigin:
    """All that a pair says about its origin."""
    origin = pair.meta.get("origin")
    return (origin if isinstance(origin, str) else None, pair.method, pair.source)


def origin_names(counts: Mapping[PairOrigin, int]) -> dict[PairOrigin, str]:
    """The column in which a table counts each origin, the largest first; empty if all pairs have the same."""
    fields = [place for place, values in enumerate(zip(*counts, strict=True)) if len(set(values)) > 1]
    names = {origin: next(filter(None, (origin[place] for place in fields)), UNLABELLED) for origin in counts}
    totals: Counter[str] = Counter()
    for origin, name in names.items():
        totals[name] += counts[origin]
    order = sorted(totals, key=lambda name: (name == UNLABELLED, -totals[name], name))
    if len(order) < 2:
        return {}
    shown = order if len(order) <= MOST_ORIGINS else order[: MOST_ORIGINS - 1]
    places = {name: place for place, name in enumerate(shown)}
    kept = {origin: name if name in places else OTHERS for origin, name in names.items()}
    return dict(sorted(kept.items(), key=lambda item: places.get(item[1], len(shown))))


STRATA = 20  # of lexical similarity, 0.05 each; Kanerva et al. 2023, §7.2


@dataclass(slots=True)
class Range:
    """One row of the table."""

    name: str
    pairs: int = 0
    tokens1: int = 0
    tokens2: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    origins: Counter[tuple[str, PairOrigin]] = field(default_factory=Counter)  # by label

    def mean_tokens(self) -> tuple[float | None, float | None]:
        """Mean length of the first and of the second texts."""
        return ratio(self.tokens1, self.pairs), ratio(self.tokens2, self.pairs)

    def count_origins(self, labels: Collection[str], names: Mapping[PairOrigin, str]) -> dict[str, int]:
        """The number of pairs with one of these labels by the name of their origin, in the order of the names."""
        counts = dict.fromkeys(names.values(), 0)
        for (label, origin), count in self.origins.items():
            if label in labels:
                counts[names[origin]] += count
        return counts


@dataclass(slots=True)
class Bins:
    """The whole table, with the signature of its measure."""

    measure: str
    signature: str
    ranges: list[Range]

    @property
    def labels(self) -> list[str]:
        """All labels that occur, in display order."""
        return label_order(self.total.labels)

    @property
    def total(self) -> Range:
        return sum_ranges(self.ranges)

    def negatives(self) -> list[dict[str, int]]:
        """The negatives of every range and of all by their origin; empty if there are not several origins."""
        known = [label for label in self.labels if label != UNLABELLED]
        is_positive = polarity(known)
        return negatives_by_origin(
            [*self.ranges, self.total], {label for label in known if is_positive(label) is False}
        )

    def as_dict(self) -> dict[str, object]:
        rows = [self._row(row) for row in (*self.ranges, self.total)]
        for row, counts in zip(rows, self.negatives(), strict=False):
            row["negatives"] = counts
        return {"measure": self.measure, "signature": self.signature, "ranges": rows[:-1], "total": rows[-1]}

    def _row(self, row: Range) -> dict[str, object]:
        mean1, mean2 = row.mean_tokens()
        return {
            "range": row.name,
            "pairs": row.pairs,
            "mean_tokens_text1": mean1,
            "mean_tokens_text2": mean2,
            "labels": {label: row.labels[label] for label in self.labels},
        }


def negatives_by_origin(rows: Sequence[Range], labels: Collection[str]) -> list[dict[str, int]]:
    """For every row the pairs with one of these labels by origin; empty if all of them have the same."""
    origins: Counter[PairOrigin] = Counter()
    for row in rows:
        for (label, origin), count in row.origins.items():
            if label in labels:
                origins[origin] += count
    names = origin_names(origins)
    return [row.count_origins(labels, names) for row in rows] if names else []


def sum_ranges(ranges: Iterable[Range]) -> Range:
    """The row of totals."""
    total = Range("total")
    for row in ranges:
        total.pairs += row.pairs
        total.tokens1 += row.tokens1
        total.tokens2 += row.tokens2
        total.labels += row.labels
        total.origins += row.origins
    return total


def bins(pairs: Iterable[Pair], selected: SelectedMeasures, count: int = 10) -> Bins:
    """Count pairs by range and label, without rewrites."""
    [spec] = selected.specs
    lowest, highest = measure(spec).range
    if count < 1:
        raise UsageError(f"--bins {count}: at least one range is needed", code="no-ranges")
    ranges = [Range(name) for name in range_names(count, highest, lowest)]
    for batch in pair_blocks(pair for pair in pairs if pair.rewrite_of is None):
        for numbers, measures in selected.parted(batch):
            count_pairs([batch[number] for number in numbers], measures[spec], ranges)
    signature = selected.signatures().get(spec, measure(spec).signature())
    return Bins(spec, signature, ranges)


def count_pairs(pairs: list[Pair], scorer: Measure, ranges: list[Range]) -> None:
    """Add pairs to the ranges that their scores fall into."""
    texts1, texts2 = text_columns(pairs)
    places = bin_scores(scorer, texts1, texts2, len(ranges) - 1).tolist()
    lengths1, lengths2 = (token_counts(texts, scorer.tokeniser).tolist() for texts in (texts1, texts2))
    for pair, place, length1, length2 in zip(pairs, places, lengths1, lengths2, strict=True):
        row = ranges[place]
        row.pairs += 1
        row.tokens1 += length1
        row.tokens2 += length2
        label = label_of(pair)
        row.labels[label] += 1
        row.origins[label, origin_of(pair)] += 1


def bins_of_file(
    path: str | Path,
    spec: str = "jaccard",
    count: int = 10,
    *,
    lang: str | None = None,
    tokeniser: str | None = None,
    watch: WithProgress = without_progress,
    **reading_options: Any,
) -> tuple[RecordReader, Bins]:
    """The table of a corpus in a file; ``reading_options`` go to :func:`otherwords.sources.reading.open_records`."""
    selected = SelectedMeasures([spec], lang, tokeniser)
    with fitted_reading(path, selected, lang=lang, watch=watch, **reading_options) as corpus:
        return corpus, bins(watch(corpus.pairs(), corpus, "counting"), selected, count)


def strata_of(similarities: NDArray[np.float64]) -> NDArray[np.int64]:
    """The stratum of each similarity; 1 belongs to the last stratum."""
    return np.minimum(bin_of_score(similarities, STRATA), STRATA - 1)


def stratum_edges(stratum: int) -> tuple[float, float]:
    return stratum / STRATA, (stratum + 1) / STRATA
