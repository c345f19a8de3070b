"""How the documents of a project were paired and what was taken from them, counted from the ledger.

A project has one row for each method of alignment: its latest run of every round, and the state of its document pairs.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, func, select

from otherwords.project.document_pairs import SUPERSEDED
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT

PREFIX = "align-"  # of the kinds of steps that pair documents
_steps, _table, _pairs = schema.steps, schema.document_pairs, schema.pairs


class AlignmentCounts(msgspec.Struct, frozen=True):
    """A method that paired documents: its band of similarities, and how many of what came out of it."""

    method: str
    low: float | None = None
    high: float | None = None
    rounds: int = 1
    documents: int = 0  # that were compared
    document_pairs: int = 0
    rejected: int = 0  # by people who looked at them first
    finished: int = 0  # that people extracted pairs from
    empty: int = 0  # in which people found nothing
    pairs: int = 0  # that were taken from them, by people or by the method itself


def alignment_counts(connection: Connection) -> list[AlignmentCounts]:
    """All methods in the order in which they were first run."""
    newest = select(func.max(_steps.c.seq)).where(_steps.c.state == "done", _steps.c.kind.startswith(PREFIX))
    runs = connection.execute(
        select(_steps).where(_steps.c.seq.in_(newest.group_by(_steps.c.name))).order_by(_steps.c.seq)
    ).all()
    states = _states(connection)
    counts: dict[str, AlignmentCounts] = {}
    for run in runs:
        method, band = run.kind.removeprefix(PREFIX), run.parameters
        before = counts.get(method, AlignmentCounts(method, band.get("low"), band.get("high"), rounds=0))
        counts[method] = msgspec.structs.replace(
            before,
            rounds=max(before.rounds, int(band.get("round", 1))),
            documents=max(before.documents, run.rows_in or 0),
            pairs=before.pairs + _made_pairs(connection, run.name),
        )
    extracted = _extracted(connection)
    return [
        msgspec.structs.replace(
            row,
            document_pairs=sum(states.get(row.method, {}).values()),
            **{name: states.get(row.method, {}).get(name, 0) for name in ("rejected", "finished", "empty")},
            pairs=row.pairs + extracted.get(row.method, 0),
        )
        for row in counts.values()
    ]


def _states(connection: Connection) -> dict[str, dict[str, int]]:
    """The number of document pairs by method and status."""
    keys, states = (_table.c.method, _table.c.status), dict[str, dict[str, int]]()
    used = _table.c.status.is_distinct_from(SUPERSEDED)
    for method, status, count in connection.execute(select(*keys, func.count()).where(used).group_by(*keys)):
        states.setdefault(method or "", {})[status or ""] = count
    return states


def _made_pairs(connection: Connection, step: str) -> int:
    """The pairs that a step made without people, such as those of headings."""
    made = select(func.count()).select_from(_pairs).where(_pairs.c.step == step, PRESENT)
    return int(connection.execute(made).scalar_one())


def _extracted(connection: Connection) -> dict[str, int]:
    """The number of pairs that people extracted, by the method that paired their documents."""
    origin = _pairs.c.meta["document_pair"].as_string()
    joined = select(_table.c.method, func.count()).join_from(_pairs, _table, _table.c.id == origin)
    rows = connection.execute(joined.where(PRESENT).group_by(_table.c.method))
    return {row[0] or "": row[1] for row in rows}
