"""How close in meaning the words are that only one of two texts has, by vectors of words.

Two texts may say the same in other words. For every word that has no match, the closest word of the other text is
looked for; the features say how close these are on the average, how far the farthest is, and whether what only one text
has means about the same, taken together, as what only the other has.
"""

from __future__ import annotations

import numpy as np

from otherwords.learn.features.matching import MatchedWords
from otherwords.learn.features.order import FeatureColumns, Floats
from otherwords.learn.features.words import Numbers, WordRows

COMPARISONS = 20_000  # of two words at a time, for the memory that their vectors take


def closeness_features(
    words1: WordRows, words2: WordRows, matched: MatchedWords, vectors: Floats, weights: Floats
) -> FeatureColumns:
    """Features of the unmatched words; ``vectors`` and ``weights`` are those of all words, by their numbers."""
    pairs = len(words1.counts)
    free1, free2 = _unmatched(words1, matched.first), _unmatched(words2, matched.second)
    features = {}
    for side, words, free, others in (("A", words1, free1, words2), ("B", words2, free2, words1)):
        closest = _closest(words, free, others, vectors)
        rows = words.rows[free]
        weight = weights[words.forms[free]]
        total = np.bincount(rows, weights=weight, minlength=pairs)
        mean = np.bincount(rows, weights=weight * closest, minlength=pairs)
        features[f"closeness of words only in {side}"] = np.divide(mean, total, out=np.ones(pairs), where=total > 0)
        farthest = np.ones(pairs)
        np.minimum.at(farthest, rows, closest)
        features[f"farthest word only in {side}"] = farthest
    sums = [_sums(words, free, vectors, weights) for words, free in ((words1, free1), (words2, free2))]
    norms = np.linalg.norm(sums[0], axis=1) * np.linalg.norm(sums[1], axis=1)
    dots = np.einsum("ij,ij->i", *sums)
    features["closeness of what differs"] = np.divide(dots, norms, out=np.zeros(pairs), where=norms > 0)
    return features


def _unmatched(words: WordRows, used: Numbers) -> Numbers:
    free = np.ones(len(words.forms), np.bool_)
    free[used] = False
    return np.flatnonzero(free)


def _closest(words: WordRows, free: Numbers, others: WordRows, vectors: Floats) -> Floats:
    """For each free word the highest cosine with a word of the other text; 0 if that has no word."""
    rows = words.rows[free]
    counts = others.counts[rows]
    ends = np.cumsum(counts)
    owner = np.repeat(np.arange(len(free)), counts)
    other = np.arange(len(owner)) - np.repeat(ends - counts, counts) + others.starts[rows][owner]
    cosines = np.empty(len(owner))
    for start in range(0, len(owner), COMPARISONS):
        part = slice(start, start + COMPARISONS)
        first, second = vectors[words.forms[free[owner[part]]]], vectors[others.forms[other[part]]]
        np.einsum("ij,ij->i", first, second, out=cosines[part])
    closest = np.zeros(len(free))
    np.maximum.at(closest, owner, cosines)
    return closest


def _sums(words: WordRows, free: Numbers, vectors: Floats, weights: Floats) -> Floats:
    """The weighted sum of the vectors of the free words of each text."""
    forms, rows = words.forms[free], words.rows[free]
    total = np.zeros((len(words.counts), vectors.shape[1]))
    np.add.at(total, rows, vectors[forms] * weights[forms, None])
    return total
