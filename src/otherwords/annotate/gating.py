"""Gating: the answers that somebody gave to a batch, weighed after each of them, and the pause that may follow.

Only a few rows are read each time: the last answers of one person, and what others said of the same pairs. Who was
let on again by a curator is weighed from there on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import msgspec
from sqlalchemy import Connection, desc, func, select, update

from otherwords.annotate.batches import Batch, Gate
from otherwords.annotate.crowd_events import PAUSED, RESUMED, last_decision, note
from otherwords.annotate.gate import Figures, figures, majority, may_fall_short, shortfalls
from otherwords.annotate.hidden_tests import PURPOSE, put_last
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.project import schema

LOOKED_AT = 4  # times the window, to find as many pairs that others judged too
_said, _taker, _slot = schema.judgements, schema.takers, schema.slots


def watch(connection: Connection, of: Batch, annotator: str, scheme: Scheme) -> list[str]:
    """Weigh what somebody has said by now, and pause them if it is not good enough: why, or nothing."""
    gate = of.rules.gate
    if gate is None or not may_fall_short(gate, *_answers(connection, of, gate, annotator, scheme)):
        return []
    since = resumed_after(connection, of.id, annotator)
    found = figures_of(connection, of, gate, annotator, scheme, since)
    reasons = shortfalls(gate, found)
    if reasons:
        set_state(connection, of.id, annotator, "paused")
        note(connection, None, PAUSED, of.id, annotator, reasons=reasons, figures=msgspec.to_builtins(found))
    return reasons


def set_state(connection: Connection, batch: str, annotator: str, state: str) -> None:
    """Pause somebody, or let them go on; what a paused person held goes to others, or if it is a test, comes later."""
    mine = (_taker.c.batch == batch, _taker.c.annotator == annotator)
    connection.execute(update(_taker).where(*mine).values(state=state))
    if state == "paused":
        held = (_slot.c.holder == annotator, _slot.c.batch == batch, _slot.c.judgement.is_(None))
        tests = connection.execute(select(_slot.c.seq).where(*held, _slot.c.position < 0).with_for_update()).scalars()
        put_last(connection, batch, annotator, list(tests))
        connection.execute(update(_slot).where(*held).values(holder=None, until=None))


def resumed_after(connection: Connection, batch: str, annotator: str) -> int:
    """The number of the last judgement before somebody was let on again; 0 where that never was."""
    found = last_decision(connection, batch, annotator, RESUMED)
    return int(found["after"]) if found is not None else 0


def newest(connection: Connection) -> int:
    """The number of the newest judgement."""
    return connection.execute(select(func.max(_said.c.seq))).scalar() or 0


def figures_of(
    connection: Connection, of: Batch, gate: Gate, annotator: str, scheme: Scheme, since: int = 0
) -> Figures:
    """How somebody does in a batch, by their answers after a number."""
    return figures(gate, *_answers(connection, of, gate, annotator, scheme, since))


def _answers(
    connection: Connection, of: Batch, gate: Gate, annotator: str, scheme: Scheme, since: int = 0
) -> tuple[list[bool], list[tuple[Hashable, Hashable]]]:
    """The last answers of somebody after a number: which tests were right, and what they and most others said."""
    tests = _last(connection, of.id, annotator, gate.window, _said.c.purpose == PURPOSE, _said.c.seq > since)
    right = [bool(row.meta["test"]["right"]) for row in tests]
    mine = _last(connection, of.id, annotator, LOOKED_AT * gate.window, _said.c.purpose != PURPOSE, _said.c.seq > since)
    others = _others(connection, of.id, annotator, [row.pair for row in mine], scheme)
    shared = [(reading(scheme, row.value), majority(others[row.pair])) for row in mine]
    return right, [(one, two) for one, two in shared if two is not None][-gate.window :]


def reading(scheme: Scheme, value: Any) -> Hashable:
    """An answer as it is compared: yes, no or neither where the scheme has these, else to the letter."""
    if scheme.positive:
        return str(scheme.positive_of(value))
    return msgspec.json.encode(value, order="sorted")


def _last(connection: Connection, batch: str, annotator: str, most: int, *conditions: Any) -> list[Any]:
    """The last standing answers of somebody, the latest last."""
    mine = (_said.c.annotator == annotator, _said.c.batch == batch, _said.c.kind == "individual", stands())
    found = select(_said.c.pair, _said.c.value, _said.c.meta).where(*mine, *conditions)
    rows = connection.execute(found.order_by(desc(_said.c.time), desc(_said.c.seq)).limit(most)).all()
    return list(reversed(rows))


def _others(
    connection: Connection, batch: str, annotator: str, pairs: list[str], scheme: Scheme
) -> dict[str, list[Hashable]]:
    """What others say of some pairs."""
    told: dict[str, list[Hashable]] = defaultdict(list)
    if pairs:
        about = (_said.c.pair.in_(pairs), _said.c.batch == batch, _said.c.annotator != annotator)
        fit = (_said.c.kind == "individual", _said.c.purpose != PURPOSE, stands())
        for row in connection.execute(select(_said.c.pair, _said.c.value).where(*about, *fit)):
            told[row.pair].append(reading(scheme, row.value))
    return told
