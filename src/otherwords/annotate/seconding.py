"""A second annotator who sees only what the first gave certain answers (Suzuki et al. 2017: positive or negative).

A batch with that rule begins with one slot a pair. The second comes about when the first annotator gives one of the
answers, and goes away again, if nobody has it yet, when they change their mind or take it back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, delete, or_

from otherwords.annotate.batches import Wanted, batch_of_row, dealt
from otherwords.project import schema
from otherwords.project.ledger import insert_new

_slot = schema.slots
_WITHDRAW = delete(_slot).where(
    _slot.c.batch == bindparam("of_batch"),
    _slot.c.position == bindparam("of_position"),
    _slot.c.number == 1,
    _slot.c.judgement.is_(None),
    or_(_slot.c.holder.is_(None), _slot.c.until < bindparam("moment")),
)


def has_second(slot: dict[str, Any]) -> bool:
    """Whether it depends on the answer to this slot that there is a second one."""
    return slot["number"] == 0 and bool(slot["rules"].get("second_sees"))


def follow(connection: Connection, answered: Iterable[tuple[dict[str, Any], frozenset[str]]]) -> None:
    """Make or withdraw the second slots after answers to first ones: each a slot, and what was said to it."""
    new, gone, moment = [], [], time.time()
    for slot, said in {slot["seq"]: (slot, said) for slot, said in answered}.values():  # the last answer counts
        if said & set(slot["rules"]["second_sees"]):
            new.append(_second(slot))
        else:
            gone.append({"of_batch": slot["batch"], "of_position": slot["position"], "moment": moment})
    insert_new(connection, _slot, new)
    if gone:
        connection.execute(_WITHDRAW, gone)


def _second(slot: dict[str, Any]) -> dict[str, Any]:
    """The second slot of a pair, for whoever it is dealt to where pairs are dealt out."""
    of = batch_of_row(slot | {"id": slot["batch"]})
    people = dealt(of, Wanted(slot["item"], slot["maker"]), slot["position"])
    row = {name: slot[name] for name in ("batch", "position", "item", "maker")}
    return row | {"number": 1, "assigned": people[1] if people else None}
