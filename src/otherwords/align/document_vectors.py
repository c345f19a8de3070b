"""Whole documents as sparse vectors: TF-IDF of character n-grams within words (Kanerva et al. 2023, §3.1, §3.2).

A collection is fitted once; then its documents become vectors batch by batch, and batches are compared.
The cosines are those of the measure ``char-cosine-tfidf`` (scikit-learn's ``TfidfVectorizer`` with
``char_wb`` and 2–4 characters).

N-grams are ranked by frequency and spelling. The most frequent ones, which nearly all documents have,
are columns of a dense matrix; the others stay sparse and meet only where two documents share them.
:func:`estimates` adds both up in single precision for all pairs of two batches; :func:`cosines` gives
chosen pairs in double precision, added up by rank, so that neither the order of the documents nor the
number of threads changes a bit.
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
DENSE = 2048  # n-grams that are columns: here a product of matrices costs about what the sparse rest does
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
class Batch:
    """Some documents. Document i has the entries from ``starts[i]`` to ``starts[i + 1]``, by rank."""

    starts: Integers
    ranks: Numbers
    counts: Numbers
    norms: Floats  # squared
    dense: Estimates  # the share of the most frequent n-grams, a row a document
    rare: tuple[Numbers, Numbers, Estimates]  # rank, document and weight of all other entries, by rank

    def __len__(self) -> int:
        return len(self.norms)

    def longest(self) -> int:
        """How many n-grams a document has at most."""
        return int(np.diff(self.starts).max(initial=0))


def fit(texts: Sequence[str]) -> Fit:
    """The n-grams of these texts, each text a document; at least one is needed."""
    frequencies = Frequencies(ORDERS, "lc")
    for start in range(0, len(texts), FITTED_AT_ONCE):
        frequencies.add(pa.array(texts[start : start + FITTED_AT_ONCE], pa.large_string()))
    vocabulary = frequencies.weights()
    hashes, weights = _kernels.gram_table(vocabulary)
    squares = np.frombuffer(weights, np.float64)
    # The smaller the weight the more frequent; 0 is no n-gram of its own, only the beginning of others.
    order = np.lexsort((np.frombuffer(hashes, np.uint64), np.where(squares > 0, squares, np.inf)))
    ranks = np.empty(len(order), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return Fit(vocabulary, ranks, squares[order])


def batch(fitted: Fit, texts: Sequence[str]) -> Batch:
    """The vectors of some documents of a fitted collection."""
    lengths, ranks, counts, by_rank = _read(fitted, texts)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    every = np.arange(len(texts))
    norms = _products(fitted, (starts, ranks, counts), (starts, ranks, counts), every, every)
    rows = np.repeat(every.astype(np.uint32), lengths)
    weights = np.sqrt(fitted.squares)[ranks] * counts / np.sqrt(np.where(norms > 0, norms, 1.0))[rows]
    ranked, of_row, weighed = ranks[by_rank], rows[by_rank], weights.astype(np.float32)[by_rank]
    cut = int(np.searchsorted(ranked, DENSE))
    dense = np.zeros((len(texts), min(DENSE, len(fitted.squares))), np.float32)
    dense[of_row[:cut], ranked[:cut]] = weighed[:cut]
    return Batch(starts, ranks, counts, norms, dense, (ranked[cut:], of_row[cut:], weighed[cut:]))


def _read(fitted: Fit, texts: Sequence[str]) -> tuple[Integers, Numbers, Numbers, Numbers]:
    """Entries a document, their ranks and counts, and the entries in the order of all ranks."""
    lengths = np.empty(len(texts), np.int64)
    entries = _entries(fitted, texts, lengths, folding("lc"))
    if (lengths < 0).any():  # some letter has its lower case by its neighbours: so all go through str.lower
        entries = _entries(fitted, [text.lower() for text in texts], lengths, folding("mixed"))
    ranks, counts, by_rank = (np.frombuffer(each, np.uint32) for each in entries)
    return lengths, ranks, counts, by_rank


def _entries(fitted: Fit, texts: Sequence[str], lengths: Integers, fold: Numbers) -> tuple[bytes, bytes, bytes]:
    one = column(texts)
    return _kernels.document_grams(fitted.vocabulary, fitted.ranks, one.offsets, one.data, lengths, fold, *ORDERS)


def estimates(one: Batch, two: Batch) -> Estimates:
    """The cosines of all documents of one batch with all of the other, but for the rounding of single precision."""
    table: Estimates = np.ascontiguousarray(one.dense @ two.dense.T)
    _kernels.shared_products(table, *one.rare, *two.rare, len(two))
    return table


def rounding(one: Batch, two: Batch) -> float:
    """More than an estimate can be wrong by: every product and every sum of n of them rounds once."""
    return (min(one.longest(), two.longest()) + 8) * 2.0**-23


def cosines(fitted: Fit, one: Batch, two: Batch, places1: Integers, places2: Integers) -> Floats:
    """The cosines of chosen pairs; 0 for a document without n-grams."""
    entries1, entries2 = (one.starts, one.ranks, one.counts), (two.starts, two.ranks, two.counts)
    return cosine_of(_products(fitted, entries1, entries2, places1, places2), one.norms[places1], two.norms[places2])


def _products(
    fitted: Fit,
    one: tuple[Integers, Numbers, Numbers],
    two: tuple[Integers, Numbers, Numbers],
    places1: Integers,
    places2: Integers,
) -> Floats:
    out = np.empty(len(places1), np.float64)
    places = np.ascontiguousarray(places1), np.ascontiguousarray(places2)
    _kernels.pair_products(out, *one, *two, *places, fitted.squares)
    return out
