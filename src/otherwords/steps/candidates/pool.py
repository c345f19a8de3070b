"""What the steps that make candidates have in common: the texts they take, and how their pairs are recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from sqlalchemy import func, or_, select

from otherwords.errors import DataError
from otherwords.project.document_pairs import documents_digest, documents_of, record_pairs
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.pipeline.dataset import TextColumns
from otherwords.project.pipeline.kind import StepContext, StepCounts, StepFacts, StepResult
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import Project
from otherwords.records import Document, Pair
from otherwords.sources.rows.records import scalar_text

SENTENCES = "sentences"
TEXTS_OF_PAIRS = TextColumns(ids=["doc1", "doc2"], texts=["text1", "text2"])
MOST_NAMED = 3  # reasons in an error


class PoolParameters(Parameters, frozen=True, kw_only=True):
    """Which texts are taken; ``most`` is the number of pairs wanted."""

    source: str = SENTENCES


def pool_facts(project: Project, parameters: PoolParameters) -> StepFacts:
    """The texts of the source."""
    return documents_digest(project, parameters.source)


def pool(context: StepContext[Any]) -> list[Document]:
    """The texts of the source, by id, so that the order in which they came does not matter."""
    source = context.parameters.source
    documents = sorted(documents_of(context.project, source), key=lambda document: document.id)
    if not documents:
        message = f"no texts of source {source}; import some first: otherwords import PROJECT sentences FILE"
        raise DataError(message, context.project.folder, code="no-documents")
    return documents


def pair_table(
    pairs: Iterable[Pair], scores: Sequence[str], rows: Mapping[str, Sequence[Any]] | None = None
) -> pa.Table:
    """Pairs as the dataset of their step: texts, documents and scores; ``rows`` are further columns."""
    listed = list(pairs)
    text = pa.string()
    columns: dict[str, pa.Array] = {
        "pair": pa.array([pair.id for pair in listed], text),
        "doc1": pa.array([pair.doc1.id if pair.doc1 else None for pair in listed], text),
        "doc2": pa.array([pair.doc2.id if pair.doc2 else None for pair in listed], text),
        "text1": pa.array([pair.text1 for pair in listed], text),
        "text2": pa.array([pair.text2 for pair in listed], text),
        **{name: pa.array([pair.scores.get(name) for pair in listed], pa.float64()) for name in scores},
    }
    return pa.table(columns | {name: pa.array(values) for name, values in (rows or {}).items()})


def candidates_result(
    context: StepContext[Any], rows_in: int, pairs: Sequence[Pair], table: pa.Table, counts: StepCounts
) -> StepResult:
    """The result of a step whose chosen pairs go into the ledger; none at all is an error that says why."""
    if not pairs:
        reasons = counts.get("dropped") or {}
        most = sorted(reasons.items(), key=lambda item: -item[1])[:MOST_NAMED]
        why = "; ".join(f"{reason} ({scalar_text(number)})" for reason, number in most) or "there was nothing to pair"
        message = f"{context.name}: no candidates out of {rows_in:,} texts: {why}"
        raise DataError(message, context.project.folder, code="no-candidates")
    known = _known_of_others(context, pairs)
    return StepResult(
        rows_in=rows_in,
        rows_out=len(pairs),
        counts=counts | {"there before, from elsewhere": known} if known else counts,
        output=context.write(table.schema, [table]),
        record=lambda connection: record_pairs(connection, context, pairs),
    )


def _known_of_others(context: StepContext[Any], pairs: Sequence[Pair]) -> int:
    """How many of these pairs another step or an import has brought already: the ledger gets no second one."""
    table = schema.pairs
    others = or_(table.c.step.is_(None), table.c.step != context.name)
    known = 0
    with context.project.ledger.reading() as connection:
        for block in in_blocks(pairs):
            ids = [pair.id for pair in block]
            statement = select(func.count()).select_from(table).where(table.c.id.in_(ids), others)
            known += int(connection.execute(statement).scalar_one())
    return known
