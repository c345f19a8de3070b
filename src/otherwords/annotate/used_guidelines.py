"""Which guidelines a project uses: those of its schemes and batches, of its kinds of work, and those it has written."""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.annotate.documents.queues import EXTRACT, HEADINGS, TRIAGE, TRIAGED
from otherwords.annotate.documents.seeds import SCHEME as SEED
from otherwords.annotate.schemes.guidelines import guideline_subjects
from otherwords.project.ledger import schema
from otherwords.project.project import SCHEMES, Project


def used_guidelines(connection: Connection, project: Project, scheme: str) -> list[str]:
    """What the guidelines of a project are about, its scheme first; shipped ones that it does not use are left out."""
    used = {scheme, *_work_on_documents(connection)}
    used |= {path.stem for path in (project.folder / SCHEMES).glob("*.toml")}
    for column in (schema.batches.c.scheme, schema.guidelines.c.scheme):
        used.update(connection.execute(select(column).distinct()).scalars())
    return sorted(used & set(guideline_subjects(project.folder)), key=lambda name: (name != scheme, name))


def _work_on_documents(connection: Connection) -> list[str]:
    """Triage, extraction and the choice of seeds, if there is something to do it with."""
    pairs, steps = schema.document_pairs, schema.steps
    methods = set(connection.execute(select(pairs.c.method).distinct()).scalars())
    kinds = [EXTRACT] if methods - {HEADINGS} else []
    kinds += [TRIAGE] if methods & set(TRIAGED) else []
    posts = select(steps.c.seq).where(steps.c.kind == "align-posts", steps.c.state == "done").limit(1)
    return kinds + ([SEED] if connection.execute(posts).first() is not None else [])
