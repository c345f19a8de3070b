"""The yield of each text source: Table 1 of Kanerva et al. 2023 (§4.2), from the current state of the ledger.

The table covers document pairs that were finished or found empty. As in the paper:

- *documents*: document pairs that yielded pairs; *empty*: the share of those that did not, in per cent;
- *yield*: pairs extracted per document pair; *coverage*: how much of both texts was selected, in per cent of their
  alphanumeric characters, where overlapping selections count once; *length*: the mean length of a document, not of a
  selection, in alphanumeric characters. Empty document pairs are left out of these three;
- for subtitles, a document is the segment that was shown, and only the first round counts: later segments were chosen
  by their yield.

Alphanumeric means what Unicode calls a letter or a number (``str.isalnum``). Rewrites were not extracted, and removed
pairs do not count. A few document pairs are read at a time, and only the parts of their texts that were shown.
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
from sqlalchemy import Connection, FromClause, func, select

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import Panel, bars_beside
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table, plain_columns
from otherwords.analyse.label_classes import UNLABELLED
from otherwords.measures.options import signature
from otherwords.project.ledger import schema
from otherwords.project.project import Project

FINISHED, EMPTY = "finished", "empty"
REMOVED = "removed"
SUBTITLES = "subtitles"
DOCUMENT_PAIRS_AT_A_TIME = 20
SELECTIONS_AT_A_TIME = 1000
COLUMNS = (
    Column("source", "source"),
    Column("documents", "document pairs", "count"),
    *plain_columns("share", "empty"),
    *plain_columns("number", "yield"),
    *plain_columns("share", "coverage"),
    Column("length", "length", "number", 0),
)
FORMS = {"yield": ".1f", "coverage": ".1%", "empty": ".1%"}  # of the numbers in the figure
ABOUT = (
    "Document pairs that yielded something and the share of those that did not; for the former, the mean number of "
    "pairs extracted, the share of alphanumeric characters selected, and the mean length of a document in such "
    "characters (Kanerva et al. 2023, Table 1)."
)
Span = tuple[int, int]

CAPTION = (
    "For each source: pairs a document pair, the share of both texts that was selected, and the share of document "
    "pairs without a paraphrase."
)


@dataclass(frozen=True, slots=True)
class ExtractionRow:
    """One text source; the means are None if no document pair yielded anything."""

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

    def row(self, source: str | None) -> ExtractionRow:
        documents = self.documents
        return ExtractionRow(
            source,
            documents=documents,
            empty=100 * self.empty / (documents + self.empty),
            mean_yield=self.pairs / documents if documents else None,
            coverage=100 * self.covered / self.characters if self.characters else None,
            length=self.characters / (2 * documents) if documents else None,
        )


def extraction_table(connection: Connection) -> list[ExtractionRow]:
    """Table 1: a row for every source with completed document pairs, by name."""
    sums_by_source: dict[str | None, _Sums] = {}
    for document_pair, selections in _document_pairs(connection):
        if document_pair.round > 1 and SUBTITLES in (document_pair.method, document_pair.source):
            continue
        sums = sums_by_source.setdefault(document_pair.source, _Sums())
        if not selections:
            sums.empty += 1
            continue
        sums.documents += 1
        sums.pairs += len(selections)
        for side in (0, 1):
            text = document_pair[side] or ""
            alphanumeric = _alphanumeric()[np.frombuffer(text.encode("utf-32-le"), np.uint32)]
            covered = np.zeros(len(alphanumeric), bool)
            for start, end in _selected_spans(document_pair, selections, side):
                covered[start:end] = True
            sums.characters += int(alphanumeric.sum())
            sums.covered += int((alphanumeric & covered).sum())
    sources = sorted(sums_by_source, key=lambda source: (source is None, source))
    return [sums_by_source[source].row(source) for source in sources]


def _document_pairs(connection: Connection) -> Iterator[tuple[Any, list[Any]]]:
    """Each completed document pair with its texts and its selections: two streams in the same order, merged."""
    pairs, first, second = schema.document_pairs, schema.documents.alias(), schema.documents.alias()
    query = (
        select(_shown_text(first, 1), _shown_text(second, 2), first.c.source)
        .add_columns(*(pairs.c[name] for name in ("seq", "doc1", "doc2", "start1", "start2", "round", "method")))
        .select_from(pairs.outerjoin(first, first.c.id == pairs.c.doc1).outerjoin(second, second.c.id == pairs.c.doc2))
        .where(pairs.c.status.in_((FINISHED, EMPTY)))
        .order_by(pairs.c.seq)
        .execution_options(yield_per=DOCUMENT_PAIRS_AT_A_TIME)
    )
    groups = groupby(_selections(connection), key=lambda selection: selection.document_pair)
    group = next(groups, None)
    with connection.execute(query) as rows:
        for row in rows:
            selections: list[Any] = []
            if group is not None and group[0] == row.seq:
                selections = list(group[1])
                group = next(groups, None)
            yield row, selections


def _shown_text(document: FromClause, side: int) -> Any:
    """The part of a document that annotators saw, cut out by the database."""
    pairs = schema.document_pairs
    start = func.coalesce(pairs.c[f"start{side}"], 0)
    end = func.coalesce(pairs.c[f"end{side}"], func.length(document.c.text))
    return func.substr(document.c.text, start + 1, end - start)


def _selections(connection: Connection) -> Iterator[Any]:
    """The pairs that were extracted from completed document pairs, in the order of the document pairs."""
    pairs, document_pairs = schema.pairs, schema.document_pairs
    extracted_from = document_pairs.c.id == pairs.c.meta["document_pair"].as_string()
    query = (
        select(document_pairs.c.seq.label("document_pair"))
        .add_columns(*(pairs.c[name] for name in ("doc1", "start1", "end1", "doc2", "start2", "end2")))
        .select_from(pairs.join(document_pairs, extracted_from & document_pairs.c.status.in_((FINISHED, EMPTY))))
        .where(pairs.c.rewrite_of.is_(None), pairs.c.state.is_distinct_from(REMOVED))
        .order_by(document_pairs.c.seq)
        .execution_options(yield_per=SELECTIONS_AT_A_TIME)
    )
    with connection.execute(query) as rows:
        yield from rows


def _selected_spans(document_pair: Any, selections: Iterable[Any], side: int) -> Iterator[Span]:
    """The selected spans of one document, relative to the start of the part that was shown."""
    document = (document_pair.doc1, document_pair.doc2)[side]
    offset = (document_pair.start1, document_pair.start2)[side] or 0
    for pair in selections:
        passages = [(pair.doc1, pair.start1, pair.end1), (pair.doc2, pair.start2, pair.end2)]
        name, start, end = passages[side]
        if name != document:  # the two texts of a pair may be in the other order
            name, start, end = passages[1 - side]
        if name == document and start is not None:
            yield max(start - offset, 0), max(end - offset, 0)


@functools.cache
def _alphanumeric() -> NDArray[np.bool_]:
    """Whether each code point is alphanumeric: looking this up is five times faster than testing each character."""
    return np.fromiter((chr(code).isalnum() for code in range(sys.maxunicode + 1)), bool, sys.maxunicode + 1)


def extraction(project: Project, options: AnalysisOptions) -> Finding | None:
    """What annotators extracted from each text source (Kanerva et al. 2023, Table 1)."""
    with project.ledger.reading() as connection:
        sources = extraction_table(connection)
    if not sources:
        return None
    rows: list[list[Cell]] = []
    for row in sources:
        coverage = None if row.coverage is None else row.coverage / 100
        rows.append([row.source or UNLABELLED, row.documents, row.empty / 100, row.mean_yield, coverage, row.length])
    table = Table("extraction", "Extraction by source", COLUMNS, rows)
    title = f"{project.config.name}: what was extracted from each source"
    cells = table.as_dicts()
    panels = [
        Panel([(str(row["source"]), float(value)) for row in cells if (value := row[name]) is not None], name, form)
        for name, form in FORMS.items()
    ]
    figures = [Figure("extraction", title, bars_beside(title, panels), CAPTION)]
    signed = signature("extraction", {"characters": "alphanumeric", "overlaps": "once", "subtitles": "first-round"})
    return Finding("extraction", "Extraction", ABOUT, [table], figures, signatures={table.name: signed})
