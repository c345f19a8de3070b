"""Pairs as sets of character trigrams, as a search for similar ones needs them.

Trigrams are taken from a text without case and punctuation, with its ends marked and blanks as characters, and ordered
from rare to frequent. What is kept of each text of a pair is the size of its set, the rarest trigrams (its prefix), and
a signature of 128 bits.

A trigram is a number: one bit for the side of its text, five for how frequent it is and 46 of a hash. Two trigrams of a
text have the same hash once in some ten thousand million texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.leaks.side import PairDigests, Rows, distinct

Codes = NDArray[np.uint64]
Classes = NDArray[np.uint8]  # how frequent the trigrams are whose hashes have the same first bits
Texts = tuple[pa.Array, pa.Array]  # the first and the second texts of some pairs
BITS = 128
ROWS_AT_A_TIME = 1024  # at most 4096: a row has 12 bits of a key
HASH_BITS, BUCKET_BITS = 46, 20
CLASS_SHIFT, SIDE_SHIFT, ROW_SHIFT = (np.uint64(shift) for shift in (46, 51, 52))  # a key is row, side, class, hash
FEATURE = np.uint64((1 << 52) - 1)
MIXER = np.uint64(0x9E3779B97F4A7C15)
SAMPLED_BLOCKS = 8  # of each side; frequencies make the search fast, not right
SLACK = 1e-9  # for rounding errors of bounds
N = 3


@dataclass(frozen=True, slots=True)
class Grams:
    """What is kept of some pairs; prefixes are in one list of entries, text by text, from rare to frequent."""

    sizes: NDArray[np.int32]  # pairs × 2
    signatures: Codes  # pairs × 2 × 2
    features: Codes  # of each entry: side, class and hash of its trigram
    texts: NDArray[np.int32]  # … its text: two for each pair
    places: NDArray[np.int32]  # … how many rarer trigrams its text has


def marked_texts(side: PairDigests, rows: Rows) -> Texts:
    """The plain texts of neighbouring rows, with their ends and blanks as characters that no such text has."""
    start, stop = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 0)
    columns = (side.pairs[name].slice(start, stop - start).combine_chunks() for name in ("plain1", "plain2"))
    first, second = (_mark_ends(texts.take(pa.array(rows - start))) for texts in columns)
    return first, second


def _mark_ends(texts: pa.Array) -> pa.Array:
    inner = pc.replace_substring(texts, " ", "_")
    start, end, between = (pa.scalar(sign, pa.large_string()) for sign in ("^", "$", ""))
    return pc.binary_join_element_wise(start, inner, end, between)


def frequency_classes(sides: Sequence[PairDigests]) -> Classes:
    """How frequent trigrams are in a sample of all sides: 0 is the rarest."""
    counts = np.zeros(1 << BUCKET_BITS, np.int64)
    for side in sides:
        step = max(ROWS_AT_A_TIME, len(side) // SAMPLED_BLOCKS)
        blocks = [np.arange(start, min(start + ROWS_AT_A_TIME, len(side))) for start in range(0, len(side), step)]
        for texts in chain.from_iterable(marked_texts(side, rows) for rows in blocks):
            counts += np.bincount(_buckets(_hashes(texts)[1]), minlength=len(counts))
    classes: Classes = np.minimum(2 * np.log2(counts + 1), 31).astype(np.uint8)
    return classes


def _buckets(hashes: Codes) -> Rows:
    return (hashes >> np.uint64(HASH_BITS - BUCKET_BITS)).astype(np.int64)


def _hashes(texts: pa.Array) -> tuple[Codes, Codes]:
    """The trigrams of some texts with their rows, repeated ones too."""
    strings = texts.to_pylist()
    points = np.frombuffer("".join(strings).encode("utf-32-le"), np.uint32).astype(np.uint64)
    rows = np.repeat(np.arange(len(strings), dtype=np.uint64), [len(text) for text in strings])
    if len(points) < N:
        return np.empty(0, np.uint64), np.empty(0, np.uint64)
    codes = (points[:-2] << np.uint64(42)) | (points[1:-1] << np.uint64(21)) | points[2:]
    within = rows[:-2] == rows[2:]
    codes = codes[within]
    codes ^= codes >> np.uint64(32)
    codes *= MIXER
    return rows[:-2][within], codes >> np.uint64(64 - HASH_BITS)


def build_grams(texts: Texts, classes: Classes, threshold: float) -> Grams:
    """The trigrams of a block of pairs, to be compared for a Dice coefficient of at least ``threshold``."""
    count, keys = len(texts[0]), []
    for side, column in enumerate(texts):
        rows, hashes = _hashes(column)
        order = (classes[_buckets(hashes)].astype(np.uint64) << CLASS_SHIFT) | hashes
        keys.append((rows << ROW_SHIFT) | np.uint64(side << int(SIDE_SHIFT)) | order)
    different = distinct(np.concatenate(keys))
    text_numbers, features = (different >> SIDE_SHIFT).astype(np.int64), different & FEATURE
    sizes = np.bincount(text_numbers, minlength=2 * count)
    places = np.arange(len(text_numbers)) - (np.cumsum(sizes) - sizes)[text_numbers]
    in_prefix = places < prefix_lengths(sizes, smallest_ratio(threshold))[text_numbers]
    # In a signature one bit is set for each trigram: a bit that another text lacks is a trigram it lacks.
    bits = np.zeros((2 * count, BITS), np.bool_)
    bits[text_numbers, (features % np.uint64(BITS)).astype(np.int64)] = True
    return Grams(
        sizes.reshape(count, 2).astype(np.int32),
        np.packbits(bits, axis=1).view(np.uint64).reshape(count, 2, BITS // 64),
        features[in_prefix],
        text_numbers[in_prefix].astype(np.int32),
        places[in_prefix].astype(np.int32),
    )


def mirror_grams(grams: Grams) -> Grams:
    """The same pairs with their texts swapped."""
    features = grams.features ^ (np.uint64(1) << SIDE_SHIFT)
    sizes = np.ascontiguousarray(grams.sizes[:, ::-1])
    signatures = np.ascontiguousarray(grams.signatures[:, ::-1])
    return Grams(sizes, signatures, features, grams.texts ^ np.int32(1), grams.places)


def join_grams(blocks: Sequence[Grams]) -> Grams:
    """Several blocks as one, their texts numbered on."""
    firsts = np.cumsum([0, *(block.sizes.size for block in blocks[:-1])])
    texts = [block.texts + np.int32(first) for block, first in zip(blocks, firsts, strict=True)]
    columns = {name: [getattr(block, name) for block in blocks] for name in Grams.__slots__} | {"texts": texts}
    return Grams(**{name: np.concatenate(column) for name, column in columns.items()})


def smallest_ratio(threshold: float) -> float:
    """How small a set can be beside another if their Dice coefficient is at least this: a inside b, 2a / (a + b)."""
    return threshold / (2 - threshold)


def prefix_lengths(sizes: NDArray[np.integer], ratio: float) -> NDArray[np.integer]:
    """The length of a prefix that has a shared trigram whenever at least this share of the set is shared."""
    lengths: NDArray[np.integer] = sizes - np.ceil(sizes * ratio - SLACK).astype(np.int64) + 1
    return lengths
