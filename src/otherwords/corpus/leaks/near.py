"""Pairs that are nearly the same: both texts with a Dice coefficient of character trigrams of at least a threshold.

The search is exact: it finds all such pairs without comparing all. Two sets that share so much share one of their
rarest trigrams (prefix filter, Chaudhuri et al. 2006; with sizes and positions, Xiao et al. 2008, PPJoin). Both texts
of a pair must have a partner, so the one that fewer texts share a rare trigram with is looked up. Candidates found in
this way are compared by signature first, then by their trigrams.

Of two sides the smaller one is indexed, and the larger one is read block by block and looked up straight and mirrored:
so memory follows the smaller side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.corpus.leaks.side import PairDigests, Rows, combine, distinct, first_rows
from otherwords.corpus.leaks.trigrams import (
    ROWS_AT_A_TIME,
    SLACK,
    Classes,
    Codes,
    Grams,
    N,
    Texts,
    build_grams,
    frequency_classes,
    join_grams,
    marked_texts,
    mirror_grams,
    smallest_ratio,
)
from otherwords.engine import cores
from otherwords.measures.cut import Tokenisation
from otherwords.measures.sets import set_statistics
from otherwords.text.tokenise import tokeniser

SIZES = 1 << 24  # more trigrams than any text has
CANDIDATES_AT_ONCE = 50_000
NO_FEATURE = np.uint64(1 << 63)
Mask = NDArray[np.bool_]


class NearPairs(NamedTuple):
    """Rows of two sides that are near copies, with the lower similarity of their two texts."""

    a: Rows
    b: Rows
    similarity: NDArray[np.float64]


NOTHING_NEAR = NearPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True, slots=True)
class TrigramIndex:
    """The different pairs of a side, and the prefixes of their texts by trigram, then by size."""

    rows: Rows
    texts: Texts
    sizes: NDArray[np.int32]
    signatures: Codes
    features: Codes  # the different ones of all prefixes
    keys: Rows  # of each entry: the number of its feature and the size of its text
    entry_texts: NDArray[np.int32]  # … its text: two for each pair
    spare: NDArray[np.float64]  # … trigrams from its place on, less half the threshold of its size


def find_near(sides: Sequence[PairDigests], threshold: float) -> dict[tuple[int, int], NearPairs]:
    """The near copies between every two sides, by their numbers; of equal pairs, those with the smallest id."""
    found: dict[tuple[int, int], NearPairs] = {}
    classes = frequency_classes(sides)
    by_size = sorted(range(len(sides)), key=lambda number: len(sides[number]))
    indexes = {number: _index(sides[number], classes, threshold) for number in by_size[:-1]}
    for larger in reversed(by_size):
        indexes.pop(larger, None)
        for smaller, near in _search(sides[larger], indexes, classes, threshold).items():
            mirror = larger < smaller
            found[min(larger, smaller), max(larger, smaller)] = NearPairs(near.b, near.a, near[2]) if mirror else near
    return found


def best_copies(a: PairDigests, b: PairDigests, near: NearPairs, known: Mask) -> NearPairs:
    """For each row of b that is not known as a copy yet, the most similar row of a."""
    rank = np.empty(len(a), np.int64)
    rank[a.by_id] = np.arange(len(a))
    order = np.lexsort((rank[near.a], -near.similarity, near.b))
    different_b, places = np.unique(near.b[order], return_index=True)
    best = np.full(len(b), -1)
    best[different_b] = order[places]
    best_of_row = best[_representatives(b)]
    rows = b.by_id[(best_of_row >= 0)[b.by_id] & ~known[b.by_id]]
    return NearPairs(near.a[best_of_row[rows]], rows, near.similarity[best_of_row[rows]])


def _representatives(side: PairDigests) -> Rows:
    """For each row the one with the smallest id that has the same plain texts."""
    keys = combine(*side.plain)
    different, rows = first_rows(keys, side.by_id)
    return rows[np.searchsorted(different, keys)]


def _blocks(side: PairDigests) -> list[Rows]:
    """The rows of the different pairs of a side, block by block; at least one block, if an empty one."""
    first = _representatives(side) == np.arange(len(side))
    starts = range(0, max(1, len(side)), ROWS_AT_A_TIME)
    return [np.flatnonzero(first[start : start + ROWS_AT_A_TIME]) + start for start in starts]


def _index(side: PairDigests, classes: Classes, threshold: float) -> TrigramIndex:
    blocks = _blocks(side)
    texts = [marked_texts(side, rows) for rows in blocks]
    grams = join_grams([build_grams(block, classes, threshold) for block in texts])
    features = distinct(grams.features)
    sizes = grams.sizes.reshape(-1)[grams.texts]
    keys = np.searchsorted(features, grams.features) * SIZES + sizes
    order = np.argsort(keys)
    spare = sizes - grams.places - threshold / 2 * sizes
    return TrigramIndex(
        np.concatenate(blocks),
        (pa.concat_arrays([first for first, _ in texts]), pa.concat_arrays([second for _, second in texts])),
        grams.sizes,
        grams.signatures,
        features,
        keys[order],
        grams.texts[order],
        spare[order],
    )


def _search(
    side: PairDigests, indexes: dict[int, TrigramIndex], classes: Classes, threshold: float
) -> dict[int, NearPairs]:
    """The rows of indexed sides (as a) and of this one (as b) that are near copies."""

    def search(rows: Rows) -> dict[int, NearPairs]:
        texts = marked_texts(side, rows)
        grams = build_grams(texts, classes, threshold)
        mirrored = mirror_grams(grams), (texts[1], texts[0])
        found = {}
        for number, index in indexes.items():
            both = (_near_block(index, grams, texts, rows, threshold), _near_block(index, *mirrored, rows, threshold))
            found[number] = NearPairs(*(np.concatenate(columns) for columns in zip(*both, strict=True)))
        return found

    if not indexes:
        return {}
    with ThreadPoolExecutor(cores()) as pool:  # numpy releases the interpreter lock
        blocks = list(pool.map(search, _blocks(side)))
    return {
        number: NearPairs(
            *(np.concatenate(columns) for columns in zip(*(found[number] for found in blocks), strict=True))
        )
        for number in indexes
    }


def _near_block(index: TrigramIndex, grams: Grams, texts: Texts, rows: Rows, threshold: float) -> NearPairs:
    """The near copies between an index and a block of different pairs."""
    found, characters = [NOTHING_NEAR], Tokenisation(tokeniser("char"))
    candidates = distinct(np.concatenate([np.empty(0, np.int64), *_candidates(index, grams, threshold)]))
    for start in range(0, len(candidates), CANDIDATES_AT_ONCE):
        block = candidates[start : start + CANDIDATES_AT_ONCE]
        numbers, own = block // len(rows), block % len(rows)
        similarity = np.ones(len(block))
        for indexed_texts, own_texts in zip(index.texts, texts, strict=True):
            columns = indexed_texts.take(pa.array(numbers)), own_texts.take(pa.array(own))
            size1, size2, shared = set_statistics(*columns, characters, (N, N)).T
            np.minimum(similarity, 2 * shared / np.maximum(size1 + size2, 1), out=similarity)
        enough = similarity >= threshold
        found.append(NearPairs(index.rows[numbers[enough]], rows[own[enough]], similarity[enough]))
    return NearPairs(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _candidates(index: TrigramIndex, grams: Grams, threshold: float) -> Iterator[Rows]:
    """Pairs of an index and of a block that may be similar, as one number each."""
    features = np.searchsorted(index.features, grams.features)
    known = np.append(index.features, NO_FEATURE)[features] == grams.features
    features, texts, places = features[known], grams.texts[known], grams.places[known]
    sizes = grams.sizes.reshape(-1)
    own = sizes[texts]
    smallest = np.ceil(own * smallest_ratio(threshold) - SLACK).astype(np.int64)
    # A larger partner would need more trigrams than are left after this place.
    largest = np.floor(2 * (own - places) / threshold - own + SLACK).astype(np.int64)
    first = np.searchsorted(index.keys, features * SIZES + smallest)
    counts = np.maximum(np.searchsorted(index.keys, features * SIZES + largest, side="right") - first, 0)
    per_text = np.bincount(texts, counts, minlength=len(sizes)).reshape(-1, 2)
    counts[per_text.argmin(axis=1)[texts // 2] != texts % 2] = 0
    # Parts of the entries that have some hundred thousand candidates each.
    cuts = np.flatnonzero(np.diff(np.cumsum(counts) // CANDIDATES_AT_ONCE)) + 1
    for start, stop in pairwise([0, *cuts.tolist(), len(counts)]):
        # Every entry with all its candidates, as places in the index.
        per_entry = counts[start:stop]
        found = np.repeat(first[start:stop] - np.cumsum(per_entry) + per_entry, per_entry)
        found += np.arange(len(found))
        needed = np.repeat(threshold / 2 * own[start:stop] - SLACK, per_entry)
        possible = np.flatnonzero(index.spare[found] >= needed)
        numbers, rows = index.entry_texts[found[possible]], np.repeat(texts[start:stop], per_entry)[possible]
        pairs = distinct((numbers // 2).astype(np.int64) * len(grams.sizes) + rows // 2)
        yield pairs[_likely(index, grams, pairs // len(grams.sizes), pairs % len(grams.sizes), threshold)]


def _likely(a: TrigramIndex, b: Grams, rows_a: Rows, rows_b: Rows, threshold: float) -> Mask:
    """Which candidates have sizes that fit, and signatures that do not rule them out."""
    likely = np.ones(len(rows_a), np.bool_)
    for side in (0, 1):
        left = np.flatnonzero(likely)
        left_a, left_b = rows_a[left], rows_b[left]
        size1, size2 = a.sizes[left_a, side], b.sizes[left_b, side]
        needed = threshold * (size1 + size2) / 2 - SLACK
        fits = np.minimum(size1, size2) >= needed
        left, left_a, left_b, size1, size2, needed = (
            column[fits] for column in (left, left_a, left_b, size1, size2, needed)
        )
        signature1, signature2 = a.signatures[left_a, side], b.signatures[left_b, side]
        alone1 = np.bitwise_count(signature1 & ~signature2).sum(axis=1)
        alone2 = np.bitwise_count(signature2 & ~signature1).sum(axis=1)
        fits = (size1 - alone1 >= needed) & (size2 - alone2 >= needed)
        likely[:] = False
        likely[left[fits]] = True
    return likely
