"""At which rank the second text of a known pair is found with the first, among many candidates.

Kanerva et al. 2023, §8.1: all texts of the pairs, each once, are candidates, and those of a pool may be added (§8.2);
they are ordered by their cosine to the first text of a pair. The rank of the second text is 1 and the number of
candidates that are nearer. Other known paraphrases of the first text are neither right nor wrong and do not count,
which the paper leaves open. A candidate that is as near counts as nearer, so that an encoder that gives everything the
same vector finds nothing, and how often that happens is counted. Cosines are computed block by block: memory does not
grow with the candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.engine import Progress
from otherwords.labels import is_label, parse_label
from otherwords.records import Pair
from otherwords.text.normalise import normalise

TOP = (1, 10, 100, 1000, 2048)  # Kanerva et al. 2023, Figure 11
LABEL_ORDER = ("4", "4</4>", "3", "2", "1", "x")  # Figures 9 to 11: flags i and s do not count
UNLABELLED = "unlabelled"
EMPTY, SAME_TEXT = "one of its texts is empty", "both of its texts are the same"
ROWS_PER_BLOCK, QUERIES_PER_BLOCK = 8_192, 512
ROUNDING = 1e-6  # cosines that differ by no more are equal

Places: TypeAlias = NDArray[np.int64]
Cosines: TypeAlias = NDArray[np.float32]


class CandidateScores(Protocol):
    """The cosines of texts with candidates: the first candidates are the texts themselves, others those of a pool."""

    @property
    def candidates(self) -> int: ...

    def block(self, queries: Places, start: int, stop: int) -> Cosines:
        """A row for each query, which is the place of a text, and a column for each candidate from start to stop."""


@dataclass(frozen=True, slots=True)
class HiddenPairs:
    """Known pairs as places in a list of different texts, with the class of the label of each."""

    rows: Places  # the numbers of the pairs among those that were given
    texts: list[str]
    queries: Places  # of the first text of each pair
    golds: Places  # of the second
    labels: list[str]
    clusters: Places  # of every text: the smallest place among its known paraphrases
    left_out: Counter[str]

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Sequence[int]) -> HiddenPairs:
        """Some of the pairs, to be looked for among the texts of all."""
        chosen, labels = np.array(rows, np.int64), [self.labels[row] for row in rows]
        return replace(
            self, rows=self.rows[chosen], queries=self.queries[chosen], golds=self.golds[chosen], labels=labels
        )

    def known(self) -> tuple[Places, Places]:
        """Every pair with each known paraphrase of its first text, that first text and the second included."""
        order = np.argsort(self.clusters, kind="stable")
        sorted_clusters, own = self.clusters[order], self.clusters[self.queries]
        starts, stops = (np.searchsorted(sorted_clusters, own, side) for side in ("left", "right"))
        numbers = np.repeat(np.arange(len(self)), stops - starts)
        firsts = np.repeat(starts - np.cumsum(stops - starts) + (stops - starts), stops - starts)
        members = order[firsts + np.arange(len(numbers))]
        ends = np.concatenate([np.arange(len(self))] * 2), np.concatenate([self.queries, self.golds])
        both = np.stack([np.concatenate([numbers, ends[0]]), np.concatenate([members, ends[1]])])
        pairs, places = np.unique(both, axis=1)
        return pairs, places


@dataclass(frozen=True, slots=True)
class RetrievalRanks:
    """The rank of each pair, and how many other candidates are as near as its second text."""

    ranks: Places
    ties: Places
    candidates: int  # among which a text is looked for, itself not included


class RankScores(msgspec.Struct, frozen=True):
    """How well some pairs are found: shares within the first so many, and the mean rank in per cent."""

    n: int
    top: dict[str, float]
    mean_rank: float  # (rank - 1) / candidates, in per cent: 0 is perfect


def hide_pairs(pairs: Iterable[tuple[Pair, bool]]) -> HiddenPairs:
    """Pairs, and whether they are paraphrases, whose second text is to be found with the first.

    Texts that are equal in their normal form are one.
    """
    places: dict[str, int] = {}
    labels: list[str | None] = []
    ends: list[tuple[int, int, int]] = []
    left_out: Counter[str] = Counter()
    clusters = _Clusters()
    for row, (pair, positive) in enumerate(pairs):
        first, second = normalise(pair.text1), normalise(pair.text2)
        if not first or not second:
            left_out[EMPTY] += 1
        elif first == second:
            left_out[SAME_TEXT] += 1
        else:
            ends.append((row, places.setdefault(first, len(places)), places.setdefault(second, len(places))))
            labels.append(pair.label)
            if positive:
                clusters.join(places[first], places[second])
    rows, queries, golds = np.array(ends, np.int64).reshape(-1, 3).T
    roots = np.array([clusters.root(place) for place in range(len(places))], np.int64)
    return HiddenPairs(rows, list(places), queries, golds, label_classes(labels), roots, left_out)


class _Clusters:
    """Places that are connected have the smallest of them as their root."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def root(self, place: int) -> int:
        while (parent := self._parents.get(place, place)) != place:
            self._parents[place] = place = self._parents.get(parent, parent)
        return place

    def join(self, first: int, second: int) -> None:
        low, high = sorted((self.root(first), self.root(second)))
        self._parents[high] = low


def label_classes(labels: Sequence[str | None]) -> list[str]:
    """The classes in which ranks are counted: base and arrow of Turku labels, 4< and 4> as one; others as they are."""
    given = {label for label in labels if label is not None}
    classes = {label: label for label in given}
    if all(map(is_label, given)):
        parsed = {label: parse_label(label) for label in given}
        classes = {label: "4</4>" if value.arrow else value.base for label, value in parsed.items()}
    return [UNLABELLED if label is None else classes[label] for label in labels]


def in_label_order(labels: Iterable[str]) -> list[str]:
    """Different classes, those of Turku labels from 4 to 1 and others in the order of their names."""
    known = {label: place for place, label in enumerate(LABEL_ORDER)}
    return sorted(set(labels), key=lambda label: (known.get(label, len(known)), label))


def retrieval_ranks(
    scores: CandidateScores,
    hidden: HiddenPairs,
    copies: Places | None = None,
    progress: Progress = lambda done, total: None,
) -> RetrievalRanks:
    """The rank of every pair. ``copies`` are candidates of the pool that are copies of a text, which count once."""
    own, size = len(hidden.texts), len(hidden)
    golds = np.zeros(size, np.float32)
    blocks = [*_spans(0, own), *_spans(own, scores.candidates)]
    for start, stop in _spans(0, own):
        for rows in _parts(np.flatnonzero((hidden.golds >= start) & (hidden.golds < stop))):
            values = scores.block(hidden.queries[rows], start, stop)
            golds[rows] = values[np.arange(len(rows)), hidden.golds[rows] - start]
    nearer, equal = np.zeros(size, np.int64), np.zeros(size, np.int64)
    left_out = np.sort(np.zeros(0, np.int64) if copies is None else copies)
    known_pairs, known_places = hidden.known()
    for start, stop in blocks:
        here = left_out[(left_out >= start) & (left_out < stop)] - start
        for rows in _parts(np.arange(size)):
            values = scores.block(hidden.queries[rows], start, stop)
            values[:, here] = -np.inf
            low, high = np.searchsorted(known_pairs, [rows[0], rows[-1] + 1])
            inside = low + np.flatnonzero((known_places[low:high] >= start) & (known_places[low:high] < stop))
            values[known_pairs[inside] - rows[0], known_places[inside] - start] = -np.inf
            difference = values - golds[rows][:, None]
            nearer[rows] += np.count_nonzero(difference > ROUNDING, axis=1)
            equal[rows] += np.count_nonzero(np.abs(difference) <= ROUNDING, axis=1)
        progress(stop, scores.candidates)
    return RetrievalRanks(1 + nearer + equal, equal, scores.candidates - len(left_out) - 1)


def rank_scores(found: RetrievalRanks, rows: Places | None = None) -> RankScores:
    """The scores of all pairs or of some of them."""
    ranks = found.ranks if rows is None else found.ranks[rows]
    if not len(ranks):
        return RankScores(0, {str(top): 0.0 for top in TOP}, 0.0)
    shares = {str(top): float((ranks <= top).mean()) for top in TOP}
    return RankScores(len(ranks), shares, float(relative_ranks(found)[slice(None) if rows is None else rows].mean()))


def relative_ranks(found: RetrievalRanks) -> NDArray[np.float64]:
    """Ranks in per cent of the candidates: 0 for the first."""
    return 100.0 * (found.ranks - 1) / max(1, found.candidates)


def scores_by_label(found: RetrievalRanks, labels: Sequence[str]) -> dict[str, RankScores]:
    """The scores of the pairs of each class of labels."""
    classes = np.array(labels, np.str_)
    return {label: rank_scores(found, np.flatnonzero(classes == label)) for label in in_label_order(labels)}


def _spans(start: int, stop: int) -> list[tuple[int, int]]:
    return [(first, min(first + ROWS_PER_BLOCK, stop)) for first in range(start, stop, ROWS_PER_BLOCK)]


def _parts(rows: Places) -> list[Places]:
    return [rows[first : first + QUERIES_PER_BLOCK] for first in range(0, len(rows), QUERIES_PER_BLOCK)]
