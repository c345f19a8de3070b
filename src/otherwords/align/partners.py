"""Which document of one collection is the counterpart of which of another, by content alone.

In go two collections, such as the chapters of two translations of a book, out come pairs: greedily,
the two most similar documents of all that have no partner yet, then the next two, each document once.
The work goes by batches; of every batch of the other side a document offers its ten nearest, so one
whose nearest all found better partners may stay alone. Swapping the collections swaps the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from otherwords.align.candidates import unique
from otherwords.align.document_vectors import Batch, Estimates, Fit, batch, cosines, estimates, fit
from otherwords.align.pair_id import pair_id
from otherwords.align.similarity import AT_ONCE
from otherwords.measures.columns import Floats, Integers
from otherwords.records import Document, DocumentPair

METHOD = "partners"
NEAREST = 10


def best_partners(
    documents1: Iterable[Document], documents2: Iterable[Document], *, low: float = 0.0
) -> list[DocumentPair]:
    """Pairs of at least the similarity ``low``, the most similar first; equal ones by their ids."""
    one, two = (
        sorted(unique(documents, {}), key=lambda document: document.id) for documents in (documents1, documents2)
    )
    taken1: set[int] = set()
    taken2: set[int] = set()
    pairs = []
    for place1, place2, similarity in _by_similarity(one, two) if one and two else ():
        if similarity < low or similarity <= 0 or place1 in taken1 or place2 in taken2:
            continue
        taken1.add(place1)
        taken2.add(place2)
        doc1, doc2 = one[place1].id, two[place2].id
        name = pair_id(METHOD, doc1, doc2)
        pairs.append(DocumentPair(id=name, doc1=doc1, doc2=doc2, similarity=similarity, method=METHOD))
    return pairs


def _by_similarity(one: Sequence[Document], two: Sequence[Document]) -> Iterator[tuple[int, int, float]]:
    """What the documents of both sides offer, the best first."""
    fitted = fit([document.text for document in (*one, *two)])
    offers = [
        _offers(fitted, batch1, start1, batch2, start2)
        for start1, batch1 in _batches(fitted, one)
        for start2, batch2 in _batches(fitted, two)
    ]
    places1, places2 = (np.concatenate([offer[side] for offer in offers]) for side in (0, 1))
    similarity = np.concatenate([offer[2] for offer in offers])
    order = np.lexsort((places2, places1, -similarity))
    yield from zip(places1[order].tolist(), places2[order].tolist(), similarity[order].tolist(), strict=True)


def _batches(fitted: Fit, documents: Sequence[Document]) -> Iterator[tuple[int, Batch]]:
    for start in range(0, len(documents), AT_ONCE):
        yield start, batch(fitted, [document.text for document in documents[start : start + AT_ONCE]])


def _offers(fitted: Fit, batch1: Batch, start1: int, batch2: Batch, start2: int) -> tuple[Integers, Integers, Floats]:
    """The nearest of each document of two batches, as places in their collections, with their cosines."""
    table = estimates(batch1, batch2)
    near = _nearest(table) | _nearest(table.T).T
    places1, places2 = np.nonzero(near)
    return places1 + start1, places2 + start2, cosines(fitted, batch1, batch2, places1, places2)


def _nearest(table: Estimates) -> npt.NDArray[np.bool_]:
    """Where in each row the greatest estimates are."""
    near = np.ones(table.shape, bool)
    if table.shape[1] > NEAREST:
        near[:] = False
        np.put_along_axis(near, np.argpartition(table, -NEAREST, axis=1)[:, -NEAREST:], True, axis=1)
    return near
