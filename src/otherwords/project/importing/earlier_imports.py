"""What earlier imports of the same file brought: a corrected import replaces it, a refused one takes back its own.

Only what nobody used is removed. A pair that was judged, drawn into a batch, discussed, rewritten or released stays,
and so does a document that pairs were made of; the result of the import says how many. A pair that stays and has the
same texts is corrected in place, but for its label: its source, licence, group, time and whatever else nobody judged.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, func, or_, select, update

from otherwords.project.ledger import schema

REPLACED = "replaced"  # the state of an import whose file came in again with other options
_documents, _pairs, _judgements = schema.documents, schema.pairs, schema.judgements


def remove_unused(
    connection: Connection, table: Table, import_ids: Collection[str], ids: Collection[str] | None = None
) -> int:
    """Delete what these imports brought and nobody used; with ``ids``, only these rows. The number of rows."""
    statement = delete(table).where(brought_by(table, import_ids), _is_unused(table, import_ids))
    return connection.execute(statement if ids is None else statement.where(table.c.id.in_(ids))).rowcount


def count_rows(connection: Connection, table: Table, import_ids: Collection[str]) -> int:
    """How many rows are here that these imports brought."""
    statement = select(func.count()).select_from(table).where(brought_by(table, import_ids))
    return connection.execute(statement).scalar_one()


def mark_replaced(connection: Connection, import_ids: Collection[str]) -> None:
    """Record that a later import of the same file takes the place of these."""
    imports = schema.imports
    connection.execute(update(imports).where(imports.c.id.in_(import_ids)).values(state=REPLACED))


def brought_by(table: Table, import_ids: Collection[str]) -> ColumnElement[bool]:
    """Rows of these imports; a judgement names its import in ``meta``."""
    if table is _judgements:
        name: ColumnElement[str] = _judgements.c.meta["import"].as_string()
        return name.in_(import_ids)
    return table.c.import_id.in_(import_ids)


def _is_unused(table: Table, import_ids: Collection[str]) -> ColumnElement[bool]:
    """Rows with words that nothing else in the project refers to."""
    if table is _documents:
        users = [
            exists().where(or_(user.c.doc1 == _documents.c.id, user.c.doc2 == _documents.c.id))
            for user in (schema.document_pairs, _pairs)
        ]
        return and_(_documents.c.text != "", *(~user for user in users))
    slots = schema.slots
    if table is _judgements:
        later = _judgements.alias()
        superseded = exists().where(later.c.supersedes == _judgements.c.id)
        in_batch = exists().where(slots.c.item == _judgements.c.pair, slots.c.judgement == _judgements.c.id)
        return and_(~superseded, ~in_batch)
    rewrites = _pairs.alias()
    by_others = or_(rewrites.c.import_id.is_(None), rewrites.c.import_id.not_in(import_ids), *_uses(rewrites.c.id))
    rewritten = exists().where(rewrites.c.rewrite_of == _pairs.c.id, by_others)
    return and_(_pairs.c.text1 != "", ~rewritten, *(~use for use in _uses(_pairs.c.id)))


def _uses(pair: ColumnElement[str]) -> list[ColumnElement[bool]]:
    """The ways in which people have used a pair: judged, drawn into a batch, discussed, released or left out."""
    judgements, slots, remarks = schema.judgements.alias(), schema.slots, schema.remarks
    released, left_out = schema.released_pairs, schema.left_out
    return [
        exists().where(judgements.c.pair == pair, judgements.c.unit == "pair"),
        exists().where(slots.c.item == pair),
        exists().where(remarks.c.item == pair, remarks.c.unit == "pair"),
        exists().where(released.c.pair == pair),
        exists().where(left_out.c.pair == pair),
    ]
