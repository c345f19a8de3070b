"""Document pairs into a project: the table of all candidates on disk, the chosen ones in the ledger.

When a step is run again with other parameters, its earlier pairs that nobody has looked at yet are superseded;
those that somebody has judged or extracted from stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import ColumnElement, Connection, Table, case, func, select, update

from otherwords.project import schema
from otherwords.project.ledger import upsert
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT, TABLES, records, row_of
from otherwords.project.work import Running
from otherwords.records import Document, DocumentPair, Pair
from otherwords.sources.files import replacing

CANDIDATE, SUPERSEDED = "candidate", "superseded"


def documents_of(project: Project, *sources: str) -> list[Document]:
    """The documents of some text sources that were not withdrawn."""
    table = schema.documents
    with project.ledger.reading() as connection:
        return list(records(connection, Document, table.c.source.in_(sources), table.c.text != ""))


def documents_digest(project: Project, *sources: str) -> dict[str, Any]:
    """What a step that reads these sources depends on: which documents there are."""
    table = schema.documents
    digest, rows = hashlib.sha256(), 0
    with project.ledger.reading() as connection:
        wanted = select(table.c.id).where(table.c.source.in_(sources), table.c.text != "").order_by(table.c.id)
        for name in connection.execute(wanted.execution_options(yield_per=10_000)).scalars():
            digest.update(name.encode() + b"\n")
            rows += 1
    return {"sources": sorted(sources), "documents": digest.hexdigest()[:16], "rows": rows}


def write_table(running: Running, table: pa.Table) -> None:
    """The table of a step, under its name only when it is whole."""
    running.table.parent.mkdir(parents=True, exist_ok=True)
    with replacing(running.table) as stream:
        pq.write_table(table, stream, compression="zstd")


def record_document_pairs(connection: Connection, running: Running, pairs: Iterable[DocumentPair]) -> None:
    """Put the pairs of a step in the place of those it gave before."""
    table = TABLES[DocumentPair]
    looked_at = select(schema.judgements.c.pair).where(schema.judgements.c.unit == "document_pair")
    earlier = [table.c.step == running.step, table.c.step_key != running.key, table.c.status == CANDIDATE]
    unseen = (table.c.id.not_in(looked_at), ~_extracted_from(table))
    connection.execute(update(table).where(*earlier, *unseen).values(status=SUPERSEDED))
    rows = [_row(pair, running) for pair in pairs]
    changes = {
        "status": case((table.c.status == SUPERSEDED, CANDIDATE), else_=table.c.status),
        "step_key": running.key,
    }
    upsert(connection, table, rows, changes)


def _extracted_from(table: Table) -> ColumnElement[bool]:
    """Somebody has taken a pair from it, finished or not."""
    one = schema.pairs
    same = (one.c.doc1 == table.c.doc1, one.c.doc2 == table.c.doc2, PRESENT)
    return select(one.c.seq).where(*same, one.c.meta["document_pair"].as_string() == table.c.id).exists()


def record_pairs(connection: Connection, running: Running, pairs: Iterable[Pair]) -> None:
    """Pairs that go to classification straight away. Those of an earlier run that have no judgement are replaced."""
    table = TABLES[Pair]
    judged = select(schema.judgements.c.pair).where(schema.judgements.c.unit == "pair")
    released = select(schema.released_pairs.c.pair)
    earlier = [table.c.step == running.step, table.c.step_key != running.key]
    connection.execute(table.delete().where(*earlier, table.c.id.not_in(judged), table.c.id.not_in(released)))
    rows = [row_of(pair, import_id=None, step=running.step, step_key=running.key) for pair in pairs]
    upsert(connection, table, rows, {"step_key": running.key})


def _row(pair: DocumentPair, running: Running) -> dict[str, Any]:
    row = row_of(pair, step=running.step, step_key=running.key)
    return row | {"status": pair.status or CANDIDATE}


def yields(project: Project) -> dict[str, int]:
    """How many pairs were extracted from each document pair of a first round, without those taken back."""
    table, of = schema.pairs, schema.document_pairs
    told = table.c.meta["document_pair"].as_string()
    first = select(of.c.id).where(of.c.round == 1)
    with project.ledger.reading() as connection:
        counted = select(told, func.count()).where(told.in_(first), PRESENT).group_by(told)
        return {str(name): int(count) for name, count in connection.execute(counted)}


def used_pairs(project: Project, method: str) -> list[DocumentPair]:
    """The document pairs of a method that were handed to people."""
    table = schema.document_pairs
    with project.ledger.reading() as connection:
        return list(records(connection, DocumentPair, table.c.method == method, table.c.status != SUPERSEDED))
