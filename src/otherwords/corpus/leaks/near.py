"""Pairs that are nearly the same: both texts with a Dice coefficient of character trigrams of at least a threshold.

The search is exact: it finds all such pairs without comparing all. Two sets that share so much share one of their
rarest trigrams (prefix filter, Chaudhuri et al. 2006; with sizes and positions, Xiao et al. 2008, PPJoin), and both
texts of a pair must. Candidates found in this way are compared by signature first, both in a kernel, then by their
trigrams.

Of two sides the smaller one is indexed, and the larger one is read block by block and looked up straight and mirrored:
so memory follows the smaller side.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.corpus.leaks.side import PairDigests, Rows, combine, first_rows
from otherwords.corpus.leaks.trigrams import (
    ROWS_AT_A_TIME,
    SLACK,
    Classes,
    Grams,
    N,
    Texts,
    build_grams,
    frequency_classes,
    join_grams,
    marked_texts,
    mirror_grams,
)
from otherwords.engine import cores
from otherwords.measures.cut import Tokenisation
from otherwords.measures.sets import set_statistics
from otherwords.text.tokenise import tokeniser

CANDIDATES_AT_ONCE = 50_000
Mask = NDArray[np.bool_]


class NearPairs(NamedTuple):
    """Rows of two sides that are near copies, with the lower similarity of their two texts."""

    a: Rows
    b: Rows
    similarity: NDArray[np.float64]


NOTHING_NEAR = NearPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True, slots=True)
class TrigramIndex:
    """The different pairs of a side, and the kernel's index of the prefixes of their texts."""

    rows: Rows
    texts: Texts
    prefixes: object


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
    return TrigramIndex(
        np.concatenate(blocks),
        (pa.concat_arrays([first for first, _ in texts]), pa.concat_arrays([second for _, second in texts])),
        _kernel_index(grams, threshold),
    )


def _kernel_index(grams: Grams, threshold: float) -> object:
    """The entries of all prefixes by trigram, then by size."""
    sizes = grams.sizes.reshape(-1)[grams.texts]
    order = np.lexsort((sizes, grams.features))
    ascending = grams.features[order]
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)])
    # A larger partner would need more trigrams than are left from this place on.
    reach = np.floor(2 / threshold * (sizes - grams.places + SLACK) - sizes).astype(np.int32)
    entries = (grams.texts[order], sizes[order], reach[order])
    return _kernels.near_index(
        ascending[starts], np.append(starts, len(ascending)), *entries, grams.sizes, grams.signatures
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
    entries = (grams.features, grams.texts, grams.places)
    likely = _kernels.near_candidates(index.prefixes, *entries, grams.sizes, grams.signatures, threshold)
    candidates = np.frombuffer(likely, np.int64)
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
