"""Pairs as sets of character trigrams, as far as a search for similar ones needs them.

Of a text without case and punctuation, its ends marked and blanks made visible, the trigrams are a set; of a pair, the
sets of both texts are one, each trigram with its side. They are ordered from rare to frequent. What is kept of a pair
is the size of its sets, the rarest trigrams (its prefix), and for each text a signature of 128 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.leaks_side import Rows, distinct

Codes = NDArray[np.uint64]
BITS = 128
ROWS_AT_A_TIME = 20_000
SLACK = 1e-9  # what rounding may cost a bound
N = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All trigrams, rising, and the rank of each: 0 is the rarest."""

    codes: Codes
    ranks: Rows


@dataclass(frozen=True, slots=True)
class Grams:
    """What is kept of each pair; the entries of prefixes come pair after pair, from rare to frequent."""

    sizes: NDArray[np.int32]  # pairs × 2
    signatures: Codes  # pairs × 2 × 2
    features: Rows  # of every entry: rank and side
    pairs: NDArray[np.int32]  # … the pair that it is of
    places: NDArray[np.int32]  # … how many rarer ones its pair has


def padded(texts: pa.Array) -> pa.Array:
    """The texts with their ends and blanks as characters, which no plain text holds."""
    inner = pc.replace_substring(texts, " ", "_")
    start, end, between = (pa.scalar(sign, pa.large_string()) for sign in ("^", "$", ""))
    return pc.binary_join_element_wise(start, inner, end, between)


def vocabulary_of(sides: list[tuple[pa.Array, pa.Array]]) -> Vocabulary:
    """The trigrams of all these texts by how often they occur."""
    codes, counts = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for texts in (texts for pair in sides for texts in pair):
        for start in range(0, len(texts), ROWS_AT_A_TIME):
            found, often = np.unique(_codes(texts[start : start + ROWS_AT_A_TIME])[1], return_counts=True)
            codes.append(found)
            counts.append(often)
    every, of = np.unique(np.concatenate(codes), return_inverse=True)
    often = np.bincount(of, np.concatenate(counts), minlength=len(every))
    ranks = np.empty(len(every), np.int64)
    ranks[np.lexsort((every, often))] = np.arange(len(every))
    return Vocabulary(every, ranks)


def _codes(texts: pa.Array) -> tuple[Rows, Codes]:
    """The trigrams of some texts, row after row, repeated ones too; three code points in 63 bits."""
    told = texts.to_pylist()
    points = np.frombuffer("".join(told).encode("utf-32-le"), np.uint32).astype(np.uint64)
    rows = np.repeat(np.arange(len(told)), [len(text) for text in told])
    if len(points) < N:
        return np.empty(0, np.int64), np.empty(0, np.uint64)
    codes = (points[:-2] << np.uint64(42)) | (points[1:-1] << np.uint64(21)) | points[2:]
    within = rows[:-2] == rows[2:]
    return rows[:-2][within], codes[within]


def grams_of(texts1: pa.Array, texts2: pa.Array, vocabulary: Vocabulary, least: float) -> Grams:
    """The pairs of two columns, ready to be compared where a Dice coefficient of ``least`` is asked for."""
    blocks = list(_blocks(texts1, texts2, vocabulary, least))
    if not blocks:
        empty = np.empty(0, np.int32)
        return Grams(np.empty((0, 2), np.int32), np.empty((0, 2, 2), np.uint64), np.empty(0, np.int64), empty, empty)
    return Grams(*(np.concatenate([getattr(block, name) for block in blocks]) for name in Grams.__slots__))


def _blocks(texts1: pa.Array, texts2: pa.Array, vocabulary: Vocabulary, least: float) -> Iterator[Grams]:
    width = 2 * len(vocabulary.codes)
    for start in range(0, len(texts1), ROWS_AT_A_TIME):
        count = min(ROWS_AT_A_TIME, len(texts1) - start)
        keys = []
        for side, texts in enumerate((texts1, texts2)):
            rows, codes = _codes(texts[start : start + count])
            ranks = vocabulary.ranks[np.searchsorted(vocabulary.codes, codes)]
            keys.append(rows * width + 2 * ranks + side)
        every = distinct(np.concatenate(keys))
        rows, features = every // width, every % width
        sizes = np.bincount(2 * rows + features % 2, minlength=2 * count).reshape(count, 2)
        whole = sizes.sum(axis=1)
        places = np.arange(len(rows)) - (np.cumsum(whole) - whole)[rows]
        ahead = places < prefix_lengths(whole, smallest_ratio(least))[rows]
        yield Grams(
            sizes.astype(np.int32),
            _signatures(rows, features, count),
            features[ahead],
            (rows[ahead] + start).astype(np.int32),
            places[ahead].astype(np.int32),
        )


def smallest_ratio(least: float) -> float:
    """How small a set can be beside another if their Dice coefficient is at least this: a inside b, 2a / (a + b)."""
    return least / (2 - least)


def prefix_lengths(sizes: NDArray[np.integer], ratio: float) -> NDArray[np.integer]:
    """How many of the rarest a set must look at if at least this share of it is to be shared: one is among them."""
    lengths: NDArray[np.integer] = sizes - np.ceil(sizes * ratio - SLACK).astype(np.int64) + 1
    return lengths


def _signatures(rows: Rows, features: Rows, count: int) -> Codes:
    """For each text 128 bits, one of them set for each trigram: bits that another lacks are trigrams that it lacks."""
    bits = np.zeros((count, 2, BITS), np.bool_)
    spread = ((features // 2).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(57)
    bits[rows, features % 2, spread.astype(np.int64)] = True
    return np.packbits(bits, axis=2).view(np.uint64)
