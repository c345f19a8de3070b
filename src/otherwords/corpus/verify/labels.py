"""Whether each released pair can be traced: it is in the project, and its label follows from its judgements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.corpus.release.metadata_files import ReleaseFacts
from otherwords.corpus.release.model import WHOLE
from otherwords.corpus.release.pairs import part_of, read_blocks
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.project import open_project
from otherwords.records import Pair

LedgerRow = Row[Any, Any, Any, Any, Any]  # id, text1, text2, and the pair and the part of a release


def label_problems(folder: Path, pairs: Path, facts: ReleaseFacts) -> Iterator[str]:
    """The problems of all pairs. Pairs and labels are both in the order of the ledger, so one reading is enough."""
    releases = schema.releases
    with open_project(folder) as project:
        table = labels_table(project, simulated=facts.simulated, scheme=facts.scheme)
        with project.ledger.reading() as connection:
            of_version = select(releases.c.version).where(releases.c.version == facts.version)
            if connection.execute(of_version).first() is None:
                yield f"the project has no release {facts.version}"
            labels = read_table(table)
            for block in read_blocks(pairs, Pair):
                rows = _ledger_rows(connection, block, facts.version)
                for pair in block:
                    yield from _trace_problems(pair, rows.get(pair.id), facts.version)
                    if pair.id in rows:
                        yield from _label_problems(pair, labels, facts.view)


def _ledger_rows(connection: Connection, block: list[Pair], version: str) -> dict[str, LedgerRow]:
    """The pairs of the ledger, each with the part in which it was released."""
    pairs, released = schema.pairs, schema.released_pairs
    of_version = (released.c.pair == pairs.c.id) & (released.c.version == version)
    columns = (pairs.c.id, pairs.c.text1, pairs.c.text2, released.c.pair, released.c.part)
    statement = select(*columns).select_from(pairs.outerjoin(released, of_version))
    return {
        row.id: row
        for ids in in_blocks(pair.id for pair in block)
        for row in connection.execute(statement.where(pairs.c.id.in_(ids)))
    }


def _trace_problems(pair: Pair, row: LedgerRow | None, version: str) -> Iterator[str]:
    """Whether the ledger has the pair, and has released it in this part."""
    if row is None:
        yield f"pair {pair.id} is not in the project"
    elif (row.text1, row.text2) != (pair.text1, pair.text2):
        yield f"pair {pair.id} has other texts in the project"
    elif row.pair is None:
        yield f"pair {pair.id} was not released in {version}, according to the project"
    elif (row.part or WHOLE) != part_of(pair):
        yield f"pair {pair.id} is in {part_of(pair)}; the project has released it in {row.part or WHOLE}"


def _label_problems(pair: Pair, labels: Iterator[LabelledPair], view: str | None) -> Iterator[str]:
    """Advance the labels to the pair, and compare."""
    row = next((row for row in labels if row.id == pair.id), None)
    if row is None:
        yield f"pair {pair.id} has no label in the project"
        return
    label = row.label if view is None else row.views.get(view)
    if label != pair.label:
        current = label or row.reason or row.state
        yield f"pair {pair.id} is labelled {pair.label!r}; by now its judgements make it {current}"
