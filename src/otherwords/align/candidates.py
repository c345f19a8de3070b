"""Candidate document pairs, what was decided about each, and the band that decides (Kanerva et al. 2023, §3).

An alignment has the document pairs that are kept and one table of all candidates: ``doc1, doc2, group, similarity,
kept, reason``. No row leaves the table; one that is dropped says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.align.similarity import SimilarPairs
from otherwords.digests import digest_bytes
from otherwords.errors import UsageError
from otherwords.records import Document, DocumentPair
from otherwords.sources.documents.kind import document_id
from otherwords.text.ngrams import token_ngrams
from otherwords.text.normalise import normalise
from otherwords.text.tokenise import tokeniser

_TEXT = pa.large_string()
SCHEMA = pa.schema(
    {"doc1": _TEXT, "doc2": _TEXT, "group": _TEXT, "similarity": pa.float64(), "kept": pa.bool_(), "reason": _TEXT}
)
TOO_LOW = "similarity below the band"
TOO_HIGH = "similarity above the band"
TWICE = "the same document again"

TOKENS = 5  # a run of this length is hardly ever written twice by chance
SHARE = 95  # per cent

Drawable = TypeVar("Drawable", str, int)


@dataclass(frozen=True, slots=True)
class Band:
    """The similarities that are kept, both ends included."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.low <= self.high <= 1.0:
            message = f"the similarity band {self.low} to {self.high} is not possible; give 0 <= low <= high <= 1"
            raise UsageError(message, code="impossible-band")

    def reason(self, similarity: float) -> str | None:
        """Why a pair of this similarity is dropped; None if it is not."""
        return TOO_LOW if similarity < self.low else TOO_HIGH if similarity > self.high else None


@dataclass(frozen=True, slots=True)
class DocumentCandidate:
    """Two documents, the earlier first, and what was decided."""

    first: Document
    second: Document
    similarity: float
    group: str | None = None
    reason: str | None = None


class Alignment(NamedTuple):
    """Document pairs, all candidates, and counts: pairs compared, documents left out by reason."""

    pairs: list[DocumentPair]
    candidates: pa.Table
    counts: dict[str, int]


def band_candidates(
    documents: Sequence[Document],
    similar: SimilarPairs,
    band: Band,
    group: Callable[[Document], str | None] = lambda document: None,
) -> list[DocumentCandidate]:
    """A candidate for every similar pair, in order; one outside the band is dropped."""
    places = zip(similar.earlier.tolist(), similar.later.tolist(), similar.similarity.tolist(), strict=True)
    return [
        DocumentCandidate(
            documents[early], documents[late], similarity, group(documents[early]), band.reason(similarity)
        )
        for early, late, similarity in places
    ]


def build_alignment(method: str, candidates: Sequence[DocumentCandidate], counts: dict[str, int]) -> Alignment:
    """The kept candidates as document pairs, and the table of all candidates."""
    rows = [(c.first.id, c.second.id, c.group, c.similarity, c.reason is None, c.reason) for c in candidates]
    pairs = [
        DocumentPair(
            id=document_pair_id(method, candidate.first.id, candidate.second.id),
            doc1=candidate.first.id,
            doc2=candidate.second.id,
            similarity=candidate.similarity,
            group=candidate.group,
            method=method,
        )
        for candidate in candidates
        if candidate.reason is None
    ]
    return Alignment(pairs, table_from_rows(rows, SCHEMA), counts)


def table_from_rows(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    """A table of rows whose values are in the order of the schema."""
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(schema.names)}, schema)


def document_pair_id(method: str, doc1: str, doc2: str) -> str:
    """The id of what a method makes of two documents: the same alignment twice gives the same ids."""
    return document_id(method, doc1, doc2, None, "1")  # no part, first round


def count_reasons(table: pa.Table) -> dict[str, int]:
    """How many rows of a table were dropped for each reason, the most frequent first."""
    counts = pc.value_counts(table["reason"].drop_null()).to_pylist()
    return {row["values"]: row["counts"] for row in sorted(counts, key=lambda row: (-row["counts"], row["values"]))}


def unique_documents(documents: Iterable[Document], counts: dict[str, int]) -> list[Document]:
    """Each document once; repeated ids are counted."""
    known: dict[str, Document] = {}
    for document in documents:
        if document.id in known:
            counts[TWICE] = counts.get(TWICE, 0) + 1
        known.setdefault(document.id, document)
    return list(known.values())


def comparable_form(text: str) -> str:
    """The text without what makes no difference here: case, white space, the form of quotes."""
    return normalise(text, straight_quotes=True).casefold()


def is_contained(text1: str, text2: str) -> bool:
    """Whether the shorter of two texts is part of the longer. An empty text is part of any."""
    shorter, longer = sorted((comparable_form(text1), comparable_form(text2)), key=len)
    if shorter in longer:
        return True
    tokenise = tokeniser("words").tokens
    runs = list(token_ngrams(tokenise(shorter), TOKENS))
    others = set(token_ngrams(tokenise(longer), TOKENS))
    return bool(runs) and 100 * sum(run in others for run in runs) >= SHARE * len(runs)


def draw(items: Iterable[Drawable], count: int, seed: int, *names: object) -> list[Drawable]:
    """Draw ``count`` items. A larger count adds to the same items."""
    return sorted(items, key=lambda item: digest_bytes(*map(str, (seed, *names, item)), size=16))[:count]
