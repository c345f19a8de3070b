"""Candidate document pairs, what was decided about each, and the band that decides (Kanerva et al. 2023, §3).

In go documents in order and the similar pairs among them, out come the document pairs that are kept
and one table of all candidates: ``doc1, doc2, group, similarity, kept, reason``. No row leaves the
table; one that is dropped says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from otherwords.align.pair_id import pair_id
from otherwords.align.similarity import Similar
from otherwords.errors import UsageError
from otherwords.records import Document, DocumentPair

SCHEMA = pa.schema(
    [
        ("doc1", pa.large_string()),
        ("doc2", pa.large_string()),
        ("group", pa.large_string()),
        ("similarity", pa.float64()),
        ("kept", pa.bool_()),
        ("reason", pa.large_string()),
    ]
)
TOO_LOW = "similarity below the band"
TOO_HIGH = "similarity above the band"
TWICE = "the same document again"


@dataclass(frozen=True, slots=True)
class Band:
    """The similarities that are wanted, both ends included."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.low <= self.high <= 1.0:
            raise UsageError(f"a similarity band from {self.low} to {self.high}: give 0 <= low <= high <= 1")

    def reason(self, similarity: float) -> str | None:
        """Why a pair of this similarity is dropped; None if it is not."""
        return TOO_LOW if similarity < self.low else TOO_HIGH if similarity > self.high else None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two documents, the earlier first, and what was decided."""

    one: Document
    two: Document
    similarity: float
    group: str | None = None
    reason: str | None = None


def _no_group(_: Document) -> None:
    return None


class Aligned(NamedTuple):
    """Document pairs, all candidates, and counts: pairs compared, documents left out by reason."""

    pairs: list[DocumentPair]
    candidates: pa.Table
    counts: dict[str, int]


def in_band(
    documents: Sequence[Document], found: Similar, band: Band, group: Callable[[Document], str | None] = _no_group
) -> list[Candidate]:
    """A candidate for every similar pair, in order; one outside the band is dropped."""
    places = zip(found.earlier.tolist(), found.later.tolist(), found.similarity.tolist(), strict=True)
    return [
        Candidate(documents[early], documents[late], similarity, group(documents[early]), band.reason(similarity))
        for early, late, similarity in places
    ]


def aligned(method: str, candidates: Sequence[Candidate], counts: dict[str, int]) -> Aligned:
    """The kept ones as document pairs, and the table of all."""
    columns = {
        "doc1": [each.one.id for each in candidates],
        "doc2": [each.two.id for each in candidates],
        "group": [each.group for each in candidates],
        "similarity": [each.similarity for each in candidates],
        "kept": [each.reason is None for each in candidates],
        "reason": [each.reason for each in candidates],
    }
    pairs = [_document_pair(method, each) for each in candidates if each.reason is None]
    return Aligned(pairs, pa.table(columns, SCHEMA), counts)


def _document_pair(method: str, candidate: Candidate) -> DocumentPair:
    one, two = candidate.one.id, candidate.two.id
    return DocumentPair(
        id=pair_id(method, one, two),
        doc1=one,
        doc2=two,
        similarity=candidate.similarity,
        group=candidate.group,
        method=method,
    )


def unique(documents: Iterable[Document], counts: dict[str, int]) -> list[Document]:
    """Each document once; the same id again is counted."""
    known: dict[str, Document] = {}
    for document in documents:
        if document.id in known:
            counts[TWICE] = counts.get(TWICE, 0) + 1
        known.setdefault(document.id, document)
    return list(known.values())
