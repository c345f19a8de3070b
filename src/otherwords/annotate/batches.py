"""Batches: what is to be judged, how often, by whom and under which rules.

A batch is a row, and a slot for every judgement that it asks for: five pairs to be judged twice are ten slots. A
slot is taken, answered and never given to a second person after that, so no pair can get more judgements than
asked for. Slots are assigned to one person each, or free for anybody of the batch's people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.project.project import now
from otherwords.project.rows import dicts
from otherwords.records import Purpose, Unit

EXTRACTED = "extracted"  # the standing batch of pairs that go back to the person who extracted them
ROWS_A_STATEMENT = 2000
MOST_ASKED = 100
HOLD_SECONDS = 1800.0
_ID = re.compile(r"[\w][\w .@+-]{0,79}")


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all parts of the rules share."""


class HiddenTests(Told, frozen=True):
    """Hidden test pairs, whose answers are known (Dou et al. 2022, §2.4)."""

    pairs: list[str]  # each has a gold label, and an explanation for those who miss it
    every: int = 5  # one in so many, at a place that nobody can foresee


class Gate(Told, frozen=True):
    """How well one has to do to go on: over the last answers, once there are enough of them."""

    accuracy: float = 0.85  # more than that, on test pairs
    kappa: float = 0.2  # more than that, with the majority of the others
    window: int = 40  # of the last answers, to test pairs and to others each
    fewest_tests: int = 15  # of five, one slip would be too many
    fewest_shared: int = 30


class Deployment(Told, frozen=True):
    """How many more pairs of a group follow when so many of its first ones were paraphrases."""

    fewest: int
    most: int
    more: int


class Keep(Told, frozen=True):
    """Which pairs are kept in the end, by several criteria (Martynov et al. 2022)."""

    all_say: dict[str, list[str]] = {}  # by question: everybody's answer is one of these
    agree_on: list[str] = []  # questions on which all have to say the same


class Rules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What holds in a batch."""

    people: list[str] = []  # who may work on it; anybody where it is empty
    assigned: bool = False  # each slot is for one person from the start, instead of from a pool
    context: bool = True  # the documents may be looked at
    own: bool = True  # one may judge what one extracted or wrote oneself
    again: bool = True  # one may judge what one has judged elsewhere, for the corpus itself
    undo: bool = True
    blind: bool = False  # the ids of pairs are not told
    hold_seconds: float = HOLD_SECONDS
    tests: HiddenTests | None = None
    gate: Gate | None = None
    deployment: list[Deployment] = []
    second_sees: list[str] = []  # the second annotator gets only pairs that the first gave one of these answers
    keep: Keep | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as the ledger has it."""

    id: str
    unit: Unit
    scheme: str
    purpose: Purpose
    asked: int
    rules: Rules
    state: str
    author: str | None
    time: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A unit on its way into a batch, and who made it."""

    item: str
    maker: str | None = None


def batch(connection: Connection, name: str) -> Batch:
    """A batch by its name."""
    found = dicts(connection.execute(_BY_NAME, {"name": name}))
    if not found:
        raise NotFound(f"there is no batch {name!r}")
    return batch_of_row(found[0])


_BY_NAME = select(schema.batches).where(schema.batches.c.id == bindparam("name"))


def batches(connection: Connection) -> list[Batch]:
    """All batches, the first made first."""
    one = schema.batches
    return [batch_of_row(row) for row in dicts(connection.execute(select(one).order_by(one.c.seq)))]


def batch_of_row(row: dict[str, Any]) -> Batch:
    """The batch of a row of the ledger."""
    fields = {name: row[name] for name in Batch.__slots__ if name != "rules"}
    return Batch(**fields, rules=msgspec.convert(row["rules"], Rules))


def make(
    connection: Connection,
    name: str,
    wanted: Sequence[Wanted],
    *,
    scheme: str,
    asked: int = 1,
    purpose: Purpose = "production",
    unit: Unit = "pair",
    rules: Rules | None = None,
    author: str | None = None,
) -> Batch:
    """Make a batch of these units, in this order."""
    rules = _concealed(rules or Rules())
    _check(name, wanted, asked, rules)
    made = Batch(name, unit, scheme, purpose, asked, rules, "open", author, now())
    row = {name: getattr(made, name) for name in Batch.__slots__} | {"rules": msgspec.to_builtins(rules)}
    if not insert_new(connection, schema.batches, [row]):
        raise Conflict(f"there is a batch {name!r} already; give this one another name")
    _insert(connection, made, wanted, 0)
    return made


def _concealed(rules: Rules) -> Rules:
    """With hidden tests nothing may tell one: nothing is taken back, and no name or document is shown."""
    if rules.tests is None:
        return rules
    return msgspec.structs.replace(rules, undo=False, context=False, blind=True)


def _check(name: str, wanted: Sequence[Wanted], asked: int, rules: Rules) -> None:
    if not _ID.fullmatch(name):
        raise Refused("a batch needs a name of up to 80 letters, digits, blanks or . _ @ + -")
    if not wanted:
        raise Refused("nothing fits: the batch would be empty")
    if not 1 <= asked <= MOST_ASKED:
        raise Refused(f"a pair is judged 1 to {MOST_ASKED} times, not {asked}")
    if rules.assigned and not rules.people:
        raise Refused("a batch whose slots are assigned needs the names of its people")
    if rules.assigned and not rules.again:
        raise Refused("what others judged before cannot be dealt out from the start; let the batch be a pool")
    if rules.people and asked > len(rules.people):
        raise Refused(f"{asked} judgements of each pair need as many people; the batch has {len(rules.people)}")
    if not rules.own and rules.people:
        short = [one for one in wanted if asked > len(set(rules.people) - {one.maker})]
        if short:
            raise Refused(f"{short[0].item}: too few people are left without the one who made it")


def _insert(connection: Connection, made: Batch, wanted: Iterable[Wanted], first: int) -> None:
    rows = []
    for position, one in enumerate(wanted, first):
        people = dealt(made, one, position)
        for number in range(1 if made.rules.second_sees else made.asked):  # the second comes of the first's answer
            assigned = people[number] if people else None
            place = {"batch": made.id, "position": position, "number": number}
            rows.append({**place, "item": one.item, "maker": one.maker, "assigned": assigned})
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        connection.execute(insert(schema.slots), rows[start : start + ROWS_A_STATEMENT])


def dealt(made: Batch, one: Wanted, position: int) -> list[str]:
    """Who judges this one, where that is said from the start: the people take turns."""
    if not made.rules.assigned:
        return []
    people = made.rules.people if made.rules.own else [name for name in made.rules.people if name != one.maker]
    return [people[(position * made.asked + number) % len(people)] for number in range(made.asked)]


def extend(connection: Connection, of: Batch, wanted: Sequence[Wanted]) -> None:
    """Put more units behind those that a batch has."""
    connection.execute(select(schema.batches.c.seq).where(schema.batches.c.id == of.id).with_for_update())
    last = connection.execute(select(func.max(schema.slots.c.position)).where(schema.slots.c.batch == of.id)).scalar()
    _insert(connection, of, wanted, 0 if last is None else last + 1)


def close(connection: Connection, name: str, state: str) -> Batch:
    """Close a batch, so that nobody is given more of it, or open it again."""
    if state not in ("open", "closed"):
        raise Refused(f"a batch is open or closed, not {state!r}")
    batch(connection, name)
    connection.execute(update(schema.batches).where(schema.batches.c.id == name).values(state=state))
    return batch(connection, name)


def hand_over(connection: Connection, extracted: Sequence[tuple[str, str]], scheme: str) -> None:
    """Give pairs to the people who extracted them, to be classified."""
    rules = Rules(assigned=True)
    row = {"id": EXTRACTED, "unit": "pair", "scheme": scheme, "purpose": "production", "asked": 1, "state": "open"}
    told = {"rules": msgspec.to_builtins(rules), "author": None, "time": now()}
    insert_new(connection, schema.batches, [row | told])
    connection.execute(select(schema.batches.c.seq).where(schema.batches.c.id == EXTRACTED).with_for_update())
    one = schema.slots
    last = connection.execute(select(func.max(one.c.position)).where(one.c.batch == EXTRACTED)).scalar()
    there = set(connection.execute(select(one.c.item).where(one.c.item.in_([item for item, _ in extracted]))).scalars())
    first = 0 if last is None else last + 1
    new = [(item, maker) for item, maker in extracted if item not in there]
    rows = [
        {"batch": EXTRACTED, "position": place, "number": 0, "item": item, "maker": maker, "assigned": maker}
        for place, (item, maker) in enumerate(new, first)
    ]
    if rows:
        connection.execute(insert(one), rows)


def take_out(connection: Connection, items: Sequence[str]) -> None:
    """Take units out of every queue; what was answered stays."""
    one = schema.slots
    connection.execute(delete(one).where(one.c.item.in_(items), one.c.judgement.is_(None)))
