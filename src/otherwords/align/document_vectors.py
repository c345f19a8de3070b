"""Whole documents as sparse vectors: TF-IDF of character n-grams within words (Kanerva et al. 2023, §3.1, §3.2).

A collection is fitted once; then its documents become vectors block by block, and blocks are compared. The cosines
are those of the measure ``char-cosine-tfidf`` (scikit-learn's ``TfidfVectorizer`` with ``char_wb`` and 2–4
characters).

N-grams are ranked by frequency and spelling. The most frequent ones, which nearly all documents have, are columns of
a dense matrix; the others stay sparse and count only where two documents share them. :func:`estimates` adds both up
in single precision for all pairs of two blocks; :func:`cosines` computes chosen pairs in double precision, added up
by rank, so that neither the order of the documents nor the number of threads changes a bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords import _kernels
from otherwords.measures.columns import Floats, Integers, column
from otherwords.measures.cosine import cosine_of, folding
from otherwords.measures.tfidf import Frequencies

ORDERS = (2, 4)  # characters; Kanerva et al. 2023, §6, as in char-cosine-tfidf
DENSE = 2048  # n-grams that are columns: with so many, the matrix product costs about as much as the sparse rest
FITTED_AT_ONCE = 8192  # documents

Numbers = npt.NDArray[np.uint32]
Estimates = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """The n-grams of a collection: their ranks, and by rank the squares of their weights."""

    vocabulary: object
    ranks: Numbers
    squares: Floats


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors of some documents. Document i has the entries ``starts[i]`` to ``starts[i + 1]``, by rank."""

    starts: Integers
    ranks: Numbers
    counts: Numbers
    norms: Floats  # squared
    dense: Estimates  # the part of the most frequent n-grams, one row per document
    rare: tuple[Numbers, Numbers, Estimates]  # rank, document and weight of all other entries, by rank


def fit(texts: Sequence[str]) -> Fit:
    """The n-grams of these texts, each text a document; at least one is needed."""
    frequencies = Frequencies(ORDERS, "lc")
    for start in range(0, len(texts), FITTED_AT_ONCE):
        frequencies.add(pa.array(texts[start : start + FITTED_AT_ONCE], pa.large_string()))
    vocabulary = frequencies.weights()
    hashes, weights = _kernels.gram_table(vocabulary)
    squares = np.frombuffer(weights, np.float64)
    # The smaller the weight, the more frequent; 0 is not an n-gram itself, only the beginning of others.
    order = np.lexsort((np.frombuffer(hashes, np.uint64), np.where(squares > 0, squares, np.inf)))
    ranks = np.empty(len(order), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return Fit(vocabulary, ranks, squares[order])


def vectorise(fitted: Fit, texts: Sequence[str]) -> VectorBlock:
    """The vectors of some documents of a fitted collection."""
    lengths = np.empty(len(texts), np.int64)
    entries = _entries(fitted, texts, lengths, folding("lc"))
    if (lengths < 0).any():  # the lower case of some letter depends on its neighbours, so all go through str.lower
        entries = _entries(fitted, [text.lower() for text in texts], lengths, folding("mixed"))
    ranks, counts, by_rank = (np.frombuffer(buffer, np.uint32) for buffer in entries)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    places = np.arange(len(texts))
    norms = _products(fitted, (starts, ranks, counts), (starts, ranks, counts), places, places)
    rows = np.repeat(places.astype(np.uint32), lengths)
    weights = np.sqrt(fitted.squares)[ranks] * counts / np.sqrt(np.where(norms > 0, norms, 1.0))[rows]
    ranked, of_row, weighed = ranks[by_rank], rows[by_rank], weights.astype(np.float32)[by_rank]
    cut = int(np.searchsorted(ranked, DENSE))
    dense = np.zeros((len(texts), min(DENSE, len(fitted.squares))), np.float32)
    dense[of_row[:cut], ranked[:cut]] = weighed[:cut]
    return VectorBlock(starts, ranks, counts, norms, dense, (ranked[cut:], of_row[cut:], weighed[cut:]))


def _entries(fitted: Fit, texts: Sequence[str], lengths: Integers, fold: Numbers) -> tuple[bytes, bytes, bytes]:
    """Ranks and counts of the entries, and the entries in the order of all ranks; ``lengths`` gets their numbers."""
    prepared = column(texts)
    return _kernels.document_grams(fitted.vocabulary, fitted.ranks, *prepared.buffers, lengths, fold, *ORDERS)


def estimates(block1: VectorBlock, block2: VectorBlock) -> Estimates:
    """The cosines of all documents of one block with all of the other, up to single-precision rounding."""
    table: Estimates = np.ascontiguousarray(block1.dense @ block2.dense.T)
    _kernels.shared_products(table, *block1.rare, *block2.rare, len(block2.norms))
    return table


def rounding(block1: VectorBlock, block2: VectorBlock) -> float:
    """An upper bound of the error of an estimate: every product and every sum of n of them rounds once."""
    most1, most2 = (int(np.diff(block.starts).max(initial=0)) for block in (block1, block2))  # n-grams of a document
    return (min(most1, most2) + 8) * 2.0**-23


def cosines(fitted: Fit, block1: VectorBlock, block2: VectorBlock, places1: Integers, places2: Integers) -> Floats:
    """The cosines of chosen pairs; 0 for a document without n-grams."""
    entries1, entries2 = (block1.starts, block1.ranks, block1.counts), (block2.starts, block2.ranks, block2.counts)
    return cosine_of(
        _products(fitted, entries1, entries2, places1, places2), block1.norms[places1], block2.norms[places2]
    )


def _products(
    fitted: Fit,
    entries1: tuple[Integers, Numbers, Numbers],
    entries2: tuple[Integers, Numbers, Numbers],
    places1: Integers,
    places2: Integers,
) -> Floats:
    out = np.empty(len(places1), np.float64)
    places = np.ascontiguousarray(places1), np.ascontiguousarray(places2)
    _kernels.pair_products(out, *entries1, *entries2, *places, fitted.squares)
    return out
