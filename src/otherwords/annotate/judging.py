"""Judging: what annotators say about the units that they hold becomes judgements of the ledger.

Several people's answers go into one transaction: they are looked up, checked and written together, and each gets
its own result, a judgement or the reason why there is none. Nothing is ever changed: who changes their mind sends
another answer that supersedes the first, and who takes one back adds a judgement without a value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from otherwords.annotate.batches import Batch, batch_of_row
from otherwords.annotate.once import id_of
from otherwords.annotate.rewriting import Rewrite, check_rewrites, originals, rewrites, withdraw_rewrites
from otherwords.annotate.scheme import Scheme
from otherwords.errors import Conflict, LabelError, NotAllowed, NotFound, Refused
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.rows import dicts, record_of_row, row_of
from otherwords.records import Judgement

MOST_NOTE = 4000
SchemeOf = Callable[[str], Scheme]
Edition = Callable[[Connection, str, int], bool]  # whether a scheme's guideline has such a version


class Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a page sends when somebody answers."""

    key: str
    slot: int
    value: Any
    unsure: bool = False
    note: str | None = None
    rewrites: list[Rewrite] = []
    context_shown: bool | None = None
    seconds: float | None = None
    guideline: str | None = None
    supersedes: str | None = None


@dataclass(slots=True)
class Writing:
    """What one group of answers adds to the ledger."""

    judgements: list[dict[str, Any]] = field(default_factory=list)
    pairs: list[dict[str, Any]] = field(default_factory=list)
    answered: list[dict[str, Any]] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    done: dict[tuple[str, str], int] = field(default_factory=dict)


def judge(
    connection: Connection, said: Sequence[tuple[str, Said]], scheme_of: SchemeOf, edition: Edition
) -> list[Judgement | Refused]:
    """Put down the answers of annotators, each with the result at its own place."""
    ids = [id_of("j", annotator, one.key) for annotator, one in said]
    slots = slots_of(connection, [one.slot for _, one in said])
    earlier = judgements_by_id(connection, ids)  # after the locks: another process may be saving the same answer
    rewritten = originals(
        connection, [slots[one.slot]["item"] for _, one in said if one.rewrites and one.slot in slots]
    )
    schemes: dict[str, Scheme] = {}
    writing, moment = Writing(), time.time()
    results: list[Judgement | Refused] = []
    for name, (annotator, one) in zip(ids, said, strict=True):
        try:
            if name in earlier:
                results.append(_again(earlier[name], one, scheme_of))
                continue
            slot = _checked_slot(slots.get(one.slot), annotator, one, moment)
            scheme = schemes.get(slot["scheme"]) or schemes.setdefault(slot["scheme"], scheme_of(slot["scheme"]))
            _check_guideline(one.guideline, scheme, edition, connection)
            made = _judgement(name, annotator, one, slot, scheme)
            check_rewrites(scheme, made.value, one.rewrites, rewritten.get(made.pair))
            _put(writing, made, slot)
            for pair, judgement in rewrites(made, scheme, rewritten):
                writing.pairs.append(row_of(pair, import_id=None, step=None, step_key=None, state=None))
                writing.judgements.append(row_of(judgement))
            earlier[name] = made
            results.append(made)
        except LabelError as problem:
            results.append(Refused(str(problem)))
        except Refused as problem:
            results.append(problem)
    _write(connection, writing)
    return results


# Built once: they run with every group.
_said, _slot, _of = schema.judgements, schema.slots, schema.batches
_BY_ID = select(_said).where(_said.c.id.in_(bindparam("ids", expanding=True)))
_OF_BATCH = ("unit", "scheme", "purpose", "asked", "rules", "state", "author", "time")
_WITH_BATCH: list[Any] = [*_slot.columns, *(_of.c[name] for name in _OF_BATCH)]
_SLOTS = select(*_WITH_BATCH).join_from(_slot, _of, _of.c.id == _slot.c.batch)
_SLOTS = _SLOTS.where(_slot.c.seq.in_(bindparam("slots", expanding=True))).with_for_update(of=_slot)


def judgements_by_id(connection: Connection, ids: list[str]) -> dict[str, Judgement]:
    """Those of these judgements that there are."""
    rows = dicts(connection.execute(_BY_ID, {"ids": ids}))
    return {row["id"]: record_of_row(Judgement, row) for row in rows}


def slots_of(connection: Connection, wanted: list[int]) -> dict[int, dict[str, Any]]:
    """Slots with what their batches say, locked until the transaction ends."""
    known = [slot for slot in wanted if 0 <= slot < 2**63]
    return {row["seq"]: row for row in dicts(connection.execute(_SLOTS, {"slots": known}))}


def _again(stored: Judgement, said: Said, scheme_of: SchemeOf) -> Judgement:
    """The same thing sent twice; another thing under the same key is a mistake of the page."""
    value = scheme_of(stored.scheme or "").normalise(said.value)
    told = (stored.value, stored.unsure, stored.note, stored.rewrites, stored.meta.get("slot"))
    if told != (value, said.unsure, said.note or None, [(one.text1, one.text2) for one in said.rewrites], said.slot):
        raise Conflict("another answer was saved under this key; reload the page")
    return stored


def _checked_slot(slot: dict[str, Any] | None, annotator: str, said: Said, moment: float) -> dict[str, Any]:
    if slot is None:
        raise NotFound("there is no such reservation; the pair was taken out of the batch")
    if slot["holder"] != annotator:
        raise NotAllowed("this pair is not reserved for you; load the next one")
    if slot["state"] != "open":
        raise Conflict(f"the batch {slot['batch']!r} was closed")
    if slot["judgement"] != said.supersedes:
        raise Conflict("this pair was judged in another window; load it again to change the judgement")
    if said.supersedes is not None and not slot["rules"].get("undo", True):
        raise NotAllowed("answers of this batch are final")
    if slot["judgement"] is None and (slot["until"] or 0) < moment:
        raise Conflict("the reservation of this pair has run out; reserve it again")
    return slot


def _judgement(name: str, annotator: str, said: Said, slot: dict[str, Any], scheme: Scheme) -> Judgement:
    """The judgement that an answer makes, if the scheme and the batch allow it."""
    of: Batch = batch_of_row(slot | {"id": slot["batch"]})
    value = scheme.normalise(said.value)
    if said.note is not None and len(said.note) > MOST_NOTE:
        raise Refused(f"a note has at most {MOST_NOTE:,} characters, this one {len(said.note):,}")
    if said.seconds is not None and not 0 <= said.seconds < 1e6:
        raise Refused(f"{said.seconds} is not a number of seconds")
    if said.context_shown and not of.rules.context:
        raise Refused("the documents are not shown in this batch")
    return Judgement(
        id=name,
        unit=of.unit,
        pair=slot["item"],
        annotator=annotator,
        scheme=of.scheme,
        batch=of.id,
        purpose=of.purpose,
        value=value,
        unsure=said.unsure,
        note=said.note or None,
        rewrites=[(one.text1, one.text2) for one in said.rewrites],
        context_shown=said.context_shown,
        seconds=said.seconds,
        time=now(),
        guideline=said.guideline,
        supersedes=said.supersedes,
        meta={"slot": said.slot},
    )


def _check_guideline(told: str | None, scheme: Scheme, edition: Edition, connection: Connection) -> None:
    """A judgement names the version that the page showed: it has to be one that there is."""
    if told is None:
        return
    name, _, version = told.rpartition("@")
    if name != scheme.name or not version.isdecimal() or not edition(connection, name, int(version)):
        raise Refused(f"there is no guideline {told!r}; load the page again")


def _put(writing: Writing, made: Judgement, slot: dict[str, Any]) -> None:
    writing.judgements.append(row_of(made))
    if made.supersedes is None:
        who = (made.batch or "", made.annotator or "")
        writing.done[who] = writing.done.get(who, 0) + 1
    else:
        writing.withdrawn.append(made.supersedes)
    slot["judgement"] = made.id  # so that a second answer in the same group finds it taken
    writing.answered.append({"slot_seq": slot["seq"], "slot_judgement": made.id})


_ANSWER = update(_slot).where(_slot.c.seq == bindparam("slot_seq"))
_ANSWER = _ANSWER.values(judgement=bindparam("slot_judgement"))
COUNT = update(schema.takers).where(
    schema.takers.c.batch == bindparam("of_batch"), schema.takers.c.annotator == bindparam("of_annotator")
)
COUNT = COUNT.values(done=schema.takers.c.done + bindparam("more"))


_INSERT = insert(_said)


def _write(connection: Connection, writing: Writing) -> None:
    if not writing.judgements:
        return
    withdraw_rewrites(connection, writing.withdrawn)
    if writing.pairs:
        connection.execute(insert(schema.pairs), writing.pairs)
    connection.execute(_INSERT, writing.judgements)
    connection.execute(_ANSWER, writing.answered)
    counts = [{"of_batch": name, "of_annotator": who, "more": more} for (name, who), more in writing.done.items()]
    if counts:
        connection.execute(COUNT, counts)
