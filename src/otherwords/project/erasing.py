"""What a withdrawn consent takes out of the ledger: the words go, the rows and their numbers stay.

In go the ids of documents or pairs, out come counts of the rows whose words were erased. The same few functions blank a
row in the ledger and a row that a re-import brings, so that nothing comes back by another door. What was still to
be done about such a document goes as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select, update

from otherwords.project import schema
from otherwords.project.ledger import insert_new

WITHDRAWN = "withdrawn"
Row = dict[str, Any]
Blank = Callable[[Row, str], Row]
Key = tuple[str, str]
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


def blank_remark(row: Row, time: str) -> Row:
    return {"text": ""}


BLANKS: dict[Table, Blank] = {
    schema.documents: blank_document,
    schema.document_pairs: blank_document_pair,
    schema.pairs: blank_pair,
    schema.judgements: blank_judgement,
    schema.remarks: blank_remark,
}


def is_blank(row: Row) -> bool:
    """Whether the words of a row are gone already."""
    return bool(row["meta"].keys() == {WITHDRAWN} if "meta" in row else row["text"] == "")


def text_digest(text: str) -> str:
    """What a tombstone knows of a text: enough to tell it when it comes again under another name."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def withdrawals(connection: Connection, table: Table, rows: Sequence[Row]) -> dict[str, str]:
    """Which of these rows hold words that were withdrawn, by id, with the time of the withdrawal."""
    about = {row["id"]: _about(table, row) for row in rows}
    times = withdrawn(connection, {key for keys in about.values() for key in keys})
    found = {name: [times[key] for key in keys if key in times] for name, keys in about.items()}
    return {name: min(each) for name, each in found.items() if each}


def _about(table: Table, row: Row) -> list[Key]:
    """What a row stands and falls with."""
    if table is schema.judgements:
        return [(row["unit"], row["pair"])]
    if table is schema.remarks:
        return [(row["unit"], row["item"])]
    if table is schema.documents:
        return [("document", row["id"]), ("text", text_digest(row["text"]))]
    documents = [("document", row[side]) for side in ("doc1", "doc2") if row[side] is not None]
    if table is schema.document_pairs:
        return documents
    return documents + [("pair", row[name]) for name in ("id", "rewrite_of") if row[name] is not None]


def withdrawn(connection: Connection, keys: Iterable[Key]) -> dict[Key, str]:
    """When what these are about was withdrawn: pairs, document pairs, documents by noun and id, texts by digest."""
    names: dict[str, set[str]] = defaultdict(set)
    for noun, name in keys:
        names[noun].add(name)
    times: dict[Key, str] = {}
    one = schema.tombstones
    for noun in ("document", "pair", "text"):
        for found in _matching(connection, one, ("target",), names[noun], one.c.noun == noun):
            times[noun, found["target"]] = found["time"]
    gone = schema.document_pairs.c.status == WITHDRAWN
    for found in _matching(connection, schema.document_pairs, ("id",), names["document_pair"], gone):
        times["document_pair", found["id"]] = found["meta"][WITHDRAWN]
    return times


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
    told.update(_erase_said(connection, "document_pair", document_pairs, time))
    told["holds"] = _take_out(connection, schema.holds, document_pairs)
    bury(connection, "document", names, time, reason)
    taken = [row["id"] for row in _matching(connection, schema.pairs, ("doc1", "doc2"), names)]
    counts, pairs = erase_pairs(connection, taken, time, reason)
    told.update(counts)
    return dict(told), pairs


def erase_pairs(
    connection: Connection, ids: Iterable[str], time: str, reason: str | None
) -> tuple[dict[str, int], list[str]]:
    """Blank pairs, their rewrites and what was said of them, and put up tombstones: how many rows, and which pairs."""
    pairs = _with_rewrites(connection, ids)
    told = Counter({"pairs": _blank(connection, schema.pairs, ("id",), pairs, time)})
    told.update(_erase_said(connection, "pair", pairs, time))
    bury(connection, "pair", pairs, time, reason)
    return dict(told), pairs


def _erase_said(connection: Connection, unit: str, about: list[str], time: str) -> Counter[str]:
    """Blank what was said of some units, and take what was still to be said out of the batches."""
    told: Counter[str] = Counter()
    for table, item in ((schema.judgements, "pair"), (schema.remarks, "item")):
        told[table.name] = _blank(connection, table, (item,), about, time, table.c.unit == unit)
    told["slots"] = _take_out(connection, schema.slots, about, *_open_slots(unit))
    return told


def bury(connection: Connection, noun: str, targets: Iterable[str], time: str, reason: str | None) -> None:
    """Tombstones; one that stands already stays as it is."""
    rows = [{"noun": noun, "target": target, "time": time, "reason": reason} for target in targets]
    insert_new(connection, schema.tombstones, rows)


def _with_rewrites(connection: Connection, pairs: Iterable[str]) -> list[str]:
    """These pairs and all rewrites of them."""
    found = dict.fromkeys(pairs)
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
        if is_blank(row):
            continue
        values = BLANKS[table](row, time)
        connection.execute(update(table).where(table.c.seq == row["seq"]).values(**values))
        changed += 1
    return changed


def _open_slots(unit: str) -> tuple[ColumnElement[bool], ...]:
    """Judgements still asked for; nobody is to be given an empty pair. What was answered stays."""
    one, batches = schema.slots, schema.batches
    return one.c.judgement.is_(None), one.c.batch.in_(select(batches.c.id).where(batches.c.unit == unit))


def _take_out(connection: Connection, table: Table, items: Sequence[str], *more: ColumnElement[bool]) -> int:
    taken = 0
    for start in range(0, len(items), _IDS_A_QUERY):
        about = table.c.item.in_(items[start : start + _IDS_A_QUERY])
        taken += connection.execute(delete(table).where(about, *more)).rowcount
    return taken


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
