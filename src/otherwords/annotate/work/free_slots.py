"""Free slots: those of a batch that nobody holds, in the order in which somebody gets them.

The query runs with every step that somebody takes, on batches with hundreds of thousands of slots. So it has to follow
the index of unanswered slots and stop after a few of them, whatever a database believes about its conditions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    false,
    func,
    literal_column,
    not_,
    or_,
    select,
    true,
)

from otherwords.annotate.batches.batch import Batch
from otherwords.annotate.judges import judged_before
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.pseudonyms import PSEUDONYM_PREFIX

_slots = schema.slots


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody who wants so many units of a batch, at a moment; ``taker`` is how far they have come."""

    batch: Batch
    annotator: str
    most: int
    moment: float
    taker: Row[Any]


def free_slots(
    connection: Connection,
    request: Request,
    most: int,
    taken: Collection[int] = (),
    *,
    behind: bool,
    wait: bool = False,
) -> list[Row[Any]]:
    """Slots that nobody holds, one of each unit, and none of a unit that the annotator has already.

    They come after the annotator's place in the batch or, ``behind``, before it. Those among which somebody else is
    choosing at this moment are passed over, or waited for. ``taken`` are left out.
    """
    batch = request.batch
    limit = _round_up(most * batch.asked + len(taken))
    query = _query(batch.rules.own, batch.rules.again, behind, bool(batch.rules.second_sees), wait, limit)
    place = {"of_batch": batch.id, "of_annotator": request.annotator, "place": request.taker.position}
    first: dict[int, Row[Any]] = {}
    for row in connection.execute(query, place | {"moment": request.moment}):
        if row.seq not in taken:
            first.setdefault(row.position, row)
    return list(first.values())[:most]


def _round_up(number: int) -> int:
    """The next power of two, so that there are few different queries."""
    return 1 << max(0, number - 1).bit_length()


@cache
def _query(own: bool, again: bool, behind: bool, has_seconds: bool, wait: bool, limit: int) -> Select[Any]:
    slots, held, first, judgements = _slots, _slots.alias("held"), _slots.alias("first"), schema.judgements
    annotator: BindParameter[str] = bindparam("of_annotator")
    place: BindParameter[int] = bindparam("place")
    same = (held.c.batch == slots.c.batch, held.c.position == slots.c.position, held.c.holder == annotator)
    before = (judgements.c.pair == slots.c.item, judgements.c.annotator == annotator)
    void = (judgements.c.batch == slots.c.batch, judgements.c.meta["void"].as_string().is_not(None))
    assigned = slots.c.assigned
    conditions = [
        slots.c.batch == bindparam("of_batch"),
        slots.c.judgement.is_(None),
        slots.c.position.between(0, place) if behind else slots.c.position > place,
        or_(assigned.is_(None), assigned == annotator, assigned.like(_text(f"{PSEUDONYM_PREFIX}%"))),
        or_(slots.c.holder.is_(None), and_(slots.c.holder != annotator, slots.c.until < bindparam("moment"))),
        _is_missing(select(held.c.seq).where(*same)),
        _is_missing(select(judgements.c.seq).where(*before, *void)),  # voided: for others
    ]
    if not own:
        conditions.append(or_(slots.c.maker.is_(None), slots.c.maker != annotator))
    if not again:
        conditions.append(_is_missing(judged_before(slots, annotator)))
    if has_seconds:  # a second comes after a first, whose work may have been voided since
        answered = (first.c.batch == slots.c.batch, first.c.position == slots.c.position)
        exists = select(first.c.seq).where(*answered, first.c.judgement.is_not(None)).exists()
        conditions.append(or_(slots.c.number == 0, exists))
    # None of them has a judgement; but with it PostgreSQL recognises the order of the index.
    order = (slots.c.judgement, slots.c.position, slots.c.number)
    # As a number in the query: with a parameter PostgreSQL expects a tenth of all slots, and plans each query anew.
    query = select(slots).where(*conditions).order_by(*order).limit(literal_column(str(limit)))
    return query.with_for_update(skip_locked=not wait, of=slots)


def _is_missing(rows: Select[Any]) -> ColumnElement[bool]:
    """Whether there is no such row, asked for each slot that is looked at.

    PostgreSQL would read all rows that NOT EXISTS is about before it comes to the first slot. Of a subquery that has to
    be null it would believe that one slot in two hundred passes, and sort all of them instead of following the index.
    """
    first = rows.with_only_columns(true(), maintain_column_froms=True).limit(literal_column("1")).scalar_subquery()
    return not_(func.coalesce(first, false()))


def _text(constant: str) -> ColumnElement[str]:
    return literal_column(f"'{constant}'")
