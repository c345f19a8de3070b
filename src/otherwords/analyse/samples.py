"""Equal samples of several corpora, so that they can be compared (Kanerva et al. 2023, §6.2).

Of each corpus the positives; of one whose labels say nothing, all pairs. As many of each as were asked for, or as the
smallest corpus has. A set of paraphrases, which is a group whose pairs hang together by the texts that they share,
gives one pair by lot; a group of unconnected pairs, as those of one document are, gives all. A corpus that is ranked,
which is one without labels whose pairs have one score, gives its best; every other gives pairs by lot.

Two passes: the first keeps a few numbers a pair, the second takes the texts of those that were chosen.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from otherwords.analyse.lots import lot
from otherwords.corpus.corpora import Corpus
from otherwords.records import Pair

RANKED_BY = "pmi"  # what Opusparcus is ranked by; its reader keeps the measures of the release in ``meta``


@dataclass(slots=True)
class Candidates:
    """A few numbers of every pair that is no rewrite."""

    corpus: Corpus
    seed: int
    places: array[int] = field(default_factory=lambda: array("Q"))
    says: array[int] = field(default_factory=lambda: array("b"))  # 1 yes, 0 no, -1 nothing
    lots: array[int] = field(default_factory=lambda: array("Q"))
    groups: array[int] = field(default_factory=lambda: array("Q"))  # 0 is none
    texts: array[int] = field(default_factory=lambda: array("Q"))  # two a pair, each with its group
    scores: array[float] = field(default_factory=lambda: array("d"))
    score: str | None = None  # the name of the first pair's

    def take(self, pair: Pair, place: int) -> None:
        """Note a pair."""
        positive = self.corpus.positive(pair)
        name, value = ranking_of(pair)
        self.score = name if not self.places else self.score
        self.places.append(place)
        self.says.append(-1 if positive is None else int(positive))
        self.lots.append(lot(self.seed, pair.text1, pair.text2, pair.label))
        self.groups.append(lot(0, pair.group) if pair.group is not None else 0)
        self.texts.extend(lot(0, pair.group, text) for text in (pair.text1, pair.text2))
        self.scores.append(value if name == self.score and value is not None else np.nan)

    @property
    def labelled(self) -> bool:
        """Whether any label says yes or no."""
        return bool((np.array(self.says) >= 0).any())

    @property
    def ranked_by(self) -> str | None:
        """The score that ranks the corpus, if it has no labels and every pair has that score."""
        ranked = self.score is not None and not self.labelled and not np.isnan(np.array(self.scores)).any()
        return self.score if ranked else None


@dataclass(frozen=True, slots=True)
class Sample:
    """The pairs that were drawn of a corpus, and how."""

    corpus: Corpus
    pairs: list[Pair]
    all_pairs: int
    eligible: int
    sets: int  # those of which one pair each could be drawn
    chosen: str


def samples(corpora: Sequence[Corpus], most: int, seed: int) -> list[Sample]:
    """As many pairs of each corpus."""
    found = [candidates(corpus, seed) for corpus in corpora]
    orders = [_order(one) for one in found]
    size = min([most, *(len(order) for order in orders)])
    return [_sample(one, order, size) for one, order in zip(found, orders, strict=True)]


def candidates(corpus: Corpus, seed: int) -> Candidates:
    """All pairs of a corpus but the rewrites."""
    found = Candidates(corpus, seed)
    for place, pair in enumerate(corpus.pairs()):
        if pair.rewrite_of is None:
            found.take(pair, place)
    return found


def ranking_of(pair: Pair) -> tuple[str | None, float | None]:
    """The one score that a pair came with, if it has exactly one."""
    if len(pair.scores) == 1:
        return next(iter(pair.scores.items()))
    try:
        return RANKED_BY, float(pair.meta[RANKED_BY])
    except (KeyError, TypeError, ValueError):
        return None, None


def _order(found: Candidates) -> NDArray[np.int64]:
    """The pairs that may be drawn in the order in which they are taken, one of each set."""
    lots = np.array(found.lots, np.uint64)
    allowed = _allowed(found)
    stands = allowed & _one_of_each_set(found, lots, allowed)
    by = -np.array(found.scores) if found.ranked_by else np.zeros(len(lots))
    order = np.lexsort((lots, by))
    kept: NDArray[np.int64] = order[stands[order]]
    return kept


def _allowed(found: Candidates) -> NDArray[np.bool_]:
    """The positives, or all where no label says anything."""
    says = np.array(found.says, np.int8)
    allowed: NDArray[np.bool_] = says == 1 if found.labelled else np.ones(len(says), bool)
    return allowed


def _one_of_each_set(found: Candidates, lots: NDArray[np.uint64], allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """False for those of a set that another pair of it stands for: the allowed one with the lowest lot."""
    groups = np.array(found.groups, np.uint64)
    order = np.lexsort((lots, ~allowed, groups))
    first = np.ones(len(groups), bool)
    first[order[1:]] = groups[order[1:]] != groups[order[:-1]]
    return first | ~np.isin(groups, _sets(found))


def _sets(found: Candidates) -> NDArray[np.uint64]:
    """The groups of several pairs that hang together: with n pairs they have no more than n + 1 texts."""
    groups, pairs = np.unique(np.array(found.groups, np.uint64), return_counts=True)
    _, first = np.unique(np.array(found.texts, np.uint64), return_index=True)
    of_texts = np.repeat(np.array(found.groups, np.uint64), 2)[first]
    texts = np.bincount(np.searchsorted(groups, of_texts), minlength=len(groups))
    sets: NDArray[np.uint64] = groups[(groups != 0) & (pairs > 1) & (texts <= pairs + 1)]
    return sets


def _sample(found: Candidates, order: NDArray[np.int64], size: int) -> Sample:
    wanted = set(np.array(found.places, np.int64)[order[:size]].tolist())
    pairs = [pair for place, pair in enumerate(found.corpus.pairs()) if place in wanted]
    of = "positives" if found.labelled else "all pairs, whose labels say nothing"
    how = f"the best by {found.ranked_by}" if found.ranked_by else "by lot"
    return Sample(found.corpus, pairs, len(found.places), len(order), len(_sets(found)), f"{of}, {how}")
