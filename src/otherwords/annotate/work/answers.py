"""Answers: what annotators say about the units that they hold becomes judgements of the ledger.

Answers of several people go into one transaction: they are looked up, checked and written together, and each gets
its own result, a judgement or the reason why there is none. Nothing is ever changed: who changes their mind sends
another answer that supersedes the first.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from otherwords.annotate.batches.batch import Batch, golds_of
from otherwords.annotate.batches.slots import TAKER, Slot, count_done, decides_second, lock_slots, update_seconds
from otherwords.annotate.crowd.gate_watch import apply_gate
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE, assess
from otherwords.annotate.crowd.slot_handles import SlotHandles, slot_number
from otherwords.annotate.current_judgements import EMPTY
from otherwords.annotate.discussion.threads import discuss_note
from otherwords.annotate.documents.decisions import check_seconds
from otherwords.annotate.rewrites import Rewrite, check_rewrites, load_pairs, rewrites, withdraw_rewrites
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.work.reservations import GONE
from otherwords.annotate.work.type_marks import asks_types, with_tokeniser
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, LabelError, NotAllowed, NotFound, Refused, TooMany
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import record_of_row, row_dicts, row_of
from otherwords.project.project import now
from otherwords.records import Gold, Judgement, Pair

MOST_INVALID = 5  # to one task
SECONDS = 60.0
MOST_REMEMBERED = 10_000  # tasks


class InvalidAnswers:
    """When people sent invalid answers in the last minute, by annotator and slot."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, int], list[float]] = {}

    @contextmanager
    def counting(self, annotator: str, slot: int, moment: float) -> Iterator[None]:
        """Count what is refused inside; refuse everything after too many."""
        task = (annotator, slot)
        recent = [sent for sent in self._times.get(task, ()) if moment - SECONDS < sent <= moment]
        if len(recent) >= MOST_INVALID:
            wait = max(1, math.ceil(recent[0] + SECONDS - moment))
            reason = f"too many invalid answers to this pair; try again in {wait} second{'s' if wait > 1 else ''}"
            raise TooMany(reason, wait, code="too-many-invalid-answers")
        try:
            yield
        except (LabelError, Refused):
            self._times[task] = [*recent, moment]
            self._forget(moment)
            raise

    def _forget(self, moment: float) -> None:
        """Forget tasks of which the minute is over, if there are many."""
        if len(self._times) > MOST_REMEMBERED:
            self._times = {task: times for task, times in self._times.items() if times[-1] > moment - SECONDS}


MOST_NOTE_CHARACTERS = 4000
MOST_VERSION_DIGITS = 9  # of a guideline
MOST_SHOWN = 100  # characters of what was sent, in a message
SchemeLoader = Callable[[str], Scheme]
HasGuideline = Callable[[Connection, str, int], bool]  # whether a scheme's guideline has such a version


class AnswerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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

    @property
    def rewritten(self) -> list[tuple[str, str]]:
        """The texts of the rewrites, as a judgement has them."""
        return [(rewrite.text1, rewrite.text2) for rewrite in self.rewrites]


@dataclass(slots=True)
class _Writes:
    """What one group of answers adds to the ledger."""

    judgements: list[Judgement] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    answered: list[dict[str, int | str]] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    firsts: list[tuple[Slot, frozenset[str]]] = field(default_factory=list)  # answers that a second slot may follow
    done: Counter[tuple[str, str]] = field(default_factory=Counter)
    tests: list[dict[str, int | str | None]] = field(default_factory=list)
    gated: dict[tuple[str, str], tuple[Batch, Scheme]] = field(default_factory=dict)  # who has to pass a gate


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What is known before a group of answers is checked, one query for each."""

    slots: dict[int, Slot]
    judgements: dict[str, Judgement]  # saved before under the same keys
    schemes: dict[str, Scheme]
    pairs: dict[str, Pair]  # those whose texts an answer is about


@dataclass(frozen=True, slots=True)
class _ValidAnswer:
    """An answer that the scheme and the batch allow: its slot, and the judgement that it makes of an ordinary pair."""

    slot: Slot
    judgement: Judgement


def save_answers(
    connection: Connection,
    answers: Sequence[tuple[str, AnswerBody]],
    scheme_of: SchemeLoader,
    edition: HasGuideline,
    handles: SlotHandles | None = None,
    invalid: InvalidAnswers | None = None,
) -> list[Judgement | Refused]:
    """Save the answers of annotators; the result of each is at its own place.

    All are checked before anything depends on what is a test: how long a refusal takes must not tell.
    """
    ids = [keyed_id("j", annotator, answer.key) for annotator, answer in answers]
    numbered = [msgspec.structs.replace(sent, slot=slot_number(sent.slot, handles)) for _, sent in answers]
    known = _look_up(connection, ids, numbered, scheme_of)
    moment, limit = time.time(), invalid or InvalidAnswers()
    valid: dict[str, _ValidAnswer] = {}
    outcomes: list[str | Refused] = []  # of each answer: the id of its judgement, or why there is none
    for name, (annotator, sent), answer in zip(ids, answers, numbered, strict=True):
        try:
            if name in known.judgements:
                _refuse_other_answer(known.judgements[name], answer, scheme_of)
            else:
                by_handle = sent.slot != answer.slot
                slot = _usable_slot(known.slots.get(answer.slot), annotator, answer, moment, by_handle=by_handle)
                with limit.counting(annotator, slot.seq, moment) if by_handle else nullcontext():
                    _check_guideline(answer.guideline, known.schemes[slot.batch.scheme], edition, connection)
                    judgement = _judgement(name, annotator, answer, slot, known)
                valid[name] = _ValidAnswer(slot, judgement)
                known.judgements[name] = judgement
                slot.judgement = name  # so that a second answer in the same group finds it taken
            outcomes.append(name)
        except LabelError as problem:
            outcomes.append(Refused(str(problem), code=problem.code))
        except Refused as problem:
            outcomes.append(problem)
    saved: dict[str, Judgement | Refused] = {**known.judgements, **_save_valid(connection, valid, known)}
    return [outcome if isinstance(outcome, Refused) else saved[outcome] for outcome in outcomes]


def _save_valid(
    connection: Connection, valid: Mapping[str, _ValidAnswer], known: _LookedUp
) -> dict[str, Judgement | Refused]:
    """Write what valid answers add to the ledger; returns the judgements as they are saved, by id."""
    writes, saved = _Writes(), dict[str, Judgement | Refused]()
    # Of tests and of ordinary pairs alike, so that both cost the same.
    golds = golds_of(connection, [sent.slot.item for sent in valid.values() if sent.slot.batch.rules.tests is not None])
    for name, sent in valid.items():
        try:
            saved[name] = _accept(writes, known, sent, golds)
        except Refused as problem:
            saved[name] = problem
    _write(connection, writes)
    for judgement in saved.values():
        if isinstance(judgement, Judgement) and judgement.note and judgement.annotator:
            discuss_note(connection, judgement.annotator, judgement.unit, judgement.pair, judgement.note)
    for (_, annotator), (batch, scheme) in writes.gated.items():
        apply_gate(connection, batch, annotator, scheme)
    return saved


def _look_up(
    connection: Connection, ids: list[str], answers: Sequence[AnswerBody], scheme_of: SchemeLoader
) -> _LookedUp:
    slots = lock_slots(connection, [answer.slot for answer in answers])
    judgements = judgements_by_id(connection, ids)  # after the locks: another process may be saving the same answer
    schemes = {name: scheme_of(name) for name in {slot.batch.scheme for slot in slots.values()}}
    known = [(slots[answer.slot], answer) for answer in answers if answer.slot in slots]
    items = [slot.item for slot, answer in known if answer.rewrites or asks_types(schemes[slot.batch.scheme])]
    return _LookedUp(slots, judgements, schemes, load_pairs(connection, items))


_judgements, _slots, _takers = schema.judgements, schema.slots, schema.takers
_BY_ID = select(_judgements).where(_judgements.c.id.in_(bindparam("ids", expanding=True)))


def judgements_by_id(connection: Connection, ids: list[str]) -> dict[str, Judgement]:
    """Those of these judgements that exist."""
    rows = row_dicts(connection.execute(_BY_ID, {"ids": ids}))
    return {row["id"]: record_of_row(Judgement, row) for row in rows}


def _refuse_other_answer(stored: Judgement, answer: AnswerBody, scheme_of: SchemeLoader) -> None:
    """An answer that was sent twice has one judgement; another answer under the same key is a mistake of the page."""
    value = scheme_of(stored.scheme or "").normalise(answer.value)
    before = (stored.value, stored.unsure, stored.note, stored.rewrites, stored.meta.get("slot"))
    if before != (value, answer.unsure, answer.note or None, answer.rewritten, answer.slot):
        raise Conflict("another answer was saved under this key; reload the page", code="key-reused")


def _usable_slot(slot: Slot | None, annotator: str, answer: AnswerBody, moment: float, *, by_handle: bool) -> Slot:
    """The slot of an answer, if the annotator may answer it; a slot of a batch with tests is named by its handle."""
    if slot is None or by_handle != (slot.batch.rules.tests is not None):
        raise NotFound(GONE, code="no-such-reservation")
    late = slot.is_late(moment)
    if slot.holder != annotator or (late and by_handle):  # others may have taken it, but never a test
        raise NotAllowed("this pair is not reserved for you; load the next one", code="not-reserved")
    if slot.batch.state != "open":
        raise Conflict(f"the batch {slot.batch.id!r} was closed", code="batch-closed")
    if slot.judgement != answer.supersedes:
        raise Conflict("this pair was judged in another window; load it again to change it", code="judged-meanwhile")
    if answer.supersedes is not None and not slot.batch.rules.undo:
        raise NotAllowed("answers of this batch are final", code="answers-final")
    if late:
        raise Conflict("the reservation of this pair has run out; reserve it again", code="reservation-expired")
    return slot


def check_note(note: str | None) -> None:
    """Refuse a note that is too long."""
    if note is not None and len(note) > MOST_NOTE_CHARACTERS:
        message = f"a note has at most {MOST_NOTE_CHARACTERS:,} characters, not {len(note):,}"
        raise Refused(message, code="note-too-long")


def _judgement(name: str, annotator: str, answer: AnswerBody, slot: Slot, known: _LookedUp) -> Judgement:
    """The judgement that an answer makes, if the scheme and the batch allow it."""
    batch, scheme, pair = slot.batch, known.schemes[slot.batch.scheme], known.pairs.get(slot.item)
    value = scheme.normalise(answer.value)
    check_note(answer.note)
    check_seconds(answer.seconds)
    if answer.context_shown and not batch.rules.context:
        raise Refused("the documents are not shown in this batch", code="context-hidden")
    check_rewrites(scheme, value, answer.rewrites, pair)
    judgement = Judgement(
        id=name,
        unit=batch.unit,
        pair=slot.item,
        annotator=annotator,
        scheme=batch.scheme,
        batch=batch.id,
        purpose=batch.purpose,
        value=value,
        unsure=answer.unsure,
        note=answer.note or None,
        rewrites=answer.rewritten,
        context_shown=answer.context_shown,
        seconds=answer.seconds,
        time=now(),
        guideline=answer.guideline,
        supersedes=answer.supersedes,
        meta={"slot": answer.slot},
    )
    return with_tokeniser(judgement, pair)


def _check_guideline(guideline: str | None, scheme: Scheme, edition: HasGuideline, connection: Connection) -> None:
    """A judgement names the version of the guideline that the page showed: it has to exist."""
    if guideline is None:
        return
    name, _, version = guideline.rpartition("@")
    is_number = version.isascii() and version.isdecimal() and len(version) <= MOST_VERSION_DIGITS
    if name != scheme.name or not is_number or not edition(connection, name, int(version)):
        reason = f"there is no guideline {guideline[:MOST_SHOWN]!r}; load the page again"
        raise Refused(reason, code="no-such-guideline")


def _accept(writes: _Writes, known: _LookedUp, sent: _ValidAnswer, golds: Mapping[str, Gold]) -> Judgement:
    """Note all that an answer adds to the ledger; returns the judgement as it is saved."""
    slot, plain = sent.slot, sent.judgement
    scheme, judgement = known.schemes[slot.batch.scheme], plain
    if slot.position < 0:  # an answer to a test says whether it was right, and is no judgement of the corpus
        if plain.pair not in golds:
            raise Conflict("this pair has no known answer any more; load the next one", code="no-gold-label")
        meta = plain.meta | {"test": assess(scheme, plain.value, golds[plain.pair])}
        judgement = msgspec.structs.replace(plain, purpose=TEST_PURPOSE, meta=meta)
    _put(writes, judgement, slot)
    if slot.batch.rules.gate is not None:
        writes.gated[slot.batch.id, judgement.annotator or ""] = (slot.batch, scheme)
    if decides_second(slot):
        writes.firsts.append((slot, scheme.parts(judgement.value)))
    for pair, own in rewrites(plain, scheme, known.pairs):  # those of a test too are pairs like any other
        writes.pairs.append(pair)
        writes.judgements.append(own)
    return judgement


def _put(writes: _Writes, judgement: Judgement, slot: Slot) -> None:
    writes.judgements.append(judgement)
    if judgement.supersedes is None:
        writes.done[judgement.batch or "", judgement.annotator or ""] += 1
    else:
        writes.superseded.append(judgement.supersedes)
    if (test := judgement.meta.get("test")) is not None:
        taker = {"of_batch": judgement.batch, "of_annotator": judgement.annotator}
        writes.tests.append(taker | {"was_right": int(test["right"])})
    writes.answered.append({"slot_seq": slot.seq, "slot_judgement": judgement.id})


# Built once: they run with every group.
_INSERT = insert(_judgements)
_ANSWER = update(_slots).where(_slots.c.seq == bindparam("slot_seq")).values(judgement=bindparam("slot_judgement"))
_TESTED = update(_takers).where(*TAKER)
_TESTED = _TESTED.values(tests=_takers.c.tests + 1, right=_takers.c.right + bindparam("was_right"))


def _write(connection: Connection, writes: _Writes) -> None:
    if not writes.judgements:
        return
    withdraw_rewrites(connection, writes.superseded)
    if writes.pairs:
        origin = dict.fromkeys(("import_id", "step", "step_key", "state"))
        connection.execute(insert(schema.pairs), [row_of(pair, **origin) for pair in writes.pairs])
    connection.execute(_INSERT, [row_of(judgement) for judgement in writes.judgements])
    connection.execute(_ANSWER, writes.answered)
    update_seconds(connection, writes.firsts)
    count_done(connection, writes.done)
    if writes.tests:
        connection.execute(_TESTED, writes.tests)


_judgements, _slots = schema.judgements, schema.slots


def undo(connection: Connection, annotator: str, judgement: str, key: str) -> Judgement:
    """Take back one's own judgement; its unit is held again, to be answered anew or left to others."""
    name = keyed_id("j", annotator, key)
    stored = judgements_by_id(connection, [name, judgement])
    if name in stored:
        if (stored[name].supersedes, stored[name].value) != (judgement, None):
            raise Conflict("something else was saved under this key; reload the page", code="key-reused")
        return stored[name]
    before = stored.get(judgement)
    if before is None or before.annotator != annotator:
        raise NotFound("you have no such judgement", code="no-such-judgement")
    slot = _reopenable_slot(connection, before)
    taken_back = msgspec.structs.replace(before, id=name, supersedes=judgement, time=now(), **EMPTY)
    withdraw_rewrites(connection, [judgement])
    connection.execute(insert(_judgements).values(**row_of(taken_back)))
    until = time.time() + slot.batch.rules.hold_seconds
    connection.execute(update(_slots).where(_slots.c.seq == slot.seq).values(judgement=None, until=until))
    if decides_second(slot):
        update_seconds(connection, [(slot, frozenset())])
    count_done(connection, {(slot.batch.id, annotator): -1})
    return taken_back


def _reopenable_slot(connection: Connection, judgement: Judgement) -> Slot:
    """The slot that a judgement answers, if it may be opened again."""
    number = int(judgement.meta.get("slot", -1))
    slot = lock_slots(connection, [number]).get(number)
    if slot is None or slot.judgement != judgement.id or slot.holder != judgement.annotator:
        raise Conflict("this judgement was changed since; load it again", code="judgement-changed")
    if not slot.batch.rules.undo:
        raise NotAllowed("answers of this batch are final", code="answers-final")
    if slot.batch.state != "open":
        raise Conflict(f"the batch {slot.batch.id!r} was closed", code="batch-closed")
    return slot
