"""Ids of document pairs: from what the pair is, so that the same alignment twice gives the same pairs."""

from __future__ import annotations

from otherwords.records import Part
from otherwords.sources.documents.kind import document_id


def pair_id(method: str, doc1: str, doc2: str, part: Part | None = None, round: int = 1) -> str:
    """The id of what a method made of two documents, or of a part of each, in a round."""
    stretch = None if part is None else f"{part.start1}-{part.end1}-{part.start2}-{part.end2}"
    return document_id(method, doc1, doc2, stretch, str(round))
