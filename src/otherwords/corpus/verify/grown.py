"""Whether a version of a growing set can be traced, and whether it has anything in common with a test by now.

A test that was released after the version counts as well: whoever trains on the version must not be tested with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, select

from otherwords.corpus.release.earlier_tests import earlier_tests, overlap_with_tests
from otherwords.corpus.release.model import GrowthFacts
from otherwords.corpus.release.pairs import read_blocks
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, in_blocks, record_of_row
from otherwords.project.project import open_project
from otherwords.records import Pair

EXAMPLES = 5


def grown_problems(folder: Path, pairs: Path, growth: GrowthFacts) -> Iterator[str]:
    """The pairs that the project does not have, and those that share something with one of its tests."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        members: list[Pair] = []
        for block in read_blocks(pairs, Pair):
            known = present_pairs(connection, [pair.id for pair in block])
            for pair in block:
                row = known.get(pair.id)
                if row is None:
                    yield f"pair {pair.id} is not in the project"
                elif (row.text1, row.text2) != (pair.text1, pair.text2):
                    yield f"pair {pair.id} has other texts in the project"
                else:
                    members.append(row)
        tests = {version: tested for version, tested in earlier_tests(connection).items() if tested}
        for version, overlap in overlap_with_tests(connection, members, tests, growth.near).items():
            if rows := np.flatnonzero(overlap.any).tolist():
                kinds = ", ".join(f"{kind} {count:,}" for kind, count in overlap.counts().items() if count)
                named = ", ".join(members[row].id for row in rows[:EXAMPLES])
                yield f"{len(rows):,} pairs share something with the test of {version} ({kinds}), such as {named}"


def present_pairs(connection: Connection, ids: list[str]) -> dict[str, Pair]:
    """The pairs of the ledger with these ids; without those that were removed or withdrawn."""
    pairs = schema.pairs
    statement = select(pairs).where(PRESENT, pairs.c.text1 != "", pairs.c.text2 != "")
    return {
        row["id"]: record_of_row(Pair, dict(row))
        for block in in_blocks(ids)
        for row in connection.execute(statement.where(pairs.c.id.in_(block))).mappings()
    }
