"""Gating: the answers that somebody gave in a batch, weighed after each of them, and the pause that may follow.

Only a few rows are read each time: the last answers of one person, and what others said of the same pairs. Somebody
whom a curator let go on is weighed by their answers from there on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, desc, func, select, update

from otherwords.annotate.batches.batch import Batch, Gate
from otherwords.annotate.batches.slots import remember_holders
from otherwords.annotate.crowd.events import PAUSED, record, resumed_after
from otherwords.annotate.crowd.gate import SharedAnswer, gate_figures, majority, may_fall_short, shortfalls
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE, release_tasks
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project.ledger import schema

WINDOWS_READ = 4  # times the window, to find enough pairs that others judged too
_judgements, _takers, _slots = schema.judgements, schema.takers, schema.slots


def apply_gate(connection: Connection, batch: Batch, annotator: str, scheme: Scheme) -> list[str]:
    """Weigh somebody's answers, and pause them if they are not good enough; returns the reasons, if any."""
    gate = batch.rules.gate
    if gate is None or not may_fall_short(gate, *_last_answers(connection, batch, gate, annotator, scheme, 0)):
        return []
    since = resumed_after(connection, batch.id, annotator)
    measured = gate_figures(gate, *_last_answers(connection, batch, gate, annotator, scheme, since))
    reasons = shortfalls(gate, measured)
    if reasons:
        set_worker_state(connection, batch.id, annotator, "paused")
        detail = {"reasons": reasons, "figures": msgspec.to_builtins(measured)}
        record(connection, None, PAUSED, batch.id, annotator, **detail)
    return reasons


def set_worker_state(connection: Connection, batch: str, annotator: str, state: str) -> None:
    """Pause somebody, or let them go on; what a paused person holds goes to others, or comes later if it is a test."""
    own = (_takers.c.batch == batch, _takers.c.annotator == annotator)
    connection.execute(update(_takers).where(*own).values(state=state))
    if state == "paused":
        held = (_slots.c.holder == annotator, _slots.c.batch == batch, _slots.c.judgement.is_(None))
        slots = connection.execute(select(_slots).where(*held).with_for_update()).all()
        remember_holders(connection, slots)
        release_tasks(connection, batch, annotator, slots)


def newest(connection: Connection) -> int:
    """The number of the newest judgement."""
    return connection.execute(select(func.max(_judgements.c.seq))).scalar() or 0


def _last_answers(
    connection: Connection, batch: Batch, gate: Gate, annotator: str, scheme: Scheme, since: int
) -> tuple[list[bool], list[SharedAnswer]]:
    """The last answers of somebody after a judgement: which tests were right, and shared answers."""
    purpose, later = _judgements.c.purpose, _judgements.c.seq > since
    tests = _last_rows(connection, batch.id, annotator, gate.window, purpose == TEST_PURPOSE, later)
    right = [bool(row.meta["test"]["right"]) for row in tests]
    own = _last_rows(connection, batch.id, annotator, WINDOWS_READ * gate.window, purpose != TEST_PURPOSE, later)
    others = _answers_of_others(connection, batch.id, annotator, [row.pair for row in own], scheme)
    shared = [(_comparable(scheme, row.value), majority(others[row.pair])) for row in own]
    return right, [(answer, most) for answer, most in shared if most is not None][-gate.window :]


def _comparable(scheme: Scheme, value: Any) -> Hashable:
    """An answer as it is compared: yes, no or neither if the scheme has these, else exactly."""
    if scheme.positive:
        return str(scheme.positive_of(value))
    return msgspec.json.encode(value, order="sorted")


def _last_rows(
    connection: Connection, batch: str, annotator: str, most: int, *conditions: ColumnElement[bool]
) -> list[Row[Any]]:
    """The last current answers of somebody, the latest last."""
    columns = _judgements.c
    own = (columns.annotator == annotator, columns.batch == batch, columns.kind == "individual", is_current())
    query = select(columns.pair, columns.value, columns.meta).where(*own, *conditions)
    rows = connection.execute(query.order_by(desc(columns.time), desc(columns.seq)).limit(most)).all()
    return list(reversed(rows))


def _answers_of_others(
    connection: Connection, batch: str, annotator: str, pairs: list[str], scheme: Scheme
) -> dict[str, list[Hashable]]:
    answers: dict[str, list[Hashable]] = defaultdict(list)
    if pairs:
        columns = _judgements.c
        about = (columns.pair.in_(pairs), columns.batch == batch, columns.annotator != annotator)
        usable = (columns.kind == "individual", columns.purpose != TEST_PURPOSE, is_current())
        for row in connection.execute(select(columns.pair, columns.value).where(*about, *usable)):
            answers[row.pair].append(_comparable(scheme, row.value))
    return answers
