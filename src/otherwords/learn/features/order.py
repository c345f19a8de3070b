"""Features of word order: where the words that two texts share stand in each of them.

A bag of words cannot tell "the dog bit the man" from "the man bit the dog". How far words move, in which company, which
kinds of words they are and whether they keep their neighbours says whether a move changes who did what: a phrase that
moves with its preposition does not, two names that change places do. Everything is counted in whole numbers and divided
at the end, so a value does not depend on the pairs beside it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from otherwords.learn.features.matching import MatchedWords, neighbours
from otherwords.learn.features.permutations import Permutations, permutations_of
from otherwords.learn.features.words import FUNCTION, NAME, NEGATION, NUMBER, Flags, Numbers, WordRows

Floats = npt.NDArray[np.float64]
FeatureColumns = dict[str, Floats]
KINDS = {"names": NAME, "numbers": NUMBER, "function words": FUNCTION}


def order_features(words1: WordRows, words2: WordRows, matched: MatchedWords) -> FeatureColumns:
    """The features of word order of every pair, by name."""
    permutations = permutations_of(matched, len(words1.counts))
    kinds = _kinds(words1.kinds[matched.first])
    features = _moves(permutations, kinds)
    features |= _blocks(permutations, matched, kinds, words1, words2)
    features |= _swaps(permutations, kinds)
    features |= _company(matched, words1, words2, kinds)
    features |= _ends(words1, words2)
    return features | _unmatched(matched, words1, words2)


def _kinds(kinds: Numbers) -> dict[str, Flags]:
    flags = {name: np.asarray(kinds & kind > 0) for name, kind in KINDS.items()}
    return flags | {"content words": ~flags["function words"]}


def _sums(rows: Numbers, values: npt.NDArray[np.generic], pairs: int) -> Floats:
    """The sum over the words of each pair of whole numbers, or how many of them are chosen."""
    return np.asarray(np.bincount(rows, weights=values.astype(np.float64), minlength=pairs), np.float64)


def _most(rows: Numbers, values: Numbers, pairs: int) -> Floats:
    found = np.zeros(pairs, np.int64)
    np.maximum.at(found, rows, values)
    return found.astype(np.float64)


def _share(part: npt.ArrayLike, whole: npt.ArrayLike, if_undefined: float = 0.0) -> Floats:
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    quotient: Floats = np.divide(part, whole, out=np.full(len(part), if_undefined), where=whole > 0)
    return quotient


def _moves(permutations: Permutations, kinds: dict[str, Flags]) -> FeatureColumns:
    rows, pairs = permutations.rows, len(permutations.sizes)
    size = permutations.sizes.astype(np.float64)
    moved, shift = ~permutations.kept, np.abs(permutations.rank1 - permutations.rank2)
    features = {
        "inversions": permutations.inversions.astype(np.float64),
        "kendall": 1 - 2 * _share(permutations.inversions, size * (size - 1) / 2),
        "footrule": _share(_sums(rows, shift, pairs), size * size / 2),
        "longest shift": _most(rows, shift, pairs),
        "subsequence share": _share(permutations.longest, size, 1.0),
        "moved words": size - permutations.longest,
        "first moved": 1 - _share(_most(rows, moved * (size[rows].astype(np.int64) - permutations.rank1), pairs), size),
        "last moved": _share(_most(rows, moved * (1 + permutations.rank1), pairs), size),
    }
    for name, chosen in kinds.items():
        features[f"moved {name}"] = _sums(rows, moved & chosen, pairs)
        features[f"shift of {name}"] = _share(_sums(rows, shift * chosen, pairs), _sums(rows, chosen, pairs))
    return features


def _blocks(
    permutations: Permutations, matched: MatchedWords, kinds: dict[str, Flags], words1: WordRows, words2: WordRows
) -> FeatureColumns:
    """Blocks: runs of words that follow one another in both texts."""
    rows, pairs = permutations.rows, len(permutations.sizes)
    if not len(rows):
        names = ("blocks", "mean block", "longest block", "swapped neighbours", "blocks of one word", "moved blocks")
        rest = ("longest moved block", "moved blocks after a mark", "moved blocks with a function word first")
        singles = (f"single {name}" for name in kinds)
        return dict.fromkeys((*names, *rest, *singles), np.zeros(pairs))
    begins = np.ones(len(rows), np.bool_)
    steps = matched.second[1:] - matched.second[:-1]
    joined = (rows[1:] == rows[:-1]) & (matched.first[1:] - matched.first[:-1] == 1)
    begins[1:] = ~(joined & (steps == 1))
    block = np.cumsum(begins) - 1
    length = np.bincount(block)
    first = np.flatnonzero(begins)
    owner = rows[first]
    moved = ~permutations.kept[first]
    after_mark = words1.after_mark[matched.first[first]] | words2.after_mark[matched.second[first]]
    single = length[block] == 1
    features = {
        "blocks": _sums(owner, np.ones(len(first)), pairs),
        "mean block": _share(permutations.sizes, _sums(owner, np.ones(len(first)), pairs)),
        "longest block": _most(owner, length, pairs),
        "swapped neighbours": _sums(rows[1:], joined & (steps == -1), pairs),
        "blocks of one word": _sums(owner, length == 1, pairs),
        "moved blocks": _sums(owner, moved, pairs),
        "longest moved block": _most(owner, length * moved, pairs),
        "moved blocks after a mark": _sums(owner, moved & after_mark, pairs),
        "moved blocks with a function word first": _sums(owner, moved & kinds["function words"][first], pairs),
    }
    return features | {f"single {name}": _sums(rows, single & chosen, pairs) for name, chosen in kinds.items()}


def _swaps(permutations: Permutations, kinds: dict[str, Flags]) -> FeatureColumns:
    """Pairs of words that have changed places: cycles of two in the permutation."""
    rows, pairs = permutations.rows, len(permutations.sizes)
    partner = permutations.starts[rows] + permutations.rank2
    distance = np.abs(permutations.rank1 - permutations.rank2)
    swapped = (partner[partner] == np.arange(len(rows))) & (distance > 0)
    features = {
        "words in place": _share(_sums(rows, distance == 0, pairs), permutations.sizes, 1.0),
        "swapped words": _sums(rows, swapped, pairs),
        "distance of swapped words": _most(rows, distance * swapped, pairs),
    }
    for name, chosen in kinds.items():
        features[f"swapped {name}"] = _sums(rows, swapped & chosen & chosen[partner], pairs)
    return features


def _company(matched: MatchedWords, words1: WordRows, words2: WordRows, kinds: dict[str, Flags]) -> FeatureColumns:
    """Whether matched words have the same words beside them, and the same function word before them."""
    rows, pairs = matched.rows, len(words1.counts)
    before1, after1 = neighbours(words1)
    before2, after2 = neighbours(words2)
    changed = {
        "word before": before1[matched.first] != before2[matched.second],
        "word after": after1[matched.first] != after2[matched.second],
        "function word before": _last(words1, FUNCTION)[matched.first] != _last(words2, FUNCTION)[matched.second],
        "content word before": _last(words1, 0)[matched.first] != _last(words2, 0)[matched.second],
    }
    features = {}
    for what, flags in changed.items():
        for name in ("names", "content words", "function words"):
            chosen = kinds[name]
            other = _sums(rows, flags & chosen, pairs)
            features[f"{name} with another {what}"] = other
            features[f"share of {name} with another {what}"] = _share(other, _sums(rows, chosen, pairs))
    both = changed["word before"] & changed["word after"]
    features["words with two other neighbours"] = _sums(rows, both, pairs)
    return features


def _last(words: WordRows, kind: int) -> Numbers:
    """The nearest function word, or content word, before each word of its text."""
    chosen = words.has(FUNCTION) == (kind == FUNCTION)
    numbers = np.arange(len(words.forms))
    latest = np.maximum.accumulate(np.where(chosen, numbers, -1))
    latest = np.concatenate([[-1], latest[:-1]]) if len(latest) else latest
    return np.where(latest >= words.starts[:-1][words.rows], words.forms[latest], -1)


def _ends(words1: WordRows, words2: WordRows) -> FeatureColumns:
    """How many words the texts have in common from the beginning, and from the end."""
    shorter = np.minimum(words1.counts, words2.counts)
    features = {}
    for name, backwards in (("beginning", False), ("end", True)):
        rows = np.repeat(np.arange(len(shorter)), shorter)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(shorter) - shorter, shorter)
        if backwards:
            index1, index2 = (words.starts[1:][rows] - 1 - places for words in (words1, words2))
        else:
            index1, index2 = (words.starts[:-1][rows] + places for words in (words1, words2))
        differ = np.where(words1.forms[index1] != words2.forms[index2], places, shorter[rows])
        common = shorter.copy()
        np.minimum.at(common, rows, differ)
        features[f"same {name}"] = common.astype(np.float64)
        features[f"same {name} share"] = _share(common, shorter)
    return features


def _unmatched(matched: MatchedWords, words1: WordRows, words2: WordRows) -> FeatureColumns:
    """The words that only one text has, by kind, and where they are."""
    pairs = len(words1.counts)
    features = {
        "matched words": _sums(matched.rows, np.ones(len(matched.rows)), pairs),
        "matched by stem": _sums(matched.rows, ~matched.exact, pairs),
    }
    features["matched share"] = _share(features["matched words"], np.maximum(words1.counts, words2.counts), 1.0)
    negations, numbers = [], []
    for side, words, used in (("A", words1, matched.first), ("B", words2, matched.second)):
        free = np.ones(len(words.forms), np.bool_)
        free[used] = False
        for name, chosen in _kinds(words.kinds).items():
            features[f"{name} only in {side}"] = _sums(words.rows, free & chosen, pairs)
        places = _sums(words.rows, free * (2 * words.places + 1), pairs)
        only = _sums(words.rows, free, pairs)
        features[f"place of words only in {side}"] = _share(places, 2 * only * words.counts, 0.5)
        negations.append(_sums(words.rows, words.has(NEGATION), pairs))
        numbers.append(features[f"numbers only in {side}"])
    features["difference of negations"] = np.abs(negations[0] - negations[1])
    features["numbers only in one"] = numbers[0] + numbers[1]
    return features
