"""The pairs that people extract from two documents: list, add, change and remove them.

Only the person who holds the document pair changes its pairs, and only pairs of their own that nobody has judged. An
edited pair is a new one in the place of the old. Removed and replaced ones stay in the ledger with the state
``removed``, hidden, and can be restored.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, or_, select, update

from otherwords.annotate.batches import batch as batches
from otherwords.annotate.documents import locks
from otherwords.annotate.documents.decisions import check_seconds, decided_items
from otherwords.annotate.documents.passages import check_span
from otherwords.annotate.documents.queues import EXTRACT, Row, documents_of, lock_row, part_of, refuse_closed
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import REMOVED, SPAN_COLUMNS, record_of_row, row_dicts, row_of
from otherwords.records import Document, Pair, Part, Passage

REPLACES = "replaces"
_pairs = schema.pairs
METHOD = "extract"
SOMEBODY_ELSE = "somebody else extracted it"
EARLIER_ROUND = "it was extracted in an earlier round"
OTHER_PAIR = "it was extracted from another pair of these documents"
JUDGED = "it was judged already"
_SIDED = ("doc", "start", "end", "text")
_SWAPPED = [(name + side, name + other) for name in _SIDED for side, other in ("12", "21")]
_SHOWN = ("id", *SPAN_COLUMNS, "text1", "text2")


@dataclass(frozen=True, slots=True)
class ExtractedPair:
    """A pair as the page of its documents shows it; ``why`` says why a locked one cannot be changed."""

    id: str
    start1: int
    end1: int
    start2: int
    end2: int
    text1: str
    text2: str
    locked: bool
    why: str | None


def extracted_pairs(connection: Connection, document_pair: Row) -> list[Row]:
    """All pairs extracted from the two documents of a document pair, with its sides, in their order of arrival."""
    return [row for row in _all_rows(connection, document_pair) if row["state"] != REMOVED]


def own_pairs(connection: Connection, document_pair: Row) -> list[Row]:
    """The pairs that were extracted from this very document pair."""
    return [row for row in all_own_pairs(connection, document_pair) if row["state"] != REMOVED]


def all_own_pairs(connection: Connection, document_pair: Row) -> list[Row]:
    """The same, with the removed ones."""
    rows = _all_rows(connection, document_pair)
    return [row for row in rows if row["meta"].get("document_pair") == document_pair["id"]]


def shown_pairs(connection: Connection, document_pair: Row, annotator: str) -> list[ExtractedPair]:
    """The pairs so far, each with whether the annotator may change it here."""
    rows = extracted_pairs(connection, document_pair)
    judged = decided_items(connection, "pair", [row["id"] for row in rows])
    shown = []
    for row in rows:
        why = why_locked(row, document_pair, annotator, judged)
        shown.append(ExtractedPair(**{name: row[name] for name in _SHOWN}, locked=why is not None, why=why))
    return shown


def why_locked(pair: Row, document_pair: Row, annotator: str, judged: set[str]) -> str | None:
    """Why a pair cannot be changed from this document pair by this person; None if it can."""
    meta = pair["meta"]
    if meta.get("document_pair") != document_pair["id"]:
        return EARLIER_ROUND if meta.get("round", 1) < document_pair["round"] else OTHER_PAIR
    if pair["id"] in judged:
        return JUDGED
    return SOMEBODY_ELSE if meta.get("annotator") != annotator else None


def _all_rows(connection: Connection, document_pair: Row) -> list[Row]:
    columns, doc1, doc2 = _pairs.c, document_pair["doc1"], document_pair["doc2"]
    either = or_((columns.doc1 == doc1) & (columns.doc2 == doc2), (columns.doc1 == doc2) & (columns.doc2 == doc1))
    rows = row_dicts(connection.execute(select(_pairs).where(either, columns.method == METHOD).order_by(columns.seq)))
    return [row if row["doc1"] == doc1 else row | {name: row[other] for name, other in _SWAPPED} for row in rows]


@dataclass(frozen=True, slots=True)
class _Selection:
    """Two passages that somebody selected, as they may be stored."""

    document_pair: Row
    documents: tuple[Document, Document]
    part: Part


def add_pair(
    connection: Connection, annotator: str, document_pair: str, part: Part, key: str, seconds: float | None = None
) -> Pair:
    """Store two passages as a pair."""
    selection = _select(connection, document_pair, part)
    if sent := _find_sent(connection, annotator, key, selection, None):
        return sent
    refuse_closed(selection.document_pair)
    locks.renew(connection, EXTRACT, document_pair, annotator)
    return _insert(connection, annotator, selection, key, seconds, None)


def edit_pair(
    connection: Connection,
    annotator: str,
    document_pair: str,
    pair: str,
    part: Part,
    key: str,
    seconds: float | None = None,
) -> Pair:
    """Give a pair other edges: a new pair in its place. The same edges change nothing."""
    selection = _select(connection, document_pair, part)
    if sent := _find_sent(connection, annotator, key, selection, pair):
        return sent
    old = _changeable(connection, annotator, selection.document_pair, pair)
    if old["state"] == REMOVED:
        raise Conflict("this pair was changed or removed already; load the documents again", code="pair-removed")
    if _part(old) == selection.part:
        return record_of_row(Pair, old)
    new = _insert(connection, annotator, selection, key, seconds, pair)
    _set_state(connection, [pair], REMOVED)
    return new


def remove_pair(connection: Connection, annotator: str, document_pair: str, pair: str) -> None:
    """Remove a pair; removing it twice is no error."""
    _changeable(connection, annotator, lock_row(connection, document_pair), pair)
    _set_state(connection, [pair], REMOVED)


def restore_pair(connection: Connection, annotator: str, document_pair: str, pair: str) -> Pair:
    """Restore a removed pair, or an edited one as it was before; the version that replaced it is removed."""
    row = lock_row(connection, document_pair)
    restored = _changeable(connection, annotator, row, pair)
    versions = _other_versions(all_own_pairs(connection, row), restored)
    replaced = [version["id"] for version in versions if version["state"] != REMOVED]
    for version in replaced:
        _changeable(connection, annotator, row, version)
    _refuse_duplicate(connection, row, _part(restored), {pair, *replaced})
    _set_state(connection, replaced, REMOVED)
    _set_state(connection, [pair], None)
    return record_of_row(Pair, restored)


def _select(connection: Connection, document_pair: str, part: Part) -> _Selection:
    row = lock_row(connection, document_pair)
    doc1, doc2 = documents_of(connection, row)
    within = part_of(row, doc1, doc2)
    start1, end1 = check_span(doc1.text, (part.start1, part.end1), (within.start1, within.end1))
    start2, end2 = check_span(doc2.text, (part.start2, part.end2), (within.start2, within.end2))
    return _Selection(row, (doc1, doc2), Part(start1=start1, end1=end1, start2=start2, end2=end2))


def _find_sent(
    connection: Connection, annotator: str, key: str, selection: _Selection, replaces: str | None
) -> Pair | None:
    """The pair that was stored under this key before."""
    row = connection.execute(select(_pairs).where(_pairs.c.id == keyed_id("p", annotator, key))).mappings().first()
    if row is None:
        return None
    pair = dict(row)
    origin = (pair["meta"].get("document_pair"), pair["meta"].get(REPLACES))
    if (_part(pair), origin) != (selection.part, (selection.document_pair["id"], replaces)):
        raise Conflict("another pair was saved under this key; reload the page", code="key-reused")
    return record_of_row(Pair, pair)


def _part(pair: Row) -> Part:
    return Part(**{name: pair[name] for name in SPAN_COLUMNS})


def _changeable(connection: Connection, annotator: str, document_pair: Row, pair: str) -> Row:
    """The row of a pair that the annotator may change here."""
    refuse_closed(document_pair)
    locks.renew(connection, EXTRACT, document_pair["id"], annotator)
    known = [*extracted_pairs(connection, document_pair), *all_own_pairs(connection, document_pair)]
    row = next((row for row in known if row["id"] == pair), None)
    if row is None:
        raise NotFound(f"there is no pair {pair!r} of these documents", code="no-such-pair")
    if why := why_locked(row, document_pair, annotator, decided_items(connection, "pair", [pair])):
        raise Conflict(f"this pair is locked: {why}", code="pair-locked")
    return row


def _other_versions(pairs: list[Row], wanted: Row) -> list[Row]:
    """The other pairs that come from the same first pair by editing."""
    replaces = {pair["id"]: pair["meta"].get(REPLACES) for pair in pairs}

    def first_version(pair: str) -> str:
        while (earlier := replaces.get(pair)) is not None:
            pair = earlier
        return pair

    origin = first_version(wanted["id"])
    return [pair for pair in pairs if pair["id"] != wanted["id"] and first_version(pair["id"]) == origin]


def _insert(
    connection: Connection, annotator: str, selection: _Selection, key: str, seconds: float | None, replaces: str | None
) -> Pair:
    check_seconds(seconds)
    row, (doc1, doc2), part = selection.document_pair, selection.documents, selection.part
    _refuse_duplicate(connection, row, part, {replaces})
    meta = {"document_pair": row["id"], "round": row["round"], "annotator": annotator}
    pair = Pair(
        id=keyed_id("p", annotator, key),
        text1=doc1.text[part.start1 : part.end1],
        text2=doc2.text[part.start2 : part.end2],
        lang=doc1.lang if doc1.lang == doc2.lang else None,
        source=doc1.source,
        group=row["group"],
        time=doc1.time,
        doc1=Passage(id=doc1.id, start=part.start1, end=part.end1),
        doc2=Passage(id=doc2.id, start=part.start2, end=part.end2),
        method=METHOD,
        meta=meta | {name: value for name, value in ((REPLACES, replaces), ("seconds", seconds)) if value is not None},
    )
    connection.execute(insert(_pairs).values(**row_of(pair)))
    return pair


def _refuse_duplicate(connection: Connection, document_pair: Row, part: Part, ignored: set[str | None]) -> None:
    for pair in extracted_pairs(connection, document_pair):
        if pair["id"] not in ignored and _part(pair) == part:
            raise Conflict("these two passages are a pair already", code="duplicate-pair")


def _set_state(connection: Connection, pairs: list[str], state: str | None) -> None:
    if not pairs:
        return
    connection.execute(update(_pairs).where(_pairs.c.id.in_(pairs)).values(state=state))
    if state == REMOVED:
        batches.remove_unanswered(connection, pairs)
