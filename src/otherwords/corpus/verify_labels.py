"""Whether each released pair can be followed back: it is in the project, and its label follows from what was said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from otherwords.corpus.labelled import Labelled, read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.release_pairs import part_of, read_pairs
from otherwords.corpus.released import WHOLE
from otherwords.project import schema
from otherwords.project.project import opened
from otherwords.records import Pair

IDS_A_QUERY = 500


def label_problems(folder: Path, pairs: Path, told: dict[str, Any]) -> Iterator[str]:
    """What is wrong, pair by pair. Pairs and labels are both in the order of the ledger, so one reading is enough."""
    view = (told.get("parameters") or {}).get("view")
    with opened(folder) as project:
        table = labels_table(project, simulated=bool(told.get("simulated")))
        with project.ledger.reading() as connection:
            yield from _release_problems(connection, told)
            labels = read_table(table)
            for block in read_pairs(pairs):
                found = _found(connection, block, str(told["version"]))
                for pair in block:
                    yield from _trace_problems(pair, found.get(pair.id), str(told["version"]))
                    if pair.id in found:
                        yield from _label_problems(pair, labels, view)


def _release_problems(connection: Connection, told: dict[str, Any]) -> Iterator[str]:
    made = schema.releases
    version = told["version"]
    if connection.execute(select(made.c.version).where(made.c.version == version)).first() is None:
        yield f"the project knows of no release {version}"


def _found(connection: Connection, block: list[Pair], version: str) -> dict[str, Any]:
    """The pairs that the ledger has, each with the part in which it was released."""
    one, released = schema.pairs, schema.released_pairs
    mine = (released.c.pair == one.c.id) & (released.c.version == version)
    columns = (one.c.id, one.c.text1, one.c.text2, released.c.pair, released.c.part)
    statement = select(*columns).select_from(one.outerjoin(released, mine))
    found: dict[str, Any] = {}
    for start in range(0, len(block), IDS_A_QUERY):
        ids = [pair.id for pair in block[start : start + IDS_A_QUERY]]
        found |= {row.id: row for row in connection.execute(statement.where(one.c.id.in_(ids)))}
    return found


def _trace_problems(pair: Pair, row: Any, version: str) -> Iterator[str]:
    """The ledger has the pair, says that it was released, and in which part."""
    if row is None:
        yield f"pair {pair.id} is not in the project"
    elif (row.text1, row.text2) != (pair.text1, pair.text2):
        yield f"pair {pair.id} has other texts in the project"
    elif row.pair is None:
        yield f"pair {pair.id} was not released in {version}, says the project"
    elif (row.part or WHOLE) != part_of(pair):
        yield f"pair {pair.id} is in {part_of(pair)}; the project has released it in {row.part or WHOLE}"


def _label_problems(pair: Pair, labels: Iterator[Labelled], view: str | None) -> Iterator[str]:
    """Go on in the labels to the pair, and compare."""
    row = next((row for row in labels if row.id == pair.id), None)
    if row is None:
        yield f"pair {pair.id} has no label in the project"
        return
    label = row.label if view is None else row.views.get(view)
    if label != pair.label:
        told = label or row.reason or row.state
        yield f"pair {pair.id} is labelled {pair.label!r}; by now its judgements make it {told}"
