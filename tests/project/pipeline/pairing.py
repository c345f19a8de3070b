"""A kind of step for tests: it pairs all documents with the first, counts its runs and can fail on purpose."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from sqlalchemy import Connection, delete, func, insert, select

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.kind import Step, StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Count, Parameters, Share
from otherwords.records import DocumentPair


class PairingParameters(Parameters, frozen=True, kw_only=True):
    low: Share = 0.5
    most: Count = 3
    names: tuple[str, ...] = ()
    flag: bool = False
    title: str = "x"
    anything: str | None = None


class Pairing:
    """The kind and what became of it."""

    def __init__(self) -> None:
        self.runs = 0
        self.problem: BaseException | None = None
        self.kind = self.version(1)

    def version(self, number: int) -> StepKind[PairingParameters]:
        return StepKind("pairing", number, PairingParameters, self.run, self.facts)

    def step(self, name: str = "one", **parameters: Any) -> Step:
        return make_step(self.kind, name, **parameters)

    def facts(self, project: Project, parameters: PairingParameters) -> StepFacts:
        with project.ledger.reading() as connection:
            return StepFacts(connection.execute(select(func.count()).select_from(schema.documents)).scalar_one())

    def run(self, context: StepContext[PairingParameters]) -> StepResult:
        self.runs += 1
        context.progress(1, 2)
        with context.project.ledger.reading() as connection:
            names = list(connection.execute(select(schema.documents.c.id)).scalars())
        table = pa.table({"doc2": names})
        output = context.write(table.schema, [table])
        if self.problem is not None:
            raise self.problem

        def record(connection: Connection) -> None:
            connection.execute(delete(schema.document_pairs))
            for name in names[1:]:
                pair = DocumentPair(id=f"{context.key}-{name}", doc1=names[0], doc2=name, method="test")
                row = row_of(pair, step=context.name, step_key=context.key)
                connection.execute(insert(schema.document_pairs).values(**row))

        return StepResult(len(names), len(names) - 1, {"made": len(names) - 1}, output, record)
