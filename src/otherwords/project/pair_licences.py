"""The licences of pairs: those of the documents that their texts come from, or their own.

A text that comes from no document has the licence of its pair; a rewrite without one has that of its original.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, RowMapping, select

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks

LONGEST_CHAIN = 20  # of rewrites of rewrites
_pairs = schema.pairs


def pair_licences(connection: Connection, ids: Collection[str]) -> dict[str, set[str | None]]:
    """The licences of each pair; None is an unknown one."""
    pairs = _with_originals(connection, ids)
    originals = {name: _original(pairs, name) for name in ids}
    wanted = {name for pair in originals.values() if pair for name in (pair["doc1"], pair["doc2"])} - {None}
    documents = schema.documents
    statement = select(documents.c.id, documents.c.licence)
    known = {
        row.id: row.licence
        for block in in_blocks(sorted(wanted))
        for row in connection.execute(statement.where(documents.c.id.in_(block)))
    }
    return {
        name: {known.get(doc) if doc else pair["licence"] for doc in (pair["doc1"], pair["doc2"])} if pair else {None}
        for name, pair in originals.items()
    }


def _with_originals(connection: Connection, ids: Collection[str]) -> dict[str, RowMapping]:
    """These pairs, the pairs that they rewrite, and so on."""
    statement = select(_pairs.c.id, _pairs.c.doc1, _pairs.c.doc2, _pairs.c.rewrite_of, _pairs.c.licence)
    pairs: dict[str, RowMapping] = {}
    missing = set(ids)
    for _ in range(LONGEST_CHAIN):
        found = [
            row
            for block in in_blocks(sorted(missing))
            for row in connection.execute(statement.where(_pairs.c.id.in_(block))).mappings()
        ]
        pairs |= {row["id"]: row for row in found}
        missing = {row["rewrite_of"] for row in found if row["rewrite_of"]} - pairs.keys()
        if not missing:
            break
    return pairs


def _original(pairs: Mapping[str, RowMapping], name: str) -> RowMapping | None:
    """The pair that a rewrite goes back to, or the pair itself; None if the original is lost."""
    seen: set[str] = set()
    while name in pairs and name not in seen:
        seen.add(name)
        pair = pairs[name]
        if pair["doc1"] or pair["doc2"] or pair["licence"] or not pair["rewrite_of"]:
            return pair
        name = pair["rewrite_of"]
    return None
