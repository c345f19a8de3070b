"""Erase withdrawn words in the ledger: texts are blanked, the rows and their numbers stay.

The same functions blank a row in the ledger and a row that an import brings, so that nothing comes back that way. Open
slots and locks of erased items are deleted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select, update

from otherwords.digests import digest_hex
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import Row, in_blocks, row_dicts

WITHDRAWN = "withdrawn"
Blank = Callable[[Row, str], Row]
Key = tuple[str, str]

BLANKS: dict[Table, Blank] = {  # what takes the place of the words of a row, by the time of the withdrawal
    schema.documents: lambda row, time: {"text": "", "meta": {WITHDRAWN: time}},
    # The reason and the notes of an alignment may quote the texts.
    schema.document_pairs: lambda row, time: {"status": WITHDRAWN, "reason": None, "meta": {WITHDRAWN: time}},
    # Both texts are erased: the other one says the same in other words.
    schema.pairs: lambda row, time: {
        **{"text1": "", "text2": "", "gold": row["gold"] and {"label": row["gold"]["label"]}},
        "meta": {WITHDRAWN: time},
    },
    schema.judgements: lambda row, time: {
        **{"rewrites": [["", ""] for _ in row["rewrites"]], "note": row["note"] and ""},
        "meta": {WITHDRAWN: time},
    },
    schema.remarks: lambda row, time: {"text": ""},
    schema.left_out: lambda row, time: {"reason": ""},
}


def is_blank(row: Row) -> bool:
    """Whether the words of a row are erased already."""
    if "meta" in row:
        return bool(row["meta"].keys() == {WITHDRAWN})
    return bool(row["text" if "text" in row else "reason"] == "")


def text_digest(text: str) -> str:
    """The digest by which a tombstone recognises a text that comes back under another id."""
    return digest_hex(text, size=16)


def withdrawals(connection: Connection, table: Table, rows: Sequence[Row]) -> dict[str, str]:
    """The ids of rows that hold withdrawn words, with the time of the withdrawal."""
    about = {row["id"]: _about(table, row) for row in rows}
    times = withdrawn(connection, {key for keys in about.values() for key in keys})
    found = {row_id: [times[key] for key in keys if key in times] for row_id, keys in about.items()}
    return {row_id: min(row_times) for row_id, row_times in found.items() if row_times}


def _about(table: Table, row: Row) -> list[Key]:
    """The documents, pairs and texts whose withdrawal concerns a row."""
    if table is schema.judgements:
        return [(row["unit"], row["pair"])]
    if table is schema.remarks:
        return [(row["unit"], row["item"])]
    if table is schema.left_out:
        return [("pair", row["pair"])]
    if table is schema.documents:
        return [("document", row["id"]), ("text", text_digest(row["text"]))]
    documents = [("document", row[side]) for side in ("doc1", "doc2") if row[side] is not None]
    if table is schema.document_pairs:
        return documents
    return documents + [("pair", row[name]) for name in ("id", "rewrite_of") if row[name] is not None]


def withdrawn(connection: Connection, keys: Iterable[Key]) -> dict[Key, str]:
    """The times at which these were withdrawn: pairs, document pairs and documents by id, texts by digest."""
    targets: dict[str, set[str]] = defaultdict(set)
    for noun, target in keys:
        targets[noun].add(target)
    times: dict[Key, str] = {}
    tombstones, document_pairs = schema.tombstones, schema.document_pairs
    for noun in ("document", "pair", "text"):
        for row in _matching(connection, tombstones, ("target",), targets[noun], tombstones.c.noun == noun):
            times[noun, row["target"]] = row["time"]
    erased = document_pairs.c.status == WITHDRAWN
    for row in _matching(connection, document_pairs, ("id",), targets["document_pair"], erased):
        times["document_pair", row["id"]] = row["meta"][WITHDRAWN]
    return times


def erase_documents(
    connection: Connection, ids: Iterable[str], time: str, reason: str | None
) -> tuple[dict[str, int], list[str]]:
    """Blank documents and everything taken from them, and add tombstones: counts of rows, and the pairs."""
    documents = sorted(set(ids))
    counts: Counter[str] = Counter()
    texts = {row["text"] for row in _matching(connection, schema.documents, ("id",), documents)} - {""}
    bury(connection, "text", sorted(map(text_digest, texts)), time, reason)
    counts["documents"] = _blank(connection, schema.documents, ("id",), documents, time)
    counts["document_pairs"] = _blank(connection, schema.document_pairs, ("doc1", "doc2"), documents, time)
    document_pairs = [row["id"] for row in _matching(connection, schema.document_pairs, ("doc1", "doc2"), documents)]
    counts.update(_erase_judgements(connection, "document_pair", document_pairs, time))
    counts["holds"] = _delete(connection, schema.holds, document_pairs)
    bury(connection, "document", documents, time, reason)
    taken = [row["id"] for row in _matching(connection, schema.pairs, ("doc1", "doc2"), documents)]
    pair_counts, pairs = erase_pairs(connection, taken, time, reason)
    counts.update(pair_counts)
    return dict(counts), pairs


def erase_pairs(
    connection: Connection, ids: Iterable[str], time: str, reason: str | None
) -> tuple[dict[str, int], list[str]]:
    """Blank pairs, their rewrites, judgements and remarks, and add tombstones: counts of rows, and the pairs."""
    pairs = _with_rewrites(connection, ids)
    counts = Counter({"pairs": _blank(connection, schema.pairs, ("id",), pairs, time)})
    counts["reasons_for_leaving_out"] = _blank(connection, schema.left_out, ("pair",), pairs, time)
    counts.update(_erase_judgements(connection, "pair", pairs, time))
    bury(connection, "pair", pairs, time, reason)
    return dict(counts), pairs


def _erase_judgements(connection: Connection, unit: str, ids: list[str], time: str) -> Counter[str]:
    """Blank the judgements and remarks about some items, and delete their open slots."""
    counts: Counter[str] = Counter()
    for table, item in ((schema.judgements, "pair"), (schema.remarks, "item")):
        counts[table.name] = _blank(connection, table, (item,), ids, time, table.c.unit == unit)
    # Slots that nobody has answered, so that nobody is given an empty pair.
    slots, batches = schema.slots, schema.batches
    of_unit = slots.c.batch.in_(select(batches.c.id).where(batches.c.unit == unit))
    counts["slots"] = _delete(connection, slots, ids, slots.c.judgement.is_(None), of_unit)
    return counts


def bury(connection: Connection, noun: str, targets: Iterable[str], time: str, reason: str | None) -> None:
    """Add tombstones; existing ones stay as they are."""
    rows = [{"noun": noun, "target": target, "time": time, "reason": reason} for target in targets]
    insert_new(connection, schema.tombstones, rows)


def _with_rewrites(connection: Connection, pairs: Iterable[str]) -> list[str]:
    """These pairs and all that was made of their texts: rewrites, translations, candidates; also of rewrites."""
    family = dict.fromkeys(pairs)
    latest = list(family)
    made = schema.pairs.c.meta["made"]
    origins = [made[name].as_string() for name in ("original", "query")]
    while latest:
        rewrites = [row["id"] for row in _matching(connection, schema.pairs, ("rewrite_of",), latest)]
        for block in in_blocks(latest):
            made_of = or_(*(origin.in_(block) for origin in origins))
            rewrites += connection.execute(select(schema.pairs.c.id).where(made_of)).scalars()
        latest = [rewrite for rewrite in rewrites if rewrite not in family]
        family |= dict.fromkeys(latest)
    return list(family)


def _blank(
    connection: Connection, table: Table, columns: tuple[str, ...], ids: Iterable[str], time: str, *conditions: Any
) -> int:
    """Blank the matching rows that still have words, and count them."""
    changed = 0
    for row in _matching(connection, table, columns, ids, *conditions):
        if is_blank(row):
            continue
        values = BLANKS[table](row, time)
        connection.execute(update(table).where(table.c.seq == row["seq"]).values(**values))
        changed += 1
    return changed


def _delete(connection: Connection, table: Table, items: Sequence[str], *conditions: ColumnElement[bool]) -> int:
    statements = (delete(table).where(table.c.item.in_(block), *conditions) for block in in_blocks(items))
    return sum(connection.execute(statement).rowcount for statement in statements)


def _matching(
    connection: Connection, table: Table, columns: tuple[str, ...], ids: Iterable[str], *conditions: ColumnElement[bool]
) -> Iterator[Row]:
    """The rows of a table in which one of the columns has one of the ids."""
    for block in in_blocks(sorted(ids)):
        either = or_(*(table.c[column].in_(block) for column in columns))
        matching = select(table).where(either, *conditions).order_by(*table.primary_key.columns)
        yield from row_dicts(connection.execute(matching))
