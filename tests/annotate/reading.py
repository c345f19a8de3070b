"""Documents and document pairs for the tests of triage and extraction, and how to look at what became of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select, update

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record

ONE = "The ferry left at noon. A grey heron watched it go.\n\nNobody waved."
TWO = "At midday the boat sailed. It was watched by a heron.\n\nNot a soul waved."
_MORE: dict[type[Record], dict[str, Any]] = {
    Document: {"import_id": None},
    DocumentPair: {"step": None, "step_key": None},
    Pair: {"import_id": None, "step": None, "step_key": None},
    Judgement: {},
}


def put(project: Project, *records: Record) -> None:
    """Put records into a project's ledger."""
    with project.ledger.writing() as connection:
        for record in records:
            connection.execute(insert(TABLES[type(record)]).values(**row_of(record, **_MORE[type(record)])))


def two_documents(project: Project, text1: str = ONE, text2: str = TWO, **more: Any) -> None:
    """Add documents a and b, and with further fields also the document pair ab."""
    fields = {"lang": "en", "source": "news", "time": "2024-03-01", "licence": "CC0"}
    put(project, Document(id="a", text=text1, meta={"title": "Noon ferry"}, **fields))
    put(project, Document(id="b", text=text2, **fields))
    if more:
        put(project, DocumentPair(**({"id": "ab", "doc1": "a", "doc2": "b", "status": "candidate"} | more)))


def forum_pairs(project: Project, count: int) -> list[str]:
    """So many document pairs that wait for triage; their ids."""
    two_documents(project)
    names = [f"f{number}" for number in range(1, count + 1)]
    pairs = [DocumentPair(id=name, doc1="a", doc2="b", method="forum", status="candidate") for name in names]
    put(project, *pairs)
    return names


def row(project: Project, noun: type[Record], name: str) -> dict[str, Any]:
    """A row of the ledger."""
    table = TABLES[noun]
    with project.ledger.reading() as connection:
        return dict(connection.execute(select(table).where(table.c.id == name)).mappings().one())


def rows(project: Project, table: Any) -> list[dict[str, Any]]:
    """All rows of a table."""
    with project.ledger.reading() as connection:
        return [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns)).mappings()]


def status(project: Project, document_pair: str = "ab") -> object:
    return row(project, DocumentPair, document_pair)["status"]


def time_runs_out(project: Project) -> None:
    """All holds are over."""
    with project.ledger.writing() as connection:
        connection.execute(update(schema.holds).values(until=1.0))
