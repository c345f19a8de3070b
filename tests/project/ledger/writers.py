"""A writer that notices when two write at once."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from otherwords.project import open_project
from otherwords.project.ledger import schema

WRITES = 40


def write_many(folder: str, name: str) -> None:
    """Read a number and write the next one: two at once would write the same number."""
    events = schema.events
    with open_project(folder) as project:
        for _ in range(WRITES):
            with project.ledger.writing() as connection:
                count = connection.execute(select(func.count()).select_from(events)).scalar()
                connection.execute(insert(events).values(time=f"{count}", actor=name, action="write", detail={}))
