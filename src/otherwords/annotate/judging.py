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

from otherwords.annotate import hidden_tests
from otherwords.annotate.batches import Batch, batch_of_row
from otherwords.annotate.concealing import Concealing, is_handle
from otherwords.annotate.gating import watch
from otherwords.annotate.marking import asks_types, marked
from otherwords.annotate.once import id_of
from otherwords.annotate.rewriting import Rewrite, check_rewrites, originals, rewrites, withdraw_rewrites
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.seconding import follow, has_second
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
    firsts: list[tuple[dict[str, Any], frozenset[str]]] = field(default_factory=list)  # that a second may follow
    done: dict[tuple[str, str], int] = field(default_factory=dict)
    tests: list[dict[str, Any]] = field(default_factory=list)
    watched: dict[tuple[str, str], tuple[Batch, Scheme]] = field(default_factory=dict)  # who has to pass a gate


def judge(
    connection: Connection,
    said: Sequence[tuple[str, Said]],
    scheme_of: SchemeOf,
    edition: Edition,
    concealing: Concealing | None = None,
) -> list[Judgement | Refused]:
    """Put down the answers of annotators, each with the result at its own place."""
    said, handles = _by_number(said, concealing)
    ids = [id_of("j", annotator, one.key) for annotator, one in said]
    slots = slots_of(connection, [one.slot for _, one in said])
    earlier = judgements_by_id(connection, ids)  # after the locks: another process may be saving the same answer
    schemes = {name: scheme_of(name) for name in {slot["scheme"] for slot in slots.values()}}
    looked_into = [one.slot for _, one in said if one.slot in slots and _needs_texts(one, slots[one.slot], schemes)]
    pairs = originals(connection, [slots[slot]["item"] for slot in looked_into])
    golds = hidden_tests.golds_of(connection, [slot["item"] for slot in slots.values() if slot["position"] < 0])
    writing, moment = Writing(), time.time()
    results: list[Judgement | Refused] = []
    for name, (annotator, one) in zip(ids, said, strict=True):
        try:
            if name in earlier:
                results.append(_again(earlier[name], one, scheme_of))
                continue
            slot = _checked_slot(_as_told(slots.get(one.slot), one.slot in handles), annotator, one, moment)
            scheme = schemes[slot["scheme"]]
            _check_guideline(one.guideline, scheme, edition, connection)
            plain = made = marked(_judgement(name, annotator, one, slot, scheme), pairs.get(slot["item"]))
            check_rewrites(scheme, made.value, one.rewrites, pairs.get(made.pair))
            if slot["position"] < 0:
                made = _tested(made, scheme, golds)
            _put(writing, made, slot)
            if "gate" in slot["rules"]:
                writing.watched[slot["batch"], annotator] = (batch_of_row(slot | {"id": slot["batch"]}), scheme)
            if has_second(slot):
                writing.firsts.append((slot, scheme.parts(made.value)))
            for pair, judgement in rewrites(plain, scheme, pairs):  # of a test too they are pairs like any other
                writing.pairs.append(row_of(pair, import_id=None, step=None, step_key=None, state=None))
                writing.judgements.append(row_of(judgement))
            earlier[name] = made
            results.append(made)
        except LabelError as problem:
            results.append(Refused(str(problem)))
        except Refused as problem:
            results.append(problem)
    _write(connection, writing)
    for (_, annotator), (of, scheme) in writing.watched.items():
        watch(connection, of, annotator, scheme)
    return results


def _by_number(
    said: Sequence[tuple[str, Said]], concealing: Concealing | None
) -> tuple[Sequence[tuple[str, Said]], set[int]]:
    """Answers by the numbers of their slots, and those numbers that were told as handles."""
    if concealing is None or not any(is_handle(one.slot) for _, one in said):
        return said, set()
    opened = [concealing.slot(one.slot) if is_handle(one.slot) else one.slot for _, one in said]
    handles = {slot for slot, (_, one) in zip(opened, said, strict=True) if slot != one.slot}
    by_number = [(who, msgspec.structs.replace(one, slot=at)) for at, (who, one) in zip(opened, said, strict=True)]
    return by_number, handles


def _as_told(slot: dict[str, Any] | None, by_handle: bool) -> dict[str, Any] | None:
    """The slot, if it was named as it has to be: by a handle where there are hidden tests, else by its number."""
    return slot if slot is not None and by_handle == ("tests" in slot["rules"]) else None


def _tested(made: Judgement, scheme: Scheme, golds: dict[str, dict[str, Any]]) -> Judgement:
    """The answer to a test, with whether it was right; it is no judgement of the corpus."""
    if made.pair not in golds:
        raise Conflict("this pair has no known answer any more; load the next one")
    test = hidden_tests.told_of(scheme, made.value, golds[made.pair])
    return msgspec.structs.replace(made, purpose=hidden_tests.PURPOSE, meta=made.meta | {"test": test})


def _needs_texts(said: Said, slot: dict[str, Any], schemes: dict[str, Scheme]) -> bool:
    """Whether an answer is about the words of a pair."""
    return bool(said.rewrites) or asks_types(schemes[slot["scheme"]])


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
    late = slot["judgement"] is None and (slot["until"] or 0) < moment
    if slot["holder"] != annotator or (late and "tests" in slot["rules"]):  # others may have taken it, but never a test
        raise NotAllowed("this pair is not reserved for you; load the next one")
    if slot["state"] != "open":
        raise Conflict(f"the batch {slot['batch']!r} was closed")
    if slot["judgement"] != said.supersedes:
        raise Conflict("this pair was judged in another window; load it again to change the judgement")
    if said.supersedes is not None and not slot["rules"].get("undo", True):
        raise NotAllowed("answers of this batch are final")
    if late:
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
    if (test := made.meta.get("test")) is not None:
        counted = {"of_batch": made.batch, "of_annotator": made.annotator, "was_right": int(test["right"])}
        writing.tests.append(counted)
    slot["judgement"] = made.id  # so that a second answer in the same group finds it taken
    writing.answered.append({"slot_seq": slot["seq"], "slot_judgement": made.id})


_ANSWER = update(_slot).where(_slot.c.seq == bindparam("slot_seq"))
_ANSWER = _ANSWER.values(judgement=bindparam("slot_judgement"))
COUNT = update(schema.takers).where(
    schema.takers.c.batch == bindparam("of_batch"), schema.takers.c.annotator == bindparam("of_annotator")
)
_TESTED = COUNT.values(
    tests=schema.takers.c.tests + 1,
    right=schema.takers.c.right + bindparam("was_right"),
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
    follow(connection, writing.firsts)
    counts = [{"of_batch": name, "of_annotator": who, "more": more} for (name, who), more in writing.done.items()]
    if counts:
        connection.execute(COUNT, counts)
    if writing.tests:
        connection.execute(_TESTED, writing.tests)
