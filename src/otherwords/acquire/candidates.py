"""A candidate pair: two texts that a method put together, and everything that led to it.

What a person needs to trust it stands in the pair itself: the scores, and under ``meta.made`` the systems, ranges and
changes. The parameters, seeds and signatures of the step stand in the ledger, where ``otherwords trace`` finds them.
"""

from __future__ import annotations

from typing import Any

from otherwords.digests import digest_hex
from otherwords.records import Document, Pair, Passage

MADE = "made"  # under meta


def candidate(
    method: str,
    first: Document,
    second: Document,
    *,
    texts: tuple[str, str] | None = None,
    scores: dict[str, float | None] | None = None,
    made: dict[str, Any] | None = None,
    lang: str | None = None,
    group: str | None = None,
) -> Pair:
    """A pair of two documents, or of texts in ``lang`` that a model made of them; ``made`` says how."""
    text1, text2 = texts or (first.text, second.text)
    same = first.id == second.id or first.group == second.group
    return Pair(
        id=f"{method}-{digest_hex(first.id, second.id, text1, text2, size=10)}",
        text1=text1,
        text2=text2,
        lang=lang or (first.lang if first.lang == second.lang else None),
        source=first.source if first.source == second.source else method,
        group=group or (first.group if same else None),
        time=first.time,
        doc1=_passage(first, text1),
        doc2=_passage(second, text2),
        method=method,
        scores=scores or {},
        meta={MADE: made} if made else {},
    )


def _passage(document: Document, text: str) -> Passage:
    """Where a text stands in its document; one that a model made of it stands nowhere in it."""
    start = document.text.find(text)
    return Passage(id=document.id) if start < 0 else Passage(id=document.id, start=start, end=start + len(text))
