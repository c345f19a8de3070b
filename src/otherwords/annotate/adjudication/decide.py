"""Adjudication: where people disagree about a pair, the team decides, and that is a judgement of its own kind.

A decision adopts a judgement or gives another answer, and names the judgements that it was made from. It is never
changed: a later decision supersedes it, one without a value takes it back.

Curators decide about everything that they do not still have to judge themselves. Annotators decide about the pairs of
a batch that they and others worked on, once all judgements of a pair are in (Kanerva et al. 2023, §6.1: consensus by
the team); annotators whose work on it is paused do not.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, literal, select

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.rewrites import load_pairs
from otherwords.annotate.schemes.guidelines import current_guideline, reference
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.visibility import CURATORS, hidden_items
from otherwords.annotate.work.answers import check_note
from otherwords.annotate.work.reservations import require_active
from otherwords.annotate.work.type_marks import with_tokeniser
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, LabelError, NotAllowed, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records, row_of
from otherwords.project.project import now
from otherwords.records import Judgement, phenomena_in

_judgements = schema.judgements
_COMPARED = ("pair", "batch", "kind", "value", "note", "supersedes", "meta")


class AdjudicationInput(msgspec.Struct, frozen=True, kw_only=True):
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


def decide(connection: Connection, who: str, role: str, decision: AdjudicationInput, scheme: Scheme) -> Judgement:
    """Store a decision; the same decision sent again under its key is stored once."""
    batch = load_batch(connection, decision.batch)
    opinions = _lock_opinions(connection, batch, decision.pair)  # of two who decide at once, one comes second
    try:
        judgement = _judgement(connection, who, batch, decision, scheme)
        if phenomena_in(judgement.value):  # they have to lie in the texts of the pair
            judgement = with_tokeniser(judgement, load_pairs(connection, [decision.pair]).get(decision.pair))
    except LabelError as problem:
        raise Refused(str(problem), code=problem.code) from None
    for earlier in read_records(connection, Judgement, _judgements.c.id == judgement.id):
        if any(getattr(earlier, name) != getattr(judgement, name) for name in _COMPARED):
            raise Conflict("something else was saved under this key; reload the page", code="key-reused")
        return earlier
    refuse_outsider(connection, who, role, batch)
    if not decidable_pairs(connection, who, role, [decision.pair]):
        message = "you still have to judge this pair, or others have; decide about it when all judgements are in"
        raise NotAllowed(message, code="pair-not-judged")
    _check(opinions, decision)
    consensus = _judgements.c.kind == literal("consensus", literal_execute=True)
    own = (consensus, _judgements.c.pair == decision.pair, _judgements.c.batch == batch.id, is_current())
    newest = select(_judgements.c.id).where(*own).order_by(_judgements.c.seq.desc()).limit(1)
    if connection.execute(newest).scalar() != decision.supersedes:
        message = "somebody else has decided about this pair in the meantime; look at their decision"
        raise Conflict(message, code="decided-meanwhile")
    connection.execute(insert(_judgements).values(**row_of(judgement)))
    return judgement


def refuse_outsider(connection: Connection, who: str, role: str, batch: Batch) -> None:
    """Curators decide about every batch, annotators about those that they and others worked on."""
    if role in CURATORS:
        return
    if batch.asked < 2:
        message = f"the batch {batch.id!r} asks for one judgement of each pair; only curators decide about it"
        raise NotAllowed(message, code="single-judgement-batch")
    takers = schema.takers
    own = (takers.c.batch == batch.id, takers.c.annotator == who, takers.c.done > 0)
    state = connection.execute(select(takers.c.state).where(*own)).scalar() if role == "annotator" else None
    if state is None:
        raise NotAllowed(f"only curators and annotators of the batch {batch.id!r} may decide", code="not-your-batch")
    require_active(state)


def decidable_pairs(connection: Connection, who: str, role: str, pairs: Collection[str]) -> set[str]:
    """The pairs that somebody may decide about."""
    return set(pairs) - hidden_items(connection, who, role, pairs)


def _lock_opinions(connection: Connection, batch: Batch, pair: str) -> dict[str | None, Any]:
    """The judgements of a pair in a batch by id; None is a key while some are still to come."""
    slots = schema.slots
    own = (slots.c.batch == batch.id, slots.c.item == pair, slots.c.position >= 0)
    locked = select(slots.c.judgement).where(*own).order_by(slots.c.seq).with_for_update()
    ids = list(connection.execute(locked).scalars())
    if not ids:
        raise NotFound(f"there is no pair {pair!r} in the batch {batch.id!r}", code="no-such-pair")
    columns = select(_judgements.c.id, _judgements.c.value)
    rows = connection.execute(columns.where(_judgements.c.id.in_([name for name in ids if name])))
    values: dict[str | None, Any] = {row.id: row.value for row in rows}
    return values | ({None: None} if None in ids else {})


def _check(opinions: dict[str | None, Any], decision: AdjudicationInput) -> None:
    if None in opinions:
        raise Conflict("not all judgements of this pair are in yet; decide when they are", code="judgements-missing")
    if set(decision.made_from) != set(opinions):
        raise Conflict("a judgement of this pair has changed; look at it again", code="judgement-changed")
    if decision.adopted is not None and decision.adopted not in opinions:
        raise Refused(f"there is no judgement {decision.adopted!r} of this pair to adopt", code="no-such-judgement")
    if decision.adopted is not None and opinions[decision.adopted] != decision.value:
        message = "the adopted judgement has another value; give your answer without adopting one"
        raise Refused(message, code="adopted-value-differs")
    if decision.value is None and decision.supersedes is None:
        raise Refused("there is no decision to take back", code="nothing-to-take-back")


def _judgement(
    connection: Connection, who: str, batch: Batch, decision: AdjudicationInput, scheme: Scheme
) -> Judgement:
    check_note(decision.note)
    return Judgement(
        id=keyed_id("j", who, decision.key),
        unit=batch.unit,
        pair=decision.pair,
        annotator=who,
        scheme=batch.scheme,
        batch=batch.id,
        purpose=batch.purpose,
        kind="consensus",
        value=None if decision.value is None else scheme.normalise(decision.value),
        note=decision.note or None,
        seconds=decision.seconds,
        time=now(),
        guideline=reference(current_guideline(connection, batch.scheme)),
        supersedes=decision.supersedes,
        meta={"from": sorted(decision.made_from), "adopted": decision.adopted},
    )
