"""The chain of custody of a pair: from its labels and judgements back to files and offsets."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table, desc, select

from otherwords.errors import ProjectError
from otherwords.project import schema
from otherwords.project.project import Project

EXCERPT = 80
SHOWN = ("id", "text1", "text2", "lang", "source", "label", "method", "state")


def trace(project: Project, pair: str) -> dict[str, Any]:
    """Everything that led to a pair, and everything that came of it."""
    with project.ledger.reading() as connection:
        row = _one(connection, schema.pairs, "id", pair)
        if row is None:
            raise ProjectError(f"{project.folder}: no pair {pair!r}")
        return {
            "pair": {name: row[name] for name in SHOWN},
            "place": _place(row["meta"]),
            "rewrite_of": row["rewrite_of"],
            "scores": row["scores"],
            "made_by": _step(connection, row["step"], row["step_key"]),
            "imported_from": _import(connection, row["import_id"]),
            "documents": [_document(connection, row, side) for side in "12" if row[f"doc{side}"]],
            "document_pairs": _document_pairs(connection, row),
            "batches": _batches(connection, pair),
            "judgements": _judgements(connection, pair),
            "remarks": _remarks(connection, pair),
            "releases": _releases(connection, pair),
        }


def _one(connection: Connection, table: Table, column: str, value: str | None) -> Any:
    if value is None:
        return None
    return connection.execute(select(table).where(table.c[column] == value)).mappings().first()


def _place(meta: dict[str, Any]) -> dict[str, Any]:
    """Where in its file a record stood, as far as its reader noted it."""
    return {name: meta[name] for name in ("file", "line", "row") if name in meta}


def _import(connection: Connection, import_id: str | None) -> dict[str, Any] | None:
    row = _one(connection, schema.imports, "id", import_id)
    return row and {name: row[name] for name in ("path", "sha256", "kind", "wishes", "finished")}


def _step(connection: Connection, name: str | None, key: str | None) -> dict[str, Any] | None:
    one = schema.steps
    if name is None:
        return None
    found = select(one).where(one.c.name == name, one.c.key == key).order_by(desc(one.c.seq)).limit(1)
    row = connection.execute(found).mappings().first()
    shown = ("name", "does", "key", "version", "parameters", "inputs", "finished", "table")
    return {field: row[field] for field in shown} if row else None


def _document(connection: Connection, pair: Any, side: str) -> dict[str, Any]:
    row = _one(connection, schema.documents, "id", pair[f"doc{side}"])
    start, end = pair[f"start{side}"], pair[f"end{side}"]
    told: dict[str, Any] = {"id": pair[f"doc{side}"], "start": start, "end": end}
    if row is None:
        return told | {"missing": True}
    told |= {"excerpt": row["text"][start:end][:EXCERPT], "source": row["source"], "group": row["group"]}
    return told | {
        "place": _place(row["meta"]),
        "licence": row["licence"],
        "imported_from": _import(connection, row["import_id"]),
    }


def _document_pairs(connection: Connection, pair: Any) -> list[dict[str, Any]]:
    one = schema.document_pairs
    if not pair["doc1"] or not pair["doc2"]:
        return []
    both = ((one.c.doc1 == pair["doc1"]) & (one.c.doc2 == pair["doc2"])) | (
        (one.c.doc1 == pair["doc2"]) & (one.c.doc2 == pair["doc1"])
    )
    told = []
    for row in connection.execute(select(one).where(both).order_by(one.c.seq)).mappings():
        kept = {name: row[name] for name in ("id", "similarity", "method", "round", "status", "reason")}
        told.append(kept | {"made_by": _step(connection, row["step"], row["step_key"])})
    return told


def _batches(connection: Connection, pair: str) -> list[dict[str, Any]]:
    """Every judgement that a batch asks for, and which it got."""
    one, batches = schema.slots, schema.batches
    asked = select(one).join(batches, batches.c.id == one.c.batch).where(one.c.item == pair, batches.c.unit == "pair")
    shown = ("batch", "position", "number", "maker", "assigned", "holder", "judgement")
    return [{name: row[name] for name in shown} for row in connection.execute(asked.order_by(one.c.seq)).mappings()]


def _remarks(connection: Connection, pair: str) -> list[dict[str, Any]]:
    one = schema.remarks
    rows = connection.execute(select(one).where(one.c.item == pair, one.c.unit == "pair").order_by(one.c.seq))
    return [{name: row[name] for name in ("id", "author", "action", "text", "time")} for row in rows.mappings()]


def _judgements(connection: Connection, pair: str) -> list[dict[str, Any]]:
    one = schema.judgements
    shown = ("id", "annotator", "scheme", "batch", "purpose", "kind", "value", "time", "guideline", "supersedes")
    rows = connection.execute(select(one).where(one.c.pair == pair, one.c.unit == "pair").order_by(one.c.seq))
    return [{name: row[name] for name in shown} for row in rows.mappings()]


def _releases(connection: Connection, pair: str) -> list[dict[str, Any]]:
    one = schema.released_pairs
    rows = connection.execute(select(one.c.version, one.c.part).where(one.c.pair == pair).order_by(one.c.version))
    return [dict(row) for row in rows.mappings()]
