"""Triage: a person's quick yes or no to a document pair, before anybody extracts pairs from it.

Of the forum pairs of the Turku corpus 44 % were rejected that way (Kanerva et al. 2023, §3). What was said is a
judgement like any other and is never changed; the state of the document pair follows from the last one.
"""

from __future__ import annotations

import secrets
from itertools import islice
from typing import Literal

from sqlalchemy import Connection, desc, insert, or_, select, update

from otherwords.errors import ProjectError, UsageError
from otherwords.project import schema
from otherwords.project.erasing import WITHDRAWN
from otherwords.project.pairing import CANDIDATE
from otherwords.project.project import Project, now
from otherwords.project.rows import records, row_of
from otherwords.records import DocumentPair, Judgement

SCHEME = "triage"
Decision = Literal["accept", "reject"]
STATES: dict[str, str] = {"accept": "accepted", "reject": "rejected"}


def triage(
    project: Project,
    document_pair: str,
    decision: Decision,
    annotator: str,
    reason: str | None = None,
    seconds: float | None = None,
) -> Judgement:
    """Say that a document pair is worth the work, or that it is not and why."""
    if decision not in STATES:
        raise UsageError(f"a document pair is accepted or rejected: {decision!r} is neither accept nor reject")
    with project.ledger.writing() as connection:
        _check(connection, project, document_pair)
        said = Judgement(
            id=f"{SCHEME}-{secrets.token_hex(8)}",
            unit="document_pair",
            pair=document_pair,
            annotator=annotator,
            scheme=SCHEME,
            value=decision,
            note=reason,
            seconds=seconds,
            time=now(),
            supersedes=_earlier(connection, document_pair, annotator),
        )
        connection.execute(insert(schema.judgements).values(**row_of(said)))
        state = {"status": STATES[decision], "reason": reason, "seconds": seconds}
        connection.execute(
            update(schema.document_pairs).where(schema.document_pairs.c.id == document_pair).values(**state)
        )
    return said


def _check(connection: Connection, project: Project, document_pair: str) -> None:
    """The row is locked, so that two who decide at once do it one after the other."""
    one = schema.document_pairs
    found = connection.execute(select(one.c.status).where(one.c.id == document_pair).with_for_update()).first()
    if found is None:
        raise ProjectError(f"{project.folder}: no document pair {document_pair!r}")
    if found.status == WITHDRAWN:
        raise ProjectError(f"{project.folder}: the document pair {document_pair!r} was withdrawn")


def _earlier(connection: Connection, document_pair: str, annotator: str) -> str | None:
    one = schema.judgements
    mine = (one.c.unit == "document_pair", one.c.pair == document_pair, one.c.annotator == annotator)
    found = select(one.c.id).where(*mine, one.c.scheme == SCHEME).order_by(desc(one.c.seq)).limit(1)
    return connection.execute(found).scalar()


def waiting(project: Project, method: str, most: int) -> list[DocumentPair]:
    """The document pairs of a method that nobody has decided about, in their order of arrival."""
    one = schema.document_pairs
    undecided = or_(one.c.status.is_(None), one.c.status == CANDIDATE)
    with project.ledger.reading() as connection:
        return list(islice(records(connection, DocumentPair, one.c.method == method, undecided), most))
