"""What curators decide about somebody's work on a batch: pause it, resume it, keep what is there, or void it.

Voided work stays in the ledger, superseded by judgements without a value that name the decision; its slots are free
again, for others. Voiding can be reversed for the pairs that nobody has judged anew since. Every decision is a line of
the audit trail, and one that is sent twice counts once.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, or_, select, update

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.batches.slots import count_done, lock_taker
from otherwords.annotate.crowd.events import KEPT, PAUSED, PREFIX, RESUMED, UNVOIDED, VOIDED, record
from otherwords.annotate.crowd.gate_watch import newest, set_worker_state
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE
from otherwords.annotate.current_judgements import EMPTY, is_current, is_superseded
from otherwords.annotate.rewrites import withdraw_rewrites
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks, read_records, row_of
from otherwords.project.project import now
from otherwords.records import Judgement

MOST_REASON = 1000
DECISIONS = (PAUSED, RESUMED, KEPT, VOIDED, UNVOIDED)
_judgements, _slots, _pairs, _events = schema.judgements, schema.slots, schema.pairs, schema.events


def decide_on_worker(
    connection: Connection, name: str, worker: str, decision: str, actor: str | None, key: str, reason: str = ""
) -> dict[str, Any]:
    """Decide about somebody's work on a batch; returns what the audit trail says of it."""
    if decision not in DECISIONS:
        raise Refused(f"{decision!r} is not one of {', '.join(DECISIONS)}", code="no-such-decision")
    if len(reason) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, not {len(reason):,}", code="text-too-long")
    event = keyed_id("d", actor or "", key)
    about = {"batch": name, "worker": worker, "decision": decision}
    load_batch(connection, name)
    taker = lock_taker(connection, name, worker)  # before looking: another process may be making the same decision
    if taker is None:
        raise NotFound(f"{worker!r} has not worked on {name!r}", code="no-such-worker")
    same = (_events.c.action.startswith(PREFIX), _events.c.detail["id"].as_string() == event)
    before: dict[str, Any] | None = connection.execute(select(_events.c.detail).where(*same)).scalar()
    if before is not None:
        if {part: before.get(part) for part in about} != about:
            raise Conflict("another decision was made under this key; load the page again", code="key-reused")
        return before
    fields = {"id": event, "decision": decision, **({"reason": reason} if reason else {})}
    effect = _carry_out(connection, name, worker, decision, event, taker)
    return record(connection, actor, decision, name, worker, **fields, **effect)


def _carry_out(
    connection: Connection, name: str, worker: str, decision: str, event: str, taker: Row[Any]
) -> dict[str, int]:
    """Do what was decided; returns what else the audit trail should say."""
    if decision == KEPT:
        return {"judgements": taker.done - taker.tests}
    if decision in (PAUSED, RESUMED):
        state = "paused" if decision == PAUSED else "active"
        if taker.state == state:
            raise Conflict(f"the work of {worker} on {name!r} is {state} already", code="state-unchanged")
        set_worker_state(connection, name, worker, state)
        return {"after": newest(connection)}
    return _void(connection, name, worker, event) if decision == VOIDED else _unvoid(connection, name, worker)


def _void(connection: Connection, name: str, worker: str, event: str) -> dict[str, int]:
    """Void all judgements of somebody in a batch except their answers to tests; their slots are free for others."""
    own = (_judgements.c.annotator == worker, _judgements.c.batch == name, is_current())
    ordinary = (_judgements.c.purpose != TEST_PURPOSE, _judgements.c.kind == "individual")
    voided = list(read_records(connection, Judgement, *own, *ordinary))
    if not voided:
        raise Conflict(f"{worker} has no judgements in {name!r} that can be voided", code="nothing-to-void")
    _insert(connection, [_replace(old, f"void:{event}:{old.id}", {"void": event}, EMPTY) for old in voided])
    freed = 0
    for block in in_blocks(judgement.id for judgement in voided):
        withdraw_rewrites(connection, block)
        answered = (_slots.c.batch == name, _slots.c.judgement.in_(block))
        free = update(_slots).where(*answered).values(judgement=None, holder=None, until=None)
        freed += connection.execute(free).rowcount
    count_done(connection, {(name, worker): -freed})
    return {"judgements": len(voided)}


def _unvoid(connection: Connection, name: str, worker: str) -> dict[str, int]:
    """Restore what was voided, if nobody else has judged or holds the pair by now."""
    is_void = _judgements.c.meta["void"].as_string().is_not(None)
    own = (_judgements.c.annotator == worker, _judgements.c.batch == name, is_void, ~is_superseded())
    voids = list(read_records(connection, Judgement, *own))
    if not voids:
        raise Conflict(f"nothing of {worker} is void in {name!r}", code="nothing-to-restore")
    originals: dict[str, Judgement] = {}
    for block in in_blocks(void.supersedes or "" for void in voids):
        originals |= {old.id: old for old in read_records(connection, Judgement, _judgements.c.id.in_(block))}
    both = [(void, originals[void.supersedes or ""]) for void in voids]
    answers = [(void, old) for void, old in both if "slot" in old.meta]
    restored: dict[str, Judgement] = {}
    unheld = or_(_slots.c.holder.is_(None), _slots.c.until < time.time())
    for void, old in answers:  # an answer gets its slot back, if that is free
        back = _restored(void, old)
        free = (_slots.c.seq == old.meta["slot"], _slots.c.judgement.is_(None), unheld)
        retake = update(_slots).where(*free).values(judgement=back.id, holder=worker, until=None)
        if connection.execute(retake).rowcount:
            restored[old.id] = back
    of_rewrites = [pair for pair in both if pair not in answers]
    rewrites = _restore_rewrites(connection, of_rewrites, restored, originals)
    _insert(connection, [*restored.values(), *rewrites])
    count_done(connection, {(name, worker): len(restored)})
    return {"judgements": len(restored) + len(rewrites), "redone": len(answers) - len(restored)}


def _restored(void: Judgement, old: Judgement) -> Judgement:
    """A voided judgement with its old content, in the place of its void."""
    restored = _replace(void, f"unvoid:{void.id}", {}, {part: getattr(old, part) for part in EMPTY})
    return msgspec.structs.replace(restored, meta=old.meta | {"unvoid": void.id})


def _restore_rewrites(
    connection: Connection,
    voids: Sequence[tuple[Judgement, Judgement]],
    restored: Mapping[str, Judgement],
    originals: Mapping[str, Judgement],
) -> list[Judgement]:
    """Somebody's judgements of their own rewrites; a rewrite is back if the answer that it came with is."""
    judgements = []
    for void, old in voids:
        meta = connection.execute(select(_pairs.c.meta).where(_pairs.c.id == old.pair)).scalar_one()
        if (answer := restored.get(meta["judgement"])) is not None:
            back = {"state": None, "meta": meta | {"judgement": answer.id}}
            connection.execute(update(_pairs).where(_pairs.c.id == old.pair).values(**back))
        if answer is not None or meta["judgement"] not in originals:  # an answer to a test was not voided
            judgements.append(_restored(void, old))
    return judgements


def _replace(old: Judgement, key: str, meta: dict[str, str], content: Mapping[str, object]) -> Judgement:
    """A judgement by the same person that supersedes another."""
    name = keyed_id("j", old.annotator or "", key)
    kept = {"slot": old.meta["slot"]} if "slot" in old.meta else {}
    return msgspec.structs.replace(old, id=name, supersedes=old.id, time=now(), meta=kept | meta, **content)


def _insert(connection: Connection, judgements: Sequence[Judgement]) -> None:
    for block in in_blocks(judgements):
        connection.execute(insert(_judgements), [row_of(judgement) for judgement in block])
