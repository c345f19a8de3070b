"""The provenance of a pair: from its labels and judgements back to files and offsets."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, select

from otherwords.errors import ProjectError
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import Row, row_dicts
from otherwords.project.project import Project

EXCERPT = 80  # characters
PAIR = ("id", "text1", "text2", "lang", "source", "label", "method", "state")
IMPORT = ("path", "sha256", "kind", "options", "finished")
STEP = ("name", "kind", "key", "version", "parameters", "inputs", "finished", "output")
DOCUMENT_PAIR = ("id", "similarity", "method", "round", "status", "reason")
SLOT = ("batch", "position", "number", "maker", "assigned", "holder", "judgement")
JUDGEMENT = ("id", "annotator", "scheme", "batch", "purpose", "kind", "value", "time", "guideline", "supersedes")
LEFT_OUT = ("action", "reason", "author", "time", "kept")
REMARK = ("id", "author", "action", "text", "time")


def trace(project: Project, pair: str) -> dict[str, object]:
    """Everything that led to a pair, and everything that was done with it."""
    slots, batches, judgements, remarks = schema.slots, schema.batches, schema.judgements, schema.remarks
    of_pairs = slots.c.batch.in_(select(batches.c.id).where(batches.c.unit == "pair"))
    with project.ledger.reading() as connection:
        row = _find(connection, schema.pairs, pair)
        if row is None:
            raise ProjectError(f"{project.folder}: no pair {pair!r}", code="no-such-pair")
        return {
            "pair": {name: row[name] for name in PAIR},
            "place": _place(row["meta"]),
            "rewrite_of": row["rewrite_of"],
            "scores": row["scores"],
            "made": row["meta"].get("made"),
            "made_by": _step(connection, row["step"], row["step_key"]),
            "imported_from": _import(connection, row["import_id"]),
            "documents": [_document(connection, row, side) for side in "12" if row[f"doc{side}"]],
            "document_pairs": _document_pairs(connection, row),
            "batches": _rows(connection, slots, SLOT, slots.c.item == pair, of_pairs),
            "judgements": _rows(
                connection, judgements, JUDGEMENT, judgements.c.pair == pair, judgements.c.unit == "pair"
            ),
            "remarks": _rows(connection, remarks, REMARK, remarks.c.item == pair, remarks.c.unit == "pair"),
            "left_out": _rows(connection, schema.left_out, LEFT_OUT, schema.left_out.c.pair == pair),
            "releases": _rows(
                connection, schema.released_pairs, ("version", "part"), schema.released_pairs.c.pair == pair
            ),
        }


def _find(connection: Connection, table: Table, identifier: str | None) -> RowMapping | None:
    return connection.execute(select(table).where(table.c.id == identifier)).mappings().first()


def _rows(
    connection: Connection, table: Table, columns: tuple[str, ...], *conditions: ColumnElement[bool]
) -> list[Row]:
    shown = select(*(table.c[name] for name in columns))
    return row_dicts(connection.execute(shown.where(*conditions).order_by(*table.primary_key.columns)))


def _place(meta: Mapping[str, object]) -> dict[str, object]:
    """The position of a record in its file, as far as its reader recorded it."""
    return {name: meta[name] for name in ("file", "line", "row") if name in meta}


def _import(connection: Connection, import_id: str | None) -> dict[str, object] | None:
    row = _find(connection, schema.imports, import_id)
    return {name: row[name] for name in IMPORT} if row is not None else None


def _step(connection: Connection, name: str | None, key: str | None) -> Row | None:
    """The latest run of a step with that key."""
    steps = schema.steps
    runs = _rows(connection, steps, STEP, steps.c.name == name, steps.c.key == key)
    return runs[-1] if runs else None


def _document(connection: Connection, pair: RowMapping, side: str) -> dict[str, object]:
    """A document of a pair, with the passage that was taken from it."""
    row = _find(connection, schema.documents, pair[f"doc{side}"])
    start, end = pair[f"start{side}"], pair[f"end{side}"]
    passage = {"id": pair[f"doc{side}"], "start": start, "end": end}
    if row is None:
        return passage | {"missing": True}
    return passage | {
        "excerpt": row["text"][start:end][:EXCERPT],
        "source": row["source"],
        "group": row["group"],
        "place": _place(row["meta"]),
        "licence": row["licence"],
        "imported_from": _import(connection, row["import_id"]),
    }


def _document_pairs(connection: Connection, pair: RowMapping) -> list[Row]:
    """Alignments of the two documents of a pair, in either direction."""
    table, first, second = schema.document_pairs, pair["doc1"], pair["doc2"]
    same_order = (table.c.doc1 == first) & (table.c.doc2 == second)
    other_order = (table.c.doc1 == second) & (table.c.doc2 == first)
    rows = _rows(connection, table, (*DOCUMENT_PAIR, "step", "step_key"), same_order | other_order)
    for row in rows:
        row["made_by"] = _step(connection, row.pop("step"), row.pop("step_key"))
    return rows
