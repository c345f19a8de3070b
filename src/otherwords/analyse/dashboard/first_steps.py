"""The first steps of a new project: what its admin does, in order, until people judge pairs; asked of the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, Select, select

from otherwords.project.about import read_about
from otherwords.project.ledger import schema
from otherwords.project.project import Project

Name = Literal["import", "align", "guideline", "people", "batch", "judge", "about"]
ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step and whether it is done; the list is complete without the optional ones."""

    name: Name
    done: bool
    optional: bool = False


def first_steps(connection: Connection, project: Project, admin: str) -> list[FirstStep]:
    """The first steps of a project, as far as they are done; documents are aligned only where there are some."""
    accounts, steps, judgements = schema.accounts, schema.steps, schema.judgements

    def some(query: Select[tuple[object]]) -> bool:
        return connection.execute(query.limit(1)).first() is not None

    documents, pairs = (some(select(table.c.seq)) for table in (schema.documents, schema.pairs))
    aligned = (
        pairs
        or some(select(schema.document_pairs.c.seq))
        or some(select(steps.c.seq).where(steps.c.kind == "align-posts", steps.c.state == "done"))
    )
    others = select(accounts.c.name).where(accounts.c.name != admin, accounts.c.state == ACTIVE)
    judged = select(judgements.c.seq).join(accounts, accounts.c.name == judgements.c.annotator)
    about = read_about(project.folder)
    return [
        FirstStep("import", documents or pairs),
        *([FirstStep("align", aligned)] if documents else []),
        FirstStep("guideline", some(select(schema.guidelines.c.version)), optional=True),
        FirstStep("people", some(others)),
        FirstStep("batch", some(select(schema.batches.c.seq))),
        FirstStep("judge", some(judged)),
        FirstStep("about", bool(about.title or about.authors), optional=True),
    ]


def is_complete(steps: list[FirstStep]) -> bool:
    """Whether all steps are done that are not optional."""
    return all(step.done or step.optional for step in steps)
