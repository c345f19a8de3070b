"""Adding, changing and taking back the pairs of a document pair that somebody has open.

Only the person who holds the document pair changes its pairs, and only those that are theirs and that nobody has
judged. An edited pair is a new one in the place of the old; the old one stays, out of sight, and can be had back.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from otherwords.annotate import batches, holding
from otherwords.annotate.decisions import check_saying, decided
from otherwords.annotate.extracted import METHOD, extracted_pairs, why_locked, with_removed
from otherwords.annotate.once import id_of
from otherwords.annotate.passages import passage
from otherwords.annotate.queues import EXTRACT, Row, documents_of, locked, part_of, refuse_closed
from otherwords.errors import Conflict, NotFound
from otherwords.project import schema
from otherwords.project.rows import REMOVED, SPAN, record_of_row, row_of
from otherwords.records import Document, Pair, Part, Passage

_one = schema.pairs
REPLACES = "replaces"


@dataclass(frozen=True, slots=True)
class _Selected:
    """Two passages that somebody selected, as they may be stored."""

    document_pair: Row
    documents: tuple[Document, Document]
    part: Part

    @property
    def spans(self) -> tuple[int, int, int, int]:
        return self.part.start1, self.part.end1, self.part.start2, self.part.end2


def add_pair(
    connection: Connection,
    annotator: str,
    document_pair: str,
    start1: int,
    end1: int,
    start2: int,
    end2: int,
    key: str,
    seconds: float | None = None,
) -> Pair:
    """Put two passages down as a pair."""
    selected = _selected(connection, document_pair, Part(start1=start1, end1=end1, start2=start2, end2=end2))
    if before := _made_before(connection, annotator, key, selected, None):
        return before
    _check_open(connection, annotator, selected.document_pair)
    return _insert(connection, annotator, selected, key, seconds, None)


def edit_pair(
    connection: Connection,
    annotator: str,
    document_pair: str,
    pair: str,
    start1: int,
    end1: int,
    start2: int,
    end2: int,
    key: str,
    seconds: float | None = None,
) -> Pair:
    """Give a pair other edges: a new pair in its place. Edges that stay as they were change nothing."""
    selected = _selected(connection, document_pair, Part(start1=start1, end1=end1, start2=start2, end2=end2))
    if before := _made_before(connection, annotator, key, selected, pair):
        return before
    old = _changeable(connection, annotator, selected.document_pair, pair)
    if old["state"] == REMOVED:
        raise Conflict("this pair was changed or removed already; load the documents again")
    if tuple(old[name] for name in SPAN) == selected.spans:
        return record_of_row(Pair, old)
    made = _insert(connection, annotator, selected, key, seconds, pair)
    _set_state(connection, [pair], REMOVED)
    return made


def remove_pair(connection: Connection, annotator: str, document_pair: str, pair: str) -> None:
    """Take a pair back; twice is like once."""
    _changeable(connection, annotator, locked(connection, document_pair), pair)
    _set_state(connection, [pair], REMOVED)


def restore_pair(connection: Connection, annotator: str, document_pair: str, pair: str) -> Pair:
    """Have a removed pair back, or an edited one as it was before; what had taken its place is removed."""
    row = locked(connection, document_pair)
    wanted = _changeable(connection, annotator, row, pair)
    others = [one for one in _versions(with_removed(connection, row), wanted) if one["state"] != REMOVED]
    for one in others:
        _changeable(connection, annotator, row, one["id"])
    _refuse_twice(connection, row, tuple(wanted[name] for name in SPAN), {pair, *(one["id"] for one in others)})
    _set_state(connection, [one["id"] for one in others], REMOVED)
    _set_state(connection, [pair], None)
    return record_of_row(Pair, wanted)


def _selected(connection: Connection, document_pair: str, told: Part) -> _Selected:
    row = locked(connection, document_pair)
    one, two = documents_of(connection, row)
    within = part_of(row, one, two)
    start1, end1 = passage(one.text, (told.start1, told.end1), (within.start1, within.end1))
    start2, end2 = passage(two.text, (told.start2, told.end2), (within.start2, within.end2))
    return _Selected(row, (one, two), Part(start1=start1, end1=end1, start2=start2, end2=end2))


def _made_before(
    connection: Connection, annotator: str, key: str, selected: _Selected, replaces: str | None
) -> Pair | None:
    found = connection.execute(select(_one).where(_one.c.id == id_of("p", annotator, key))).mappings().first()
    if found is None:
        return None
    meta = found["meta"]
    told = (*(found[name] for name in SPAN), meta.get("document_pair"), meta.get(REPLACES))
    if told != (*selected.spans, selected.document_pair["id"], replaces):
        raise Conflict("another pair was saved under this key; reload the page")
    return record_of_row(Pair, dict(found))


def _check_open(connection: Connection, annotator: str, document_pair: Row) -> None:
    refuse_closed(document_pair)
    holding.renew(connection, EXTRACT, document_pair["id"], annotator)


def _changeable(connection: Connection, annotator: str, document_pair: Row, pair: str) -> Row:
    """The row of a pair that the annotator may change here."""
    _check_open(connection, annotator, document_pair)
    known = [*extracted_pairs(connection, document_pair), *with_removed(connection, document_pair)]
    found = next((one for one in known if one["id"] == pair), None)
    if found is None:
        raise NotFound(f"there is no pair {pair!r} of these documents")
    if why := why_locked(found, document_pair, annotator, decided(connection, "pair", [pair])):
        raise Conflict(f"this pair is locked: {why}")
    return found


def _versions(pairs: list[Row], wanted: Row) -> list[Row]:
    """The other pairs that came of the same first pair by editing."""
    before = {one["id"]: one["meta"].get(REPLACES) for one in pairs}

    def first(pair: str) -> str:
        while before.get(pair) is not None:
            pair = before[pair]
        return pair

    origin = first(wanted["id"])
    return [one for one in pairs if one["id"] != wanted["id"] and first(one["id"]) == origin]


def _insert(
    connection: Connection, annotator: str, selected: _Selected, key: str, seconds: float | None, replaces: str | None
) -> Pair:
    check_saying(seconds)
    row, (one, two), part = selected.document_pair, selected.documents, selected.part
    _refuse_twice(connection, row, selected.spans, {replaces})
    meta = {"document_pair": row["id"], "round": row["round"], "annotator": annotator}
    pair = Pair(
        id=id_of("p", annotator, key),
        text1=one.text[part.start1 : part.end1],
        text2=two.text[part.start2 : part.end2],
        lang=one.lang if one.lang == two.lang else None,
        source=one.source,
        group=row["group"],
        time=one.time,
        doc1=Passage(id=one.id, start=part.start1, end=part.end1),
        doc2=Passage(id=two.id, start=part.start2, end=part.end2),
        method=METHOD,
        meta=meta | {name: value for name, value in ((REPLACES, replaces), ("seconds", seconds)) if value is not None},
    )
    connection.execute(insert(_one).values(**row_of(pair)))
    return pair


def _refuse_twice(connection: Connection, document_pair: Row, spans: tuple[int, ...], but: set[str | None]) -> None:
    for one in extracted_pairs(connection, document_pair):
        if one["id"] not in but and tuple(one[name] for name in SPAN) == spans:
            raise Conflict("these two passages are a pair already")


def _set_state(connection: Connection, pairs: list[str], state: str | None) -> None:
    if not pairs:
        return
    connection.execute(update(_one).where(_one.c.id.in_(pairs)).values(state=state))
    if state == REMOVED:
        batches.take_out(connection, pairs)
