"""Which judgements are current: the latest ones, and not taken back.

Judgements are never changed. A later row supersedes an earlier one, and a row whose value is null takes one back.
Everything that counts or compares judgements uses this one condition, so that "current" means the same everywhere.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, FromClause, Text, cast, select
from sqlalchemy.sql.functions import coalesce

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.records import MODEL

NULL = "null"  # as JSON spells it; a string of that name would have quotes
# Content of a judgement that takes another one back.
EMPTY: dict[str, object] = {"value": None, "unsure": False, "note": None, "rewrites": [], "seconds": None}

BY_NO_PERSON = ("simulated", MODEL)  # kinds of judgements that are never a person's


def is_by_people(judgements: FromClause = schema.judgements) -> ColumnElement[bool]:
    """The condition that a judgement is one of a person, of several, or of a team."""
    return judgements.c.kind.not_in(BY_NO_PERSON)


def is_current(judgements: FromClause = schema.judgements) -> ColumnElement[bool]:
    """The condition that a row of the table of judgements, or of an alias of it, is current."""
    return ~is_superseded(judgements) & ~is_taken_back(judgements)


def is_superseded(judgements: FromClause = schema.judgements) -> ColumnElement[bool]:
    """Whether another row takes its place; the index on ``supersedes`` answers that."""
    later = schema.judgements.alias()
    replaces = (later.c.supersedes == judgements.c.id, later.c.seq != judgements.c.seq)
    return select(later.c.seq).where(*replaces).correlate(judgements).exists()


def is_taken_back(judgements: FromClause = schema.judgements) -> ColumnElement[bool]:
    """Whether its value is null: as JSON, which is how the ledger writes it, or as SQL."""
    return coalesce(cast(judgements.c.value, Text), NULL) == NULL


def gold_labels(connection: Connection) -> dict[str, str]:
    """The gold label of every pair that has one; it is not for the eyes of annotators, nor for release."""
    pairs = schema.pairs.c
    rows = connection.execute(select(pairs.id, pairs.gold).where(pairs.gold.is_not(None), PRESENT))
    return {row.id: str(row.gold["label"]) for row in rows if row.gold}
