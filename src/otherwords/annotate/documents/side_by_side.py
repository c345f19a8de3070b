"""What the extraction page shows of a document pair: two texts, the part that it covers, the pairs so far.

Subtitles also have their aligned lines, so that both sides can be scrolled together and a line finds its partner: as
the alignment stored them with the segment, or aligned again where it did not. All offsets are code points of the whole
document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from sqlalchemy import Connection

from otherwords.align import subtitles
from otherwords.align.lines.align import align_lines
from otherwords.annotate.documents import locks
from otherwords.annotate.documents.extracted_pairs import ExtractedPair, shown_pairs
from otherwords.annotate.documents.names import document_edition, document_name, document_title
from otherwords.annotate.documents.queues import EXTRACT, Row, documents_of, load_row, part_of
from otherwords.annotate.documents.triage import first_sentences
from otherwords.annotate.visibility import refuse_hidden_documents
from otherwords.records import Document, Part

Lines = list[tuple[int, int, int, int]]  # start1, end1, start2, end2 of each pair of lines, in order

MAX_HEADING = 60  # characters of a text that stand for the title it has not


@dataclass(frozen=True, slots=True)
class DocumentSide:
    """One of the two documents."""

    id: str
    text: str
    lang: str | None
    source: str | None
    title: str | None
    edition: str | None  # what tells it from others of its group: outlet, version or name
    time: str | None
    licence: str | None
    heading: str  # what a reader calls it


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A document pair to be read; ``mine`` if the viewer holds it and may extract."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    status: str | None
    mine: bool
    part: Part
    one: DocumentSide
    two: DocumentSide
    lines: Lines | None
    pairs: list[ExtractedPair]


def document_pair_view(connection: Connection, document_pair: str, annotator: str) -> SideBySide:
    """A document pair as a person sees it."""
    row = load_row(connection, document_pair)
    refuse_hidden_documents(connection, annotator, document_pair, (row["doc1"], row["doc2"]))
    doc1, doc2 = documents_of(connection, row)
    part = part_of(row, doc1, doc2)
    return SideBySide(
        **{name: row[name] for name in ("id", "method", "group", "similarity", "round", "status")},
        mine=locks.has(connection, EXTRACT, document_pair, annotator),
        part=part,
        one=_side(doc1),
        two=_side(doc2),
        lines=_lines(row, doc1, doc2, part),
        pairs=shown_pairs(connection, row, annotator),
    )


def _side(document: Document) -> DocumentSide:
    source = (document.lang, document.source, document_title(document.meta), document_edition(document.meta))
    return DocumentSide(document.id, document.text, *source, document.time, document.licence, _heading(document))


def _heading(document: Document) -> str:
    """The name of a document; else how it begins."""
    if name := document_name(document.meta, document.group):
        return name
    opening, cut = first_sentences(" ".join(document.text.split()), document.lang, MAX_HEADING)
    return (f"{opening} …" if cut else opening) or document.id


def _lines(row: Row, doc1: Document, doc2: Document, part: Part) -> Lines | None:
    cues1, cues2 = doc1.meta.get("cues"), doc2.meta.get("cues")
    aligned = row["meta"].get("lines")
    if aligned is None and row["method"] != subtitles.METHOD and not (cues1 and cues2):
        return None
    text1, text2 = doc1.text[part.start1 : part.end1], doc2.text[part.start2 : part.end2]
    if aligned is None:
        part_cues1 = _cues_inside(cues1, doc1.text, part.start1, text1)
        part_cues2 = _cues_inside(cues2, doc2.text, part.start2, text2)
        aligned = align_lines(text1, text2, part_cues1, part_cues2).pairs
    spans1, spans2 = _line_spans(text1, part.start1), _line_spans(text2, part.start2)
    return [(*spans1[i], *spans2[j]) for i, j in aligned if i < len(spans1) and j < len(spans2)]


def _cues_inside(cues: Sequence[Sequence[int]] | None, text: str, start: int, part: str) -> list[list[int]] | None:
    """The cues of a part, with lines counted from its first line."""
    first = text.count("\n", 0, start)
    lines = range(first, first + part.count("\n") + 1)
    return [[line - first, begin, end] for line, begin, end in cues or () if line in lines] or None


def _line_spans(text: str, start: int) -> list[tuple[int, int]]:
    """Where each line of a text begins and ends, if the text begins at ``start``."""
    lines = text.split("\n")
    ends = accumulate((len(line) + 1 for line in lines), initial=start)
    return [(begin, begin + len(line)) for begin, line in zip(ends, lines, strict=False)]
