"""Headings of news articles about one event (Kanerva et al. 2023, §3.2).

In go articles and the candidates of :func:`otherwords.align.news.news_pairs`, out come pairs of their
titles, for classification as they are: of all articles whose bodies are similar enough, "maximally
dissimilar headings of news articles having maximally similar body texts". The rank goes by the
similarity of the headings, the least similar first; then by that of the bodies, the most similar
first; then by the ids. No upper end of a band applies: the more alike the bodies, the better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa

from otherwords.align.candidates import SCHEMA
from otherwords.align.containment import same_form
from otherwords.align.pair_id import pair_id
from otherwords.errors import DataError, UsageError
from otherwords.measures import measure, score_columns
from otherwords.records import Document, Pair, Passage

METHOD = "headings"
SIMILARITY = "char-cosine-tfidf"  # as that of the bodies, fitted on all headings
BODY, HEADING = "body_similarity", "heading_similarity"
TABLE = SCHEMA.append(pa.field(HEADING, pa.float64()))
TOO_LOW = "similarity of the bodies too low"
NO_HEADING = "an article without a heading"
SAME_HEADING = "the same heading"
SAME_PAIR = "the same two headings again"
BEYOND = "others rank before it"


class Headings(NamedTuple):
    """Pairs of headings, the best first, and all candidates in the order of rank."""

    pairs: list[Pair]
    candidates: pa.Table


class _Row(NamedTuple):
    one: Document
    two: Document
    body: float
    heading: float

    def rank(self) -> tuple[float, float, str, str]:
        return self.heading, -self.body, self.one.id, self.two.id


def heading_pairs(
    documents: Iterable[Document], candidates: pa.Table, *, low: float, most: int | None = None
) -> Headings:
    """The headings of articles whose bodies have at least the similarity ``low``; at most so many."""
    if most is not None and most < 0:
        raise UsageError(f"at most {most} pairs of headings; give 0 or more")
    known = {document.id: document for document in documents}
    pairs: list[Pair] = []
    seen: set[frozenset[str]] = set()
    rows: list[tuple[_Row, str | None]] = []
    for row in sorted(_rows(known, candidates), key=_Row.rank):
        titles = frozenset(same_form(_heading(each)) for each in (row.one, row.two))
        reason = _reason(row, low, titles, seen)
        if reason is None and most is not None and len(pairs) >= most:
            reason = BEYOND
        if reason is None:
            seen.add(titles)
            pairs.append(_pair(row))
        rows.append((row, reason))
    return Headings(pairs, _table(rows))


def _reason(row: _Row, low: float, titles: frozenset[str], seen: set[frozenset[str]]) -> str | None:
    if row.body < low:
        return TOO_LOW
    if "" in titles:
        return NO_HEADING
    if len(titles) == 1:
        return SAME_HEADING
    return SAME_PAIR if titles in seen else None


def _rows(known: Mapping[str, Document], candidates: pa.Table) -> list[_Row]:
    ids = [[_document(known, name) for name in candidates[column].to_pylist()] for column in ("doc1", "doc2")]
    titles1, titles2 = ([_heading(document) for document in side] for side in ids)
    similarity = measure(SIMILARITY)
    # The collection's own headings, each once, so that the order in which they come has no say.
    similarity.fit([sorted({title for document in known.values() if (title := _heading(document))}) or [""]])
    scores = score_columns([similarity], titles1, titles2)[similarity.name]
    return [_Row(*row) for row in zip(*ids, candidates["similarity"].to_pylist(), scores.tolist(), strict=True)]


def _document(known: Mapping[str, Document], name: str) -> Document:
    if name not in known:
        raise DataError(f"the article {name!r} of the candidates is not among the documents; align them again")
    return known[name]


def _heading(document: Document) -> str:
    return str(document.meta.get("title") or "").strip()


def _pair(row: _Row) -> Pair:
    one, two = row.one, row.two
    return Pair(
        id=pair_id(METHOD, one.id, two.id),
        text1=_heading(one),
        text2=_heading(two),
        lang=one.lang if one.lang == two.lang else None,
        source=METHOD,
        time=one.time,
        method=METHOD,
        doc1=Passage(id=one.id, start=0, end=0),  # a heading stands before the body, as a passage of no length
        doc2=Passage(id=two.id, start=0, end=0),
        scores={BODY: row.body, HEADING: row.heading},
    )


def _table(rows: list[tuple[_Row, str | None]]) -> pa.Table:
    columns = {
        "doc1": [row.one.id for row, _ in rows],
        "doc2": [row.two.id for row, _ in rows],
        "group": [None for _ in rows],
        "similarity": [row.body for row, _ in rows],
        "kept": [reason is None for _, reason in rows],
        "reason": [reason for _, reason in rows],
        HEADING: [row.heading for row, _ in rows],
    }
    return pa.table(columns, TABLE)
