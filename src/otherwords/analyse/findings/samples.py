"""Equal samples of several corpora, so that they can be compared (Kanerva et al. 2023, §6.2).

Samples are drawn from the positives, or from all pairs of a corpus whose labels say neither yes nor no, and are as
large as was asked for or as the smallest corpus allows. Of a set of paraphrases, which is a group whose pairs are
connected by the texts that they share, one random pair can be drawn; of a group of unconnected pairs, such as those of
one document, all can. A ranked corpus, which has no labels and one score for each pair, gives its best pairs; any other
gives random ones.

Two passes: the first keeps a few numbers for each pair, the second takes the texts of the pairs that were drawn.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from otherwords.analyse.findings.examples import seeded_digest
from otherwords.corpus.corpus import Corpus
from otherwords.records import Pair

RANKED_BY = "pmi"  # ranks Opusparcus; its reader keeps the measures of the release in ``meta``


@dataclass(slots=True)
class Candidates:
    """A few numbers for every pair that is no rewrite."""

    corpus: Corpus
    seed: int
    places: array[int] = field(default_factory=lambda: array("Q"))
    polarities: array[int] = field(default_factory=lambda: array("b"))  # 1 yes, 0 no, -1 neither
    lots: array[int] = field(default_factory=lambda: array("Q"))
    groups: array[int] = field(default_factory=lambda: array("Q"))  # 0 is none
    texts: array[int] = field(default_factory=lambda: array("Q"))  # two for each pair, each with its group
    scores: array[float] = field(default_factory=lambda: array("d"))
    score: str | None = None  # the name of the first pair's score

    def add(self, pair: Pair, place: int) -> None:
        """Add a pair; if it came with a single score, or with the one of its release, that may rank it."""
        positive = self.corpus.positive(pair)
        name, value = next(iter(pair.scores.items())) if len(pair.scores) == 1 else _released_score(pair)
        self.score = name if not self.places else self.score
        self.places.append(place)
        self.polarities.append(-1 if positive is None else int(positive))
        self.lots.append(seeded_digest(self.seed, pair.text1, pair.text2, pair.label))
        self.groups.append(seeded_digest(0, pair.group) if pair.group is not None else 0)
        self.texts.extend(seeded_digest(0, pair.group, text) for text in (pair.text1, pair.text2))
        self.scores.append(value if name == self.score and value is not None else np.nan)

    def sets(self) -> NDArray[np.uint64]:
        """The groups of several connected pairs: n such pairs have no more than n + 1 texts."""
        groups, pairs = np.unique(np.array(self.groups, np.uint64), return_counts=True)
        _, first = np.unique(np.array(self.texts, np.uint64), return_index=True)
        group_of_text = np.repeat(np.array(self.groups, np.uint64), 2)[first]
        texts = np.bincount(np.searchsorted(groups, group_of_text), minlength=len(groups))
        sets: NDArray[np.uint64] = groups[(groups != 0) & (pairs > 1) & (texts <= pairs + 1)]
        return sets

    @property
    def labelled(self) -> bool:
        """Whether any label says yes or no."""
        return bool((np.array(self.polarities) >= 0).any())

    @property
    def ranked_by(self) -> str | None:
        """The score that ranks the corpus, if it has no labels and every pair has that score."""
        ranked = self.score is not None and not self.labelled and not np.isnan(np.array(self.scores)).any()
        return self.score if ranked else None


def _released_score(pair: Pair) -> tuple[str | None, float | None]:
    try:
        return RANKED_BY, float(pair.meta[RANKED_BY])
    except (KeyError, TypeError, ValueError):
        return None, None


@dataclass(frozen=True, slots=True)
class Sample:
    """The pairs drawn from a corpus, and how."""

    corpus: Corpus
    pairs: list[Pair]
    all_pairs: int
    eligible: int
    sets: int  # of paraphrases; one pair of each could be drawn
    chosen: str  # how the pairs were drawn, in words


def draw_samples(corpora: Sequence[Corpus], most: int, seed: int) -> list[Sample]:
    """Samples of the same size, at most ``most`` pairs of each corpus."""
    per_corpus = []
    for corpus in corpora:
        candidates = Candidates(corpus, seed)
        for place, pair in enumerate(corpus.pairs()):
            if pair.rewrite_of is None:
                candidates.add(pair, place)
        per_corpus.append((candidates, candidates.sets()))
    orders = [_order(candidates, sets) for candidates, sets in per_corpus]
    size = min([most, *(len(order) for order in orders)])
    samples = []
    for (candidates, sets), order in zip(per_corpus, orders, strict=True):
        wanted = set(np.array(candidates.places, np.int64)[order[:size]].tolist())
        pairs = [pair for place, pair in enumerate(candidates.corpus.pairs()) if place in wanted]
        eligible = "positives" if candidates.labelled else "all pairs, whose labels say neither yes nor no"
        chosen = f"{eligible}, {f'the best by {candidates.ranked_by}' if candidates.ranked_by else 'at random'}"
        samples.append(Sample(candidates.corpus, pairs, len(candidates.places), len(order), len(sets), chosen))
    return samples


def _order(candidates: Candidates, sets: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The pairs that may be drawn, in the order in which they are taken: the positives, or all where none are labelled.

    Of the pairs of a set, only the allowed one with the lowest lot may be drawn.
    """
    lots, groups = np.array(candidates.lots, np.uint64), np.array(candidates.groups, np.uint64)
    allowed = np.array(candidates.polarities) == 1 if candidates.labelled else np.ones(len(lots), bool)
    by_group = np.lexsort((lots, ~allowed, groups))
    first = np.ones(len(groups), bool)
    first[by_group[1:]] = groups[by_group[1:]] != groups[by_group[:-1]]
    eligible = allowed & (first | ~np.isin(groups, sets))
    rank = -np.array(candidates.scores) if candidates.ranked_by else np.zeros(len(lots))
    order = np.lexsort((lots, rank))
    drawable: NDArray[np.int64] = order[eligible[order]]
    return drawable
