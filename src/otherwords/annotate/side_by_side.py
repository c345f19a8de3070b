"""What the page of extraction shows of a document pair: two texts, the part that is meant, what was found so far.

Subtitles also have their aligned lines, so that both sides can be scrolled together: as the alignment noted them
when it drew the segment, or aligned anew where it did not. All offsets are code points of the whole document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from sqlalchemy import Connection, select

from otherwords.align import subtitles
from otherwords.align.lines import align_lines
from otherwords.annotate import holding
from otherwords.annotate.extracted import Extracted, shown
from otherwords.annotate.queues import EXTRACT, Row, documents_of, part_of, there
from otherwords.project import schema
from otherwords.records import Document, Part

Lines = list[tuple[int, int, int, int]]  # start1, end1, start2, end2 of each pair of lines, in order

EDITION = ("outlet", "version", "name")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two documents."""

    id: str
    text: str
    lang: str | None
    source: str | None
    title: str | None
    edition: str | None  # what tells it from others of its group: the outlet, the version, or its name there
    time: str | None
    licence: str | None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A document pair to be read; ``mine`` where the one who looks at it holds it and may extract."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    status: str | None
    mine: bool
    part: Part
    one: Side
    two: Side
    lines: Lines | None
    pairs: list[Extracted]


def document_pair_view(connection: Connection, document_pair: str, annotator: str) -> SideBySide:
    """A document pair as a person sees it."""
    table = schema.document_pairs
    found = connection.execute(select(table).where(table.c.id == document_pair)).mappings().first()
    row = there(document_pair, dict(found) if found is not None else None)
    one, two = documents_of(connection, row)
    part = part_of(row, one, two)
    return SideBySide(
        **{name: row[name] for name in ("id", "method", "group", "similarity", "round", "status")},
        mine=holding.has(connection, EXTRACT, document_pair, annotator),
        part=part,
        one=_side(one),
        two=_side(two),
        lines=_lines(row, one, two, part),
        pairs=shown(connection, row, annotator),
    )


def _side(document: Document) -> Side:
    told = (document.lang, document.source, _said(document, "title"), _said(document, *EDITION))
    return Side(document.id, document.text, *told, document.time, document.licence)


def _said(document: Document, *names: str) -> str | None:
    """The first of these that a document says of itself."""
    return next((str(said) for name in names if (said := document.meta.get(name))), None)


def _lines(row: Row, one: Document, two: Document, part: Part) -> Lines | None:
    cues1, cues2 = one.meta.get("cues"), two.meta.get("cues")
    if row["method"] != subtitles.METHOD and not (cues1 and cues2):
        return None
    text1, text2 = one.text[part.start1 : part.end1], two.text[part.start2 : part.end2]
    noted = row["meta"].get("lines")
    if noted is None:
        inside1, inside2 = _inside(cues1, one.text, part.start1, text1), _inside(cues2, two.text, part.start2, text2)
        noted = align_lines(text1, text2, inside1, inside2).pairs
    spans1, spans2 = _spans(text1, part.start1), _spans(text2, part.start2)
    return [(*spans1[i], *spans2[j]) for i, j in noted if i < len(spans1) and j < len(spans2)]


def _inside(cues: Sequence[Sequence[int]] | None, text: str, start: int, part: str) -> list[list[int]] | None:
    """The cues of a part, their lines counted from its first."""
    first = text.count("\n", 0, start)
    lines = range(first, first + part.count("\n") + 1)
    return [[line - first, begin, end] for line, begin, end in cues or () if line in lines] or None


def _spans(text: str, start: int) -> list[tuple[int, int]]:
    """Where each line of a text begins and ends, for a text that begins at ``start``."""
    lines = text.split("\n")
    ends = accumulate((len(line) + 1 for line in lines), initial=start)
    return [(begin, begin + len(line)) for begin, line in zip(ends, lines, strict=False)]
