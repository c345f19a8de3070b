"""The gold labels of a project: what is known to be right about some of its pairs."""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT


def gold_labels(connection: Connection) -> dict[str, str]:
    """The gold label of every pair that has one; it is not for the eyes of annotators, nor for release."""
    pairs = schema.pairs.c
    rows = connection.execute(select(pairs.id, pairs.gold).where(pairs.gold.is_not(None), PRESENT))
    return {row.id: str(row.gold["label"]) for row in rows if row.gold}
