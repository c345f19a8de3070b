"""Headings of news articles about one event (Kanerva et al. 2023, §3.2).

From the candidates of :func:`otherwords.align.news.news_pairs` come pairs of their titles, to be classified as they
are: of all articles whose bodies are similar enough, "maximally dissimilar headings of news articles having maximally
similar body texts". The rank goes by the similarity of the headings, the least similar first; then by that of the
bodies, the most similar first; then by the ids. The band has no upper end: the more alike the bodies, the better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa

from otherwords.align.candidates import SCHEMA, comparable_form, document_pair_id, table_from_rows
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


class _HeadingRow(NamedTuple):
    first: Document
    second: Document
    body: float
    heading: float


def heading_pairs(
    documents: Iterable[Document], candidates: pa.Table, *, low: float, most: int | None = None
) -> Headings:
    """The headings of articles whose bodies have at least the similarity ``low``; at most ``most``."""
    if most is not None and most < 0:
        raise UsageError(f"at most {most} pairs of headings; give 0 or more", code="wrong-limit")
    known = {document.id: document for document in documents}
    pairs: list[Pair] = []
    seen: set[frozenset[str]] = set()
    table: list[tuple[object, ...]] = []
    rows = _rows(known, candidates)
    for row in sorted(rows, key=lambda row: (row.heading, -row.body, row.first.id, row.second.id)):
        titles = frozenset(comparable_form(_heading(article)) for article in (row.first, row.second))
        reasons = {
            TOO_LOW: row.body < low,
            NO_HEADING: "" in titles,
            SAME_HEADING: len(titles) == 1,
            SAME_PAIR: titles in seen,
            BEYOND: most is not None and len(pairs) >= most,
        }
        reason = next((reason for reason, holds in reasons.items() if holds), None)
        if reason is None:
            seen.add(titles)
            pairs.append(_pair(row))
        table.append((row.first.id, row.second.id, None, row.body, reason is None, reason, row.heading))
    return Headings(pairs, table_from_rows(table, TABLE))


def _rows(known: Mapping[str, Document], candidates: pa.Table) -> list[_HeadingRow]:
    """The candidates with their articles and the similarity of their headings."""
    names = [candidates[column].to_pylist() for column in ("doc1", "doc2")]
    if unknown := [name for side in names for name in side if name not in known]:
        message = f"the article {unknown[0]!r} of the candidates is not among the documents; align them again"
        raise DataError(message, code="no-such-document")
    articles = [[known[name] for name in side] for side in names]
    titles1, titles2 = ([_heading(document) for document in side] for side in articles)
    similarity = measure(SIMILARITY)
    # Each heading of the collection once, so that their order does not matter.
    similarity.fit([sorted({title for document in known.values() if (title := _heading(document))}) or [""]])
    scores = score_columns([similarity], titles1, titles2)[similarity.name]
    bodies = candidates["similarity"].to_pylist()
    return [_HeadingRow(*row) for row in zip(*articles, bodies, scores.tolist(), strict=True)]


def _heading(document: Document) -> str:
    return str(document.meta.get("title") or "").strip()


def _pair(row: _HeadingRow) -> Pair:
    first, second = row.first, row.second
    return Pair(
        id=document_pair_id(METHOD, first.id, second.id),
        text1=_heading(first),
        text2=_heading(second),
        lang=first.lang if first.lang == second.lang else None,
        source=METHOD,
        time=first.time,
        method=METHOD,
        doc1=_passage(first),
        doc2=_passage(second),
        scores={BODY: row.body, HEADING: row.heading},
    )


def _passage(document: Document) -> Passage:
    """The heading where the text begins with it; usually it is not in the text."""
    heading = _heading(document)
    start = len(document.text) - len(document.text.lstrip())
    inside = document.text.startswith(heading, start)
    return Passage(id=document.id, start=start, end=start + len(heading)) if inside else Passage(id=document.id)
