"""Adjudicating: where people disagree about a pair, the team decides, and that is a judgement of its own kind.

In goes what somebody decided about a pair of a batch: a judgement of somebody else taken over, or another answer. Out
comes a consensus, which names the judgements that it was made from. Nothing is changed: another decision supersedes
the first, one without a value takes it back, and who decides about what is not there any more is told so.

Curators decide about everything that they have not still to judge themselves. Annotators decide about the pairs of a
batch that they and others worked on, once all judgements of a pair are in (Kanerva et al. 2023, §6.1: consensus by the
team); not those whose work on it is paused.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, literal, select

from otherwords.annotate.batches import Batch, batch
from otherwords.annotate.guidelines import current, reference
from otherwords.annotate.judging import MOST_NOTE
from otherwords.annotate.marking import marked
from otherwords.annotate.once import id_of
from otherwords.annotate.rewriting import originals
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.sight import hidden
from otherwords.annotate.standing import stands
from otherwords.annotate.taking import refuse_paused
from otherwords.errors import Conflict, LabelError, NotAllowed, NotFound, Refused
from otherwords.measures.agreement.iapta_values import phenomena_in
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.rows import dicts, record_of_row, row_of
from otherwords.records import Judgement

CURATORS = ("curator", "admin")
_said = schema.judgements


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody decides about a pair; ``value`` is None where they take a decision back."""

    key: str
    pair: str
    batch: str
    value: Any
    made_from: list[str]  # the judgements that they saw
    adopted: str | None = None
    note: str | None = None
    seconds: float | None = None
    supersedes: str | None = None


def decide(connection: Connection, who: str, role: str, told: Decided, scheme: Scheme) -> Judgement:
    """Put a decision down; the same one sent again under its key is the one that is there."""
    of = batch(connection, told.batch)
    opinions = _opinions(connection, of, told.pair)  # locked: of two who decide at once, one comes second
    made = _marked(connection, _judgement(connection, who, of, told, scheme))
    if (earlier := _saved(connection, made.id)) is not None:
        return _same(earlier, made)
    refuse_outsider(connection, who, role, of)
    if told.pair in hidden(connection, who, role, [told.pair]):
        raise NotAllowed("you have still to judge this pair, or others have; decide about it when all have")
    _check(opinions, told)
    if _standing(connection, of.id, told.pair) != told.supersedes:
        raise Conflict("somebody else has decided about this pair since; look at what they said")
    connection.execute(insert(_said).values(**row_of(made)))
    return made


def refuse_outsider(connection: Connection, who: str, role: str, of: Batch) -> None:
    """Curators decide about every batch, annotators about those that they and others worked on."""
    if role in CURATORS:
        return
    if of.asked < 2:
        raise NotAllowed(f"the batch {of.id!r} asks for one judgement of each pair; only curators decide about it")
    taker = schema.takers
    mine = (taker.c.batch == of.id, taker.c.annotator == who, taker.c.done > 0)
    worked = connection.execute(select(taker.c.state).where(*mine)).scalar() if role == "annotator" else None
    if worked is None:
        raise NotAllowed(f"the batch {of.id!r} is decided about by those who judged it, and by curators")
    refuse_paused(worked)


def visible(connection: Connection, who: str, role: str, pairs: Collection[str]) -> set[str]:
    """The pairs that somebody may decide about."""
    return set(pairs) - hidden(connection, who, role, pairs)


def _opinions(connection: Connection, of: Batch, pair: str) -> dict[str | None, Any]:
    """The judgements of a pair in a batch by id, and under None whatever is still to come."""
    slot = schema.slots
    asked = (slot.c.batch == of.id, slot.c.item == pair, slot.c.position >= 0)
    locked = select(slot.c.judgement).where(*asked).order_by(slot.c.seq).with_for_update()
    ids = list(connection.execute(locked).scalars())
    if not ids:
        raise NotFound(f"there is no pair {pair!r} in the batch {of.id!r}")
    rows = connection.execute(select(_said.c.id, _said.c.value).where(_said.c.id.in_([one for one in ids if one])))
    values: dict[str | None, Any] = {row.id: row.value for row in rows}
    return values | ({None: None} if None in ids else {})


def _check(opinions: dict[str | None, Any], told: Decided) -> None:
    if None in opinions:
        raise Conflict("not all judgements of this pair are in; decide about it when they are")
    if set(told.made_from) != set(opinions):
        raise Conflict("a judgement of this pair was changed since; look at it again")
    if told.adopted is not None and told.adopted not in opinions:
        raise Refused(f"there is no judgement {told.adopted!r} of this pair to take over")
    if told.adopted is not None and opinions[told.adopted] != told.value:
        raise Refused("what is taken over says something else; give another answer instead")
    if told.value is None and told.supersedes is None:
        raise Refused("there is no decision to take back")


def _judgement(connection: Connection, who: str, of: Batch, told: Decided, scheme: Scheme) -> Judgement:
    if told.note is not None and len(told.note) > MOST_NOTE:
        raise Refused(f"a note has at most {MOST_NOTE:,} characters, this one {len(told.note):,}")
    try:
        value = None if told.value is None else scheme.normalise(told.value)
    except LabelError as problem:
        raise Refused(str(problem)) from None
    return Judgement(
        id=id_of("j", who, told.key),
        unit=of.unit,
        pair=told.pair,
        annotator=who,
        scheme=of.scheme,
        batch=of.id,
        purpose=of.purpose,
        kind="consensus",
        value=value,
        note=told.note or None,
        seconds=told.seconds,
        time=now(),
        guideline=reference(current(connection, of.scheme)),
        supersedes=told.supersedes,
        meta={"from": sorted(told.made_from), "adopted": told.adopted},
    )


def _marked(connection: Connection, made: Judgement) -> Judgement:
    """What is marked in a pair has to lie in its texts."""
    if not phenomena_in(made.value):
        return made
    try:
        return marked(made, originals(connection, [made.pair]).get(made.pair))
    except LabelError as problem:
        raise Refused(str(problem)) from None


def _saved(connection: Connection, name: str) -> Judgement | None:
    rows = dicts(connection.execute(select(_said).where(_said.c.id == name)))
    return record_of_row(Judgement, rows[0]) if rows else None


def _same(earlier: Judgement, made: Judgement) -> Judgement:
    for name in ("pair", "batch", "kind", "value", "note", "supersedes", "meta"):
        if getattr(earlier, name) != getattr(made, name):
            raise Conflict("something else was saved under this key; reload the page")
    return earlier


def _standing(connection: Connection, batch: str, pair: str) -> str | None:
    """The decision about a pair in a batch that stands; one that was taken back is none."""
    kind = _said.c.kind == literal("consensus", literal_execute=True)
    found = select(_said.c.id).where(kind, _said.c.pair == pair, _said.c.batch == batch, stands())
    return connection.execute(found.order_by(_said.c.seq.desc()).limit(1)).scalar()
