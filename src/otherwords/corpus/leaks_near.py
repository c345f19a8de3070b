"""Pairs that are nearly the same: both texts with a Dice coefficient of character trigrams of at least a threshold.

The search is exact: it finds all such pairs, without comparing all. If both coefficients reach the threshold, so does
that of the sets of both texts together; two sets that share so much share one of their rarest trigrams (prefix
filter, Chaudhuri et al. 2006; with sizes and positions, Xiao et al. 2008, PPJoin). Whoever meets there is compared by
signature, then truly.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.corpus.leaks_grams import SLACK, Grams, N, prefix_lengths, smallest_ratio
from otherwords.corpus.leaks_side import Rows, distinct
from otherwords.measures.cut import Cut
from otherwords.measures.parallel import cores
from otherwords.measures.sets import set_statistics
from otherwords.measures.signature import signature
from otherwords.text.tokenise import tokeniser

SIZES = 1 << 24  # more trigrams than any text has
MEETINGS_AT_ONCE = 2_000_000
COMPARED_AT_ONCE = 100_000
Mask = NDArray[np.bool_]
Texts = tuple[pa.Array, pa.Array]


class Meeting(NamedTuple):
    """Pairs of rows, with the lesser similarity of their texts."""

    a: Rows
    b: Rows
    similarity: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Index:
    """The entries of prefixes by feature, then by the size of their pair."""

    keys: Rows
    pairs: NDArray[np.int32]
    places: NDArray[np.int32]


def near_signature() -> str:
    """What the similarity depends on."""
    return signature("dice", {"n": N, "tok": "char", "text": "plain", "of": "min"})


def near(a: Grams, b: Grams, texts_a: Texts, texts_b: Texts, least: float) -> Meeting:
    """All rows of a and b whose texts are as similar, first with first and second with second."""
    found = [np.empty(0, np.int64), *_candidates(a, b, least)]
    both = distinct(np.concatenate(found))
    rows_a, rows_b = both // max(1, len(b.sizes)), both % max(1, len(b.sizes))
    similarity = np.empty(len(both))
    for start in range(0, len(both), COMPARED_AT_ONCE):
        some = slice(start, start + COMPARED_AT_ONCE)
        similarity[some] = _compared(rows_a[some], rows_b[some], texts_a, texts_b)
    enough = similarity >= least
    return Meeting(rows_a[enough], rows_b[enough], similarity[enough])


def _compared(rows_a: Rows, rows_b: Rows, texts_a: Texts, texts_b: Texts) -> NDArray[np.float64]:
    characters = Cut(tokeniser("char"))
    least = np.ones(len(rows_a))
    for one, two in zip(texts_a, texts_b, strict=True):
        texts = one.take(pa.array(rows_a)), two.take(pa.array(rows_b))
        size1, size2, shared = set_statistics(*texts, characters, (N, N)).T
        np.minimum(least, 2 * shared / np.maximum(size1 + size2, 1), out=least)
    return least


def _candidates(a: Grams, b: Grams, least: float) -> Iterator[Rows]:
    """Rows of a and b that may be similar, as one number each.

    A pair of a that is no larger than its partner has less to look at: it must share at least ``least`` of itself.
    """
    size_a, size_b = a.sizes.sum(axis=1), b.sizes.sum(axis=1)
    short = a.places < prefix_lengths(size_a, least)[a.pairs]
    ratio = smallest_ratio(least)
    own = size_b[b.pairs]
    smallest = np.ceil(own * ratio - SLACK).astype(np.int64)
    # A partner so large would need more than what is left after this place.
    largest = np.floor(2 * (own - b.places) / least - own + SLACK).astype(np.int64)
    for index, low, high in (
        (_index(a, size_a, short), smallest, np.minimum(largest, own)),
        (_index(a, size_a, np.ones(len(short), np.bool_)), own + 1, largest),
    ):
        first = np.searchsorted(index.keys, b.features * SIZES + low)
        after = np.searchsorted(index.keys, b.features * SIZES + high, side="right")
        many = np.maximum(after - first, 0)

        def met(some: slice, index: _Index = index, first: Rows = first, many: Rows = many) -> Rows:
            entries, places = _meetings(some, first, many)
            rows_a, rows_b = index.pairs[places], b.pairs[entries]
            left = size_a[rows_a] - index.places[places]
            possible = left >= least * (size_a[rows_a] + size_b[rows_b]) / 2 - SLACK
            rows_a, rows_b = rows_a[possible], rows_b[possible]
            likely = _likely(a, b, rows_a, rows_b, least)
            return distinct(rows_a[likely].astype(np.int64) * len(b.sizes) + rows_b[likely])

        with ThreadPoolExecutor(cores()) as pool:  # numpy leaves the interpreter to others meanwhile
            yield from pool.map(met, _stretches(many))


def _index(grams: Grams, sizes: Rows, chosen: Mask) -> _Index:
    pairs, places = grams.pairs[chosen], grams.places[chosen]
    keys = grams.features[chosen] * SIZES + sizes[pairs]
    order = np.argsort(keys, kind="stable")
    return _Index(keys[order], pairs[order], places[order])


def _stretches(many: Rows) -> list[slice]:
    """Entries cut so that those of a stretch meet some millions."""
    ends = np.cumsum(many)
    stretches: list[slice] = []
    start = 0
    while start < len(many):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + MEETINGS_AT_ONCE, side="right")))
        stretches.append(slice(start, stop))
        start = stop
    return stretches


def _meetings(some: slice, first: Rows, many: Rows) -> tuple[Rows, Rows]:
    """Every entry of a stretch with all that it meets: its number, and theirs in the index."""
    counts = many[some]
    entries = np.repeat(np.arange(some.start, some.stop), counts)
    within = np.arange(len(entries)) - np.repeat(np.cumsum(counts) - counts, counts)
    return entries, first[entries] + within


def _likely(a: Grams, b: Grams, rows_a: NDArray[np.int32], rows_b: NDArray[np.int32], least: float) -> Mask:
    """Those whose sizes fit and whose signatures do not tell that they share too little."""
    likely = np.ones(len(rows_a), np.bool_)
    for side in (0, 1):
        at = np.flatnonzero(likely)
        one, two = rows_a[at], rows_b[at]
        size1, size2 = a.sizes[one, side], b.sizes[two, side]
        needed = least * (size1 + size2) / 2 - SLACK
        fits = np.minimum(size1, size2) >= needed
        at, one, two, size1, size2, needed = (each[fits] for each in (at, one, two, size1, size2, needed))
        sign1, sign2 = a.signatures[one, side], b.signatures[two, side]
        alone1 = np.bitwise_count(sign1 & ~sign2).sum(axis=1)
        alone2 = np.bitwise_count(sign2 & ~sign1).sum(axis=1)
        fits = (size1 - alone1 >= needed) & (size2 - alone2 >= needed)
        likely[:] = False
        likely[at[fits]] = True
    return likely
