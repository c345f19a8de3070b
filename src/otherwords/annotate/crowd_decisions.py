"""What curators decide about the work of somebody: stop it, let it go on, keep what is there, or void it.

Void work stays in the ledger, superseded by judgements without a value that name the decision; its slots are free
again, for others. That can be taken back, as far as nobody has judged these pairs anew since. Every decision is a
line of the audit trail, and one that is sent twice counts once.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, or_, select, update

from otherwords.annotate.batches import batch
from otherwords.annotate.crowd_events import KEPT, PAUSED, RESUMED, UNVOIDED, VOIDED, decided_before, note
from otherwords.annotate.gating import newest, set_state
from otherwords.annotate.hidden_tests import PURPOSE
from otherwords.annotate.judging import COUNT
from otherwords.annotate.once import id_of
from otherwords.annotate.rewriting import withdraw_rewrites
from otherwords.annotate.standing import stands
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.rows import records, row_of
from otherwords.records import Judgement

MOST_REASON = 1000
ROWS_A_STATEMENT = 500
DECISIONS = (PAUSED, RESUMED, KEPT, VOIDED, UNVOIDED)
_said, _slot, _taker, _pair = schema.judgements, schema.slots, schema.takers, schema.pairs
_BARE: dict[str, Any] = {"value": None, "unsure": False, "note": None, "rewrites": [], "seconds": None}


def decide(
    connection: Connection, name: str, worker: str, decision: str, actor: str | None, key: str, reason: str = ""
) -> dict[str, Any]:
    """Decide about somebody's work on a batch; what the audit trail has of it."""
    if decision not in DECISIONS:
        raise Refused(f"{decision!r} is no decision; those are {', '.join(DECISIONS)}")
    if len(reason) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, this one {len(reason):,}")
    ours = id_of("d", actor or "", key)
    about = {"batch": name, "worker": worker, "decision": decision}
    taker = _locked(connection, name, worker)  # before looking: another process may be making the same decision
    if (before := decided_before(connection, ours)) is not None:
        if {part: before.get(part) for part in about} != about:
            raise Conflict("another decision was made under this key; load the page again")
        return before
    told = {"id": ours, "decision": decision, **({"reason": reason} if reason else {})}
    return note(
        connection, actor, decision, name, worker, **told, **_done(connection, name, worker, decision, ours, taker)
    )


def _done(connection: Connection, name: str, worker: str, decision: str, ours: str, taker: Any) -> dict[str, Any]:
    """Do what was decided; what else is to be written down of it."""
    if decision == KEPT:
        return {"judgements": taker.done - taker.tests}
    if decision in (PAUSED, RESUMED):
        state = "paused" if decision == PAUSED else "active"
        if taker.state == state:
            raise Conflict(f"the work of {worker} on {name!r} is {state} already")
        set_state(connection, name, worker, state)
        return {"after": newest(connection)}
    return _void(connection, name, worker, ours) if decision == VOIDED else _unvoid(connection, name, worker)


def _locked(connection: Connection, name: str, worker: str) -> Any:
    batch(connection, name)
    mine = (_taker.c.batch == name, _taker.c.annotator == worker)
    found = connection.execute(select(_taker).where(*mine).with_for_update()).first()
    if found is None:
        raise NotFound(f"{worker!r} has not worked on {name!r}")
    return found


def _void(connection: Connection, name: str, worker: str, ours: str) -> dict[str, Any]:
    """Void all that somebody said in a batch but their answers to tests; their slots are free for others."""
    about = (_said.c.annotator == worker, _said.c.batch == name, _said.c.purpose != PURPOSE, stands())
    voided = list(records(connection, Judgement, *about, _said.c.kind == "individual"))
    if not voided:
        raise Conflict(f"nothing of {worker} stands in {name!r}; there is nothing to void")
    rows = [row_of(_replaced(one, f"void:{ours}:{one.id}", {"void": ours}, _BARE)) for one in voided]
    _insert(connection, rows)
    ids = [one.id for one in voided]
    freed = 0
    for start in range(0, len(ids), ROWS_A_STATEMENT):
        block = ids[start : start + ROWS_A_STATEMENT]
        withdraw_rewrites(connection, block)
        mine = (_slot.c.batch == name, _slot.c.judgement.in_(block))
        free = update(_slot).where(*mine).values(judgement=None, holder=None, until=None)
        freed += connection.execute(free).rowcount
    connection.execute(COUNT, [{"of_batch": name, "of_annotator": worker, "more": -freed}])
    return {"judgements": len(voided)}


def _unvoid(connection: Connection, name: str, worker: str) -> dict[str, Any]:
    """Let what was voided stand again, where nobody else has judged or holds the pair by now."""
    about = (_said.c.annotator == worker, _said.c.batch == name, _said.c.meta["void"].as_string().is_not(None))
    later = schema.judgements.alias()
    last = ~select(later.c.seq).where(later.c.supersedes == _said.c.id).exists()
    voids = list(records(connection, Judgement, *about, last))
    if not voids:
        raise Conflict(f"nothing of {worker} is void in {name!r}")
    earlier = {one.id: one for one in _by_ids(connection, [one.supersedes or "" for one in voids])}
    whole = [(void, earlier[void.supersedes or ""]) for void in voids]
    answers = [(void, said) for void, said in whole if "slot" in said.meta]
    again = {said.id: _again(void, said) for void, said in answers if _taken_again(connection, worker, void, said)}
    rewrites = _rewrites_again(connection, [one for one in whole if one not in answers], again, earlier)
    _insert(connection, [row_of(one) for one in (*again.values(), *rewrites)])
    connection.execute(COUNT, [{"of_batch": name, "of_annotator": worker, "more": len(again)}])
    return {"judgements": len(again) + len(rewrites), "redone": len(answers) - len(again)}


def _again(void: Judgement, said: Judgement) -> Judgement:
    """What was said, in the place of its void."""
    again = _replaced(void, f"unvoid:{void.id}", {}, {part: getattr(said, part) for part in _BARE})
    return msgspec.structs.replace(again, meta=said.meta | {"unvoid": void.id})


def _taken_again(connection: Connection, worker: str, void: Judgement, said: Judgement) -> bool:
    """Whether the slot of an answer was free, and has it again."""
    nobody = or_(_slot.c.holder.is_(None), _slot.c.until < time.time())
    free = (_slot.c.seq == said.meta["slot"], _slot.c.judgement.is_(None), nobody)
    answered = {"judgement": _again(void, said).id, "holder": worker, "until": None}
    return bool(connection.execute(update(_slot).where(*free).values(**answered)).rowcount)


def _rewrites_again(
    connection: Connection,
    voids: Sequence[tuple[Judgement, Judgement]],
    again: Mapping[str, Judgement],
    earlier: Mapping[str, Judgement],
) -> list[Judgement]:
    """What somebody said of their own rewrites; a rewrite is there again if the answer is that it was given with."""
    told = []
    for void, said in voids:
        meta = connection.execute(select(_pair.c.meta).where(_pair.c.id == said.pair)).scalar_one()
        if (answer := again.get(meta["judgement"])) is not None:
            back = {"state": None, "meta": meta | {"judgement": answer.id}}
            connection.execute(update(_pair).where(_pair.c.id == said.pair).values(**back))
        if answer is not None or meta["judgement"] not in earlier:  # that of a test was not void
            told.append(_again(void, said))
    return told


def _replaced(one: Judgement, key: str, noted: dict[str, Any], said: dict[str, Any]) -> Judgement:
    """A judgement in the place of another, by the same person."""
    name = id_of("j", one.annotator or "", key)
    kept = {part: one.meta[part] for part in ("slot",) if part in one.meta}
    return msgspec.structs.replace(one, id=name, supersedes=one.id, time=now(), meta=kept | noted, **said)


def _by_ids(connection: Connection, ids: list[str]) -> list[Judgement]:
    found: list[Judgement] = []
    for start in range(0, len(ids), ROWS_A_STATEMENT):
        found += records(connection, Judgement, _said.c.id.in_(ids[start : start + ROWS_A_STATEMENT]))
    return found


def _insert(connection: Connection, rows: list[dict[str, Any]]) -> None:
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        connection.execute(insert(_said), rows[start : start + ROWS_A_STATEMENT])
