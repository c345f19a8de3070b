"""Opening messages of forum threads that share title and sub-forum (Kanerva et al. 2023, §3.3).

Opening messages (``position`` 0) are paired if they have the same title in the same sub-forum, ignoring case and
white space, if their similarity is inside the band and if the shorter is not merely a part of the longer. Many of the
pairs are still no match: the paper has a person accept or reject each by its first sentences (44 % were rejected)
before extraction.

Candidates are the pairs of similarity ``floor`` and above, by default the low end of the band: a title such as
"Help!" has very many openers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from otherwords.align.candidates import (
    Alignment,
    Band,
    band_candidates,
    build_alignment,
    comparable_form,
    is_contained,
    unique_documents,
)
from otherwords.align.groups import Key, group_documents
from otherwords.align.similarity import similar_pairs
from otherwords.records import Document

METHOD = "forum"
CONTAINED = "the shorter message is part of the longer"
REPLY = "left out: no opening message"
NO_TITLE = "left out: no title or sub-forum"
COMPARED = "pairs compared"


def forum_pairs(
    documents: Iterable[Document], band: Band, *, floor: float | None = None, threads: int | None = None
) -> Alignment:
    """Pairs of opening messages inside the band."""
    counts: dict[str, int] = {}
    openers = []
    for document in unique_documents(documents, counts):
        reason = REPLY if document.meta.get("position") != 0 else NO_TITLE if _title_key(document) is None else None
        if reason is None:
            openers.append(document)
        else:
            counts[reason] = counts.get(reason, 0) + 1
    ordered, compared = group_documents(openers, _title_key, counts)
    lowest = band.low if floor is None else min(floor, band.low)
    similar = similar_pairs([document.text for document in ordered], compared, lowest, threads)
    counts[COMPARED] = compared.count()
    # The name of a group is the common form of its titles, however each opener spells it.
    candidates = band_candidates(ordered, similar, band, lambda opener: " / ".join(_title_key(opener) or ()))
    decided = [
        replace(candidate, reason=CONTAINED)
        if candidate.reason is None and is_contained(candidate.first.text, candidate.second.text)
        else candidate
        for candidate in candidates
    ]
    return build_alignment(METHOD, decided, counts)


def _title_key(document: Document) -> Key | None:
    subforum, title = (comparable_form(str(document.meta.get(field) or "")) for field in ("subforum", "title"))
    return (subforum, title) if subforum and title else None
