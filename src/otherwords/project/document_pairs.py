"""Document pairs of a project: the selected ones in the ledger, all candidates in the dataset of their step.

When a step is run again with other parameters, its earlier pairs that nobody has worked on yet are superseded;
those that somebody has judged or extracted from stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, case, func, select, union, update

from otherwords.project.ledger import schema, upsert
from otherwords.project.ledger.rows import PRESENT, TABLES, read_records, row_of
from otherwords.project.pipeline.kind import StepContext, StepFacts
from otherwords.project.project import Project
from otherwords.records import Document, DocumentPair, Pair

CANDIDATE, SUPERSEDED = "candidate", "superseded"


def documents_of(project: Project, *sources: str) -> list[Document]:
    """The documents of some text sources that were not withdrawn."""
    documents = schema.documents
    with project.ledger.reading() as connection:
        return list(read_records(connection, Document, documents.c.source.in_(sources), documents.c.text != ""))


def documents_digest(project: Project, *sources: str) -> StepFacts:
    """The number of documents of these sources, and a digest of their ids for the key of a step."""
    documents = schema.documents
    digest, rows = hashlib.sha256(), 0
    present = (documents.c.source.in_(sources), documents.c.text != "")
    ids = select(documents.c.id).where(*present).order_by(documents.c.id).execution_options(yield_per=10_000)
    with project.ledger.reading() as connection:
        for document in connection.execute(ids).scalars():
            digest.update(document.encode() + b"\n")
            rows += 1
    return StepFacts(rows, {"sources": sorted(sources), "documents": digest.hexdigest()[:16]})


def record_document_pairs(connection: Connection, context: StepContext[Any], pairs: Iterable[DocumentPair]) -> None:
    """Replace the document pairs of earlier runs of a step."""
    table = TABLES[DocumentPair]
    judged = select(schema.judgements.c.pair).where(schema.judgements.c.unit == "document_pair")
    earlier = [table.c.step == context.name, table.c.step_key != context.key, table.c.status == CANDIDATE]
    extracted = schema.pairs  # a pair that somebody has extracted from the same document pair
    same = (extracted.c.doc1 == table.c.doc1, extracted.c.doc2 == table.c.doc2, PRESENT)
    from_it = extracted.c.meta["document_pair"].as_string() == table.c.id
    untouched = (table.c.id.not_in(judged), ~select(extracted.c.seq).where(*same, from_it).exists())
    connection.execute(update(table).where(*earlier, *untouched).values(status=SUPERSEDED))
    rows = [
        row_of(pair, step=context.name, step_key=context.key) | {"status": pair.status or CANDIDATE} for pair in pairs
    ]
    changes = {"status": case((table.c.status == SUPERSEDED, CANDIDATE), else_=table.c.status), "step_key": context.key}
    upsert(connection, table, rows, changes)


def record_pairs(connection: Connection, context: StepContext[Any], pairs: Iterable[Pair]) -> None:
    """Add pairs that need no extraction; those of earlier runs that are in no batch, judgement or release go."""
    table = TABLES[Pair]
    used = union(
        select(schema.judgements.c.pair).where(schema.judgements.c.unit == "pair"),
        select(schema.released_pairs.c.pair),
        select(schema.slots.c.item),
    )
    earlier = [table.c.step == context.name, table.c.step_key != context.key]
    connection.execute(table.delete().where(*earlier, table.c.id.not_in(used)))
    rows = [row_of(pair, import_id=None, step=context.name, step_key=context.key) for pair in pairs]
    upsert(connection, table, rows, {"step_key": context.key})


def count_extracted(project: Project) -> dict[str, int]:
    """The number of pairs extracted from each document pair of a first round, without removed ones."""
    pairs, document_pairs = schema.pairs, schema.document_pairs
    origin = pairs.c.meta["document_pair"].as_string()
    first_round = select(document_pairs.c.id).where(document_pairs.c.round == 1)
    counts = select(origin, func.count()).where(origin.in_(first_round), PRESENT).group_by(origin)
    with project.ledger.reading() as connection:
        return {str(name): int(count) for name, count in connection.execute(counts)}


def used_pairs(project: Project, method: str) -> list[DocumentPair]:
    """The document pairs of a method that were not superseded."""
    table = schema.document_pairs
    with project.ledger.reading() as connection:
        return list(read_records(connection, DocumentPair, table.c.method == method, table.c.status != SUPERSEDED))
