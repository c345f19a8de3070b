"""How much people found in each text source: Table 1 of Kanerva et al. 2023 (§4.2), from the ledger as it is now.

Document pairs that somebody has finished, or found empty, go in; one row a source comes out. As in the paper:

- *documents*: document pairs that yielded something; *empty*: the share of those that did not, in per cent;
- *yield*: pairs extracted from a document pair; *coverage*: how much of both texts was selected, in per cent of their
  alphanumeric characters, where overlapping selections count once; *length*: the mean length of a document, not of a
  selection, in alphanumeric characters. These three leave the empty document pairs out;
- of subtitles a document is the segment that was shown, and only the first round counts: the later ones were chosen by
  their yield.

Alphanumeric is what Unicode calls a letter or a number (``str.isalnum``). Rewrites were not extracted, and pairs that
were taken back do not count. Texts are read a few document pairs at a time, and of each the part that was shown.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, FromClause, and_, func, select

from otherwords.project import schema

FINISHED, EMPTY = "finished", "empty"
REMOVED = "removed"
SUBTITLES = "subtitles"
DOCUMENT_PAIRS_AT_A_TIME = 20
SELECTIONS_AT_A_TIME = 1000
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One text source. What cannot be said without a document pair that yielded something is None."""

    source: str | None
    documents: int
    empty: float
    mean_yield: float | None
    coverage: float | None
    length: float | None


@dataclass(slots=True)
class _Sums:
    empty: int = 0
    documents: int = 0
    pairs: int = 0
    characters: int = 0
    covered: int = 0

    def row(self, source: str | None) -> Row:
        seen, some = self.documents + self.empty, self.documents
        return Row(
            source,
            documents=some,
            empty=100 * self.empty / seen,
            mean_yield=self.pairs / some if some else None,
            coverage=100 * self.covered / self.characters if self.characters else None,
            length=self.characters / (2 * some) if some else None,
        )


def extraction_table(connection: Connection) -> list[Row]:
    """Table 1: a row for every source that somebody has extracted from, by name."""
    sums: dict[str | None, _Sums] = {}
    for shown, selections in _seen(connection):
        if shown.round > 1 and SUBTITLES in (shown.method, shown.source):
            continue
        told = sums.setdefault(shown.source, _Sums())
        if not selections:
            told.empty += 1
            continue
        told.documents += 1
        told.pairs += len(selections)
        for side in (0, 1):
            characters, covered = _counted(shown[side] or "", _spans(shown, selections, side))
            told.characters += characters
            told.covered += covered
    return [sums[source].row(source) for source in sorted(sums, key=lambda source: (source is None, source))]


def _seen(connection: Connection) -> Iterator[tuple[Any, list[Any]]]:
    """Every document pair that is done with its two texts, and what was selected in it: two streams of one order."""
    done, first, second = schema.document_pairs, schema.documents.alias(), schema.documents.alias()
    statement = (
        select(_shown(first, 1), _shown(second, 2), first.c.source)
        .add_columns(*(done.c[name] for name in ("seq", "doc1", "doc2", "start1", "start2", "round", "method")))
        .select_from(done.outerjoin(first, first.c.id == done.c.doc1).outerjoin(second, second.c.id == done.c.doc2))
        .where(done.c.status.in_((FINISHED, EMPTY)))
        .order_by(done.c.seq)
        .execution_options(yield_per=DOCUMENT_PAIRS_AT_A_TIME)
    )
    grouped = groupby(_selections(connection), key=lambda selection: selection.document_pair)
    waiting = next(grouped, None)
    with connection.execute(statement) as rows:
        for row in rows:
            found: list[Any] = []
            if waiting is not None and waiting[0] == row.seq:
                found = list(waiting[1])
                waiting = next(grouped, None)
            yield row, found


def _shown(document: FromClause, side: int) -> Any:
    """The part of a document that people saw, cut out by the database."""
    done = schema.document_pairs
    start = func.coalesce(done.c[f"start{side}"], 0)
    end = func.coalesce(done.c[f"end{side}"], func.length(document.c.text))
    return func.substr(document.c.text, start + 1, end - start)


def _selections(connection: Connection) -> Iterator[Any]:
    """The pairs that were extracted from those document pairs, in the document pairs' order."""
    one, done = schema.pairs, schema.document_pairs
    taken_from = and_(done.c.id == one.c.meta["document_pair"].as_string(), done.c.status.in_((FINISHED, EMPTY)))
    statement = (
        select(done.c.seq.label("document_pair"))
        .add_columns(*(one.c[name] for name in ("doc1", "start1", "end1", "doc2", "start2", "end2")))
        .select_from(one.join(done, taken_from))
        .where(one.c.rewrite_of.is_(None), one.c.state.is_distinct_from(REMOVED))
        .order_by(done.c.seq)
        .execution_options(yield_per=SELECTIONS_AT_A_TIME)
    )
    with connection.execute(statement) as rows:
        yield from rows


def _spans(shown: Any, selections: Iterable[Any], side: int) -> Iterator[Span]:
    """What was selected of one document, counted from where the part that was shown begins."""
    name = (shown.doc1, shown.doc2)[side]
    begins = (shown.start1, shown.start2)[side] or 0
    for one in selections:
        spans = [(one.doc1, one.start1, one.end1), (one.doc2, one.start2, one.end2)]
        document, start, end = spans[side]
        if document != name:  # the two texts of a pair may stand the other way round
            document, start, end = spans[1 - side]
        if document == name and start is not None:
            yield max(start - begins, 0), max(end - begins, 0)


def _counted(text: str, spans: Iterable[Span]) -> tuple[int, int]:
    """How many alphanumeric characters a text has, and how many of them lie in any of the spans."""
    alphanumeric = _alphanumeric()[np.frombuffer(text.encode("utf-32-le"), np.uint32)]
    covered = np.zeros(len(alphanumeric), bool)
    for start, end in spans:
        covered[start:end] = True
    return int(alphanumeric.sum()), int((alphanumeric & covered).sum())


@functools.cache
def _alphanumeric() -> NDArray[np.bool_]:
    """Of every code point, whether it is alphanumeric: looking that up is five times faster than asking each."""
    return np.fromiter((chr(code).isalnum() for code in range(sys.maxunicode + 1)), bool, sys.maxunicode + 1)
