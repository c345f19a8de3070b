"""Which judgements stand: what was said last, and not taken back.

Judgements are never changed. A later row supersedes an earlier one, and a row whose value is null takes one back. All
that counts or compares judgements asks for those that stand, by one condition, so that it means the same everywhere.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, FromClause, Text, cast, select
from sqlalchemy.sql.functions import coalesce

from otherwords.project import schema

NULL = "null"  # how JSON spells it; a string of that name would have quotes


def stands(said: FromClause = schema.judgements) -> ColumnElement[bool]:
    """The condition that a judgement stands; ``said`` is the table of judgements, or an alias of it."""
    return ~superseded(said) & ~taken_back(said)


def superseded(said: FromClause = schema.judgements) -> ColumnElement[bool]:
    """Whether another row takes its place; the index on ``supersedes`` answers that."""
    later = schema.judgements.alias()
    return (
        select(later.c.seq).where(later.c.supersedes == said.c.id, later.c.seq != said.c.seq).correlate(said).exists()
    )


def taken_back(said: FromClause = schema.judgements) -> ColumnElement[bool]:
    """Whether its value is null: as JSON, which is how the ledger writes it, or as SQL."""
    return coalesce(cast(said.c.value, Text), NULL) == NULL
