"""Pairs of a batch that the people there are cannot finish, since it is kept from some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.batches import Batch, batch_of_row
from otherwords.annotate.earlier import earlier_judges
from otherwords.project import schema
from otherwords.project.rows import dicts

WHO_JUDGES = ("annotator", "curator", "admin")


def too_few(connection: Connection, names: Sequence[str]) -> int:
    """How many pairs of these batches ask for more people than are left; 0 where nobody has come yet."""
    of, who = schema.batches, schema.accounts
    fit = (who.c.state == "active", who.c.role.in_(WHO_JUDGES))
    everybody = set(connection.execute(select(who.c.name).where(*fit)).scalars())
    chosen = (of.c.id.in_(names), of.c.state == "open", of.c.unit == "pair")
    found = [batch_of_row(row) for row in dicts(connection.execute(select(of).where(*chosen)))]
    kept = [one for one in found if not (one.rules.own and one.rules.again)]
    return sum(_short(connection, one, everybody) for one in kept) if everybody else 0


def _short(connection: Connection, of: Batch, everybody: set[str]) -> int:
    slot = schema.slots
    rows = dicts(connection.execute(select(slot).where(slot.c.batch == of.id, slot.c.position >= 0)))
    by_item: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    wanting = {item: some for item, some in by_item.items() if any(row["judgement"] is None for row in some)}
    earlier = {} if of.rules.again else earlier_judges(connection, of.id, wanting)
    people = set(of.rules.people) or everybody
    return sum(_lacks(of, some, people - earlier.get(item, set())) for item, some in wanting.items())


def _lacks(of: Batch, slots: list[dict[str, Any]], people: set[str]) -> bool:
    """Whether a unit asks for more judgements than there are people left for it."""
    answered = {row["holder"] for row in slots if row["judgement"] is not None}
    makers = set() if of.rules.own else {row["maker"] for row in slots}
    return sum(row["judgement"] is None for row in slots) > len(people - answered - makers)
