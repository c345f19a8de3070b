"""Opening messages of forum threads that share title and sub-forum (Kanerva et al. 2023, §3.3).

In go forum messages, out come pairs of openers (``position`` 0) with the same title in the same
sub-forum, without regard to case and white space, whose similarity is inside the band and of which
the shorter is not merely a part of the longer. Many of the pairs are no match all the same: the paper
has a person accept or reject each by its first sentences (44 % were rejected) before extraction.

Candidates are the pairs of similarity ``floor`` and up, the low end of the band unless a lower one is
asked for: a title such as "Help!" has very many openers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from otherwords.align.candidates import Aligned, Band, Candidate, aligned, in_band, unique
from otherwords.align.containment import contained, same_form
from otherwords.align.groups import Key, in_groups
from otherwords.align.similarity import similar
from otherwords.records import Document

METHOD = "forum"
CONTAINED = "the shorter message is part of the longer"
REPLY = "left out: no opening message"
NO_TITLE = "left out: no title or sub-forum"
COMPARED = "pairs compared"


def forum_pairs(
    documents: Iterable[Document], band: Band, *, floor: float | None = None, threads: int | None = None
) -> Aligned:
    """Pairs of opening messages inside the band."""
    counts: dict[str, int] = {}
    openers = []
    for document in unique(documents, counts):
        reason = REPLY if document.meta.get("position") != 0 else NO_TITLE if _title_of(document) is None else None
        if reason is None:
            openers.append(document)
        else:
            counts[reason] = counts.get(reason, 0) + 1
    ordered, meetings = in_groups(openers, _title_of, counts)
    lowest = band.low if floor is None else min(floor, band.low)
    found = similar([document.text for document in ordered], meetings, lowest, threads)
    counts[COMPARED] = meetings.count()
    candidates = in_band(ordered, found, band, _name_of)
    return aligned(METHOD, [_unless_contained(each) for each in candidates], counts)


def _title_of(document: Document) -> Key | None:
    subforum, title = (same_form(str(document.meta.get(field) or "")) for field in ("subforum", "title"))
    return (subforum, title) if subforum and title else None


def _name_of(document: Document) -> str | None:
    """One name for the openers that may meet, however each has written it."""
    key = _title_of(document)
    return " / ".join(key) if key else None


def _unless_contained(candidate: Candidate) -> Candidate:
    if candidate.reason is None and contained(candidate.one.text, candidate.two.text):
        return replace(candidate, reason=CONTAINED)
    return candidate
