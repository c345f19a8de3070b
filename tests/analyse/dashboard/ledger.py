"""Records for tests of the dashboard, written straight into a ledger."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert

from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.records import Record


def put(connection: Connection, record: Record, **columns: Any) -> None:
    """Insert a record; ``columns`` are those that records do not have."""
    connection.execute(insert(TABLES[type(record)]).values(**row_of(record, **columns)))
