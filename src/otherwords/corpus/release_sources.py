"""The documents that the pairs of a release were taken from, by source and licence, for its card."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, select

from otherwords.corpus.release_places import Places
from otherwords.project import schema
from otherwords.project.rows import ROWS_AT_A_TIME

NOT_TOLD = "(not told)"


def source_licences(connection: Connection, documents: Places) -> dict[str, dict[str, int]]:
    """How many documents of each source are under which licence."""
    one = schema.documents
    found: Counter[tuple[str, str]] = Counter()
    if len(documents):
        statement = select(one.c.id, one.c.source, one.c.licence).execution_options(yield_per=ROWS_AT_A_TIME)
        with connection.execute(statement) as rows:
            for block in rows.partitions():
                for row, part in zip(block, documents.of(row.id for row in block), strict=True):
                    if part is not None:
                        found[row.source or NOT_TOLD, row.licence or NOT_TOLD] += 1
    told: dict[str, dict[str, int]] = {}
    for (source, licence), count in sorted(found.items()):
        told.setdefault(source, {})[licence] = count
    return told
