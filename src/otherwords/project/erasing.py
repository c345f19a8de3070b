"""What a withdrawn consent takes out of the ledger: the words go, the rows and their numbers stay.

In go the ids of documents, out come counts of the rows whose words were erased. The same few functions blank a
row in the ledger and a row that a re-import brings, so that nothing comes back by another door.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, or_, select, update

from otherwords.project import schema
from otherwords.project.ledger import insert_new

WITHDRAWN = "withdrawn"
Row = dict[str, Any]
Blank = Callable[[Row, str], Row]
_IDS_A_QUERY = 500


def blank_document(row: Row, time: str) -> Row:
    return {"text": "", "meta": {WITHDRAWN: time}}


def blank_document_pair(row: Row, time: str) -> Row:
    """A reason or a note of the alignment may quote."""
    return {"status": WITHDRAWN, "reason": None, "meta": {WITHDRAWN: time}}


def blank_pair(row: Row, time: str) -> Row:
    """Both texts go: the other one says the same in other words."""
    gold = row["gold"] and {"label": row["gold"]["label"]}
    return {"text1": "", "text2": "", "gold": gold, "meta": {WITHDRAWN: time}}


def blank_judgement(row: Row, time: str) -> Row:
    rewrites = [["", ""] for _ in row["rewrites"]]
    return {"rewrites": rewrites, "note": row["note"] and "", "meta": {WITHDRAWN: time}}


BLANKS: dict[Table, Blank] = {
    schema.documents: blank_document,
    schema.document_pairs: blank_document_pair,
    schema.pairs: blank_pair,
    schema.judgements: blank_judgement,
}


def text_digest(text: str) -> str:
    """What a tombstone knows of a text: enough to tell it when it comes again under another name."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def withdrawals(connection: Connection, table: Table, rows: Sequence[Row]) -> dict[str, str]:
    """Which of these rows hold words that were withdrawn, by id, with the time of the withdrawal."""
    documents = {name for row in rows for name in _documents_of(table, row)}
    pairs = {name for row in rows for name in _pairs_of(table, row)}
    times: dict[tuple[str, str], str] = {}
    texts = {text_digest(row["text"]) for row in rows} if table is schema.documents else set()
    for noun, names in (("document", documents), ("pair", pairs), ("text", texts)):
        for found in _matching(connection, schema.tombstones, ("target",), names, schema.tombstones.c.noun == noun):
            times[noun, found["target"]] = found["time"]
    if table is schema.judgements:
        times |= {("pair", name): time for name, time in _withdrawn_document_pairs(connection, rows).items()}
    told: dict[str, str] = {}
    for row in rows:
        keys = [("document", one) for one in _documents_of(table, row)] + [
            ("pair", one) for one in _pairs_of(table, row)
        ]
        if table is schema.documents:
            keys.append(("text", text_digest(row["text"])))
        if found_times := [times[key] for key in keys if key in times]:
            told[row["id"]] = min(found_times)
    return told


def _documents_of(table: Table, row: Row) -> list[str]:
    if table is schema.documents:
        return [row["id"]]
    return [row[side] for side in ("doc1", "doc2") if row.get(side) is not None]


def _pairs_of(table: Table, row: Row) -> list[str]:
    if table is schema.judgements:
        return [row["pair"]]
    return [row[name] for name in ("id", "rewrite_of") if row[name] is not None] if table is schema.pairs else []


def _withdrawn_document_pairs(connection: Connection, rows: Sequence[Row]) -> dict[str, str]:
    one = schema.document_pairs
    names = {row["pair"] for row in rows if row["unit"] == "document_pair"}
    found = _matching(connection, one, ("id",), names, one.c.status == WITHDRAWN)
    return {row["id"]: row["meta"][WITHDRAWN] for row in found}


def erase_documents(
    connection: Connection, ids: Iterable[str], time: str, reason: str | None
) -> tuple[dict[str, int], list[str]]:
    """Blank documents and all that was taken from them, and put up tombstones: how many rows, and which pairs."""
    names = sorted(set(ids))
    told: Counter[str] = Counter()
    texts = {row["text"] for row in _matching(connection, schema.documents, ("id",), names)} - {""}
    bury(connection, "text", sorted(map(text_digest, texts)), time, reason)
    told["documents"] = _blank(connection, schema.documents, ("id",), names, time)
    told["document_pairs"] = _blank(connection, schema.document_pairs, ("doc1", "doc2"), names, time)
    document_pairs = [row["id"] for row in _matching(connection, schema.document_pairs, ("doc1", "doc2"), names)]
    pairs = _taken_from(connection, names)
    told["pairs"] = _blank(connection, schema.pairs, ("id",), pairs, time)
    for unit, about in (("document_pair", document_pairs), ("pair", pairs)):
        of_unit = schema.judgements.c.unit == unit
        told["judgements"] += _blank(connection, schema.judgements, ("pair",), about, time, of_unit)
    bury(connection, "document", names, time, reason)
    bury(connection, "pair", pairs, time, reason)
    return dict(told), pairs


def bury(connection: Connection, noun: str, targets: Iterable[str], time: str, reason: str | None) -> None:
    """Tombstones; one that stands already stays as it is."""
    rows = [{"noun": noun, "target": target, "time": time, "reason": reason} for target in targets]
    insert_new(connection, schema.tombstones, rows)


def _taken_from(connection: Connection, documents: list[str]) -> list[str]:
    """The pairs with a passage of these documents, and all rewrites of those pairs."""
    found = {row["id"]: None for row in _matching(connection, schema.pairs, ("doc1", "doc2"), documents)}
    latest = list(found)
    while latest:
        rewrites = [row["id"] for row in _matching(connection, schema.pairs, ("rewrite_of",), latest)]
        latest = [name for name in rewrites if name not in found]
        found |= dict.fromkeys(latest)
    return list(found)


def _blank(
    connection: Connection, table: Table, columns: tuple[str, ...], names: Iterable[str], time: str, *more: Any
) -> int:
    changed = 0
    for row in _matching(connection, table, columns, names, *more):
        if row["meta"].keys() == {WITHDRAWN}:
            continue
        values = BLANKS[table](row, time)
        connection.execute(update(table).where(table.c.seq == row["seq"]).values(**values))
        changed += 1
    return changed


def _matching(
    connection: Connection, table: Table, columns: tuple[str, ...], names: Iterable[str], *more: ColumnElement[bool]
) -> Iterator[Row]:
    """The rows of a table in which one of the columns has one of the names."""
    wanted = sorted(names)
    for start in range(0, len(wanted), _IDS_A_QUERY):
        block = wanted[start : start + _IDS_A_QUERY]
        either = or_(*(table.c[column].in_(block) for column in columns))
        found = connection.execute(select(table).where(either, *more).order_by(*table.primary_key.columns)).mappings()
        yield from [dict(row) for row in found]
