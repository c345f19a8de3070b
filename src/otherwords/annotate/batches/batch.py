"""Batches: what is to be judged, how often, by whom and under which rules.

A batch is a row, and a slot for every judgement that it asks for: five pairs to be judged twice are ten slots. A
slot is reserved, answered and never given to a second person after that, so no pair can get more judgements than
asked for. Slots are assigned to one person each, or free for anybody of the batch's people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import PRESENT, in_blocks, row_dicts
from otherwords.project.project import now
from otherwords.records import Gold, Purpose, Unit

EXTRACTED_BATCH = "extracted"  # the permanent batch of pairs that go back to the person who extracted them
ROWS_PER_STATEMENT = 2000
MOST_PER_ITEM = 100
FEWEST_EVERY, MOST_EVERY = 2, 100  # of hidden tests
FIRST_OF_GROUP = 20  # pairs that are judged before more are added; MultiPIT, §2.3
HOLD_SECONDS = 1800.0
_NAME = re.compile(r"[\w][\w .@+-]{0,79}")
_slots, _batches, _pairs = schema.slots, schema.batches, schema.pairs
# Built once: gold labels are looked up with every group of answers.
_GOLDS = select(_pairs.c.id, _pairs.c.gold).where(_pairs.c.id.in_(bindparam("names", expanding=True)), PRESENT)
_BY_NAME = select(_batches).where(_batches.c.id == bindparam("name"))


class RuleTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Settings of every part of the rules."""


class HiddenTests(RuleTable, frozen=True):
    """Hidden test pairs, whose answers are known (Dou et al. 2022, §2.4)."""

    pairs: list[str]  # each has a gold label, and an explanation for those who get it wrong
    every: int = 5  # one in so many tasks is a test on average, each by a draw of its own


class Practice(RuleTable, frozen=True):
    """Practice pairs, whose answers are known, that everybody answers before the batch opens for them."""

    pairs: list[str]  # each has a gold label, and an explanation that is shown after the answer
    share: float = 0.8  # of them that has to be right


class Gate(RuleTable, frozen=True):
    """How well somebody has to do to go on: over their last answers, once there are enough of them."""

    accuracy: float = 0.85  # has to be exceeded on test pairs
    kappa: float = 0.2  # has to be exceeded with the majority of the others
    window: int = 40  # number of last answers, to test pairs and to other pairs each
    fewest_tests: int = 15  # with five, one slip would be too many
    fewest_shared: int = 30


class Deployment(RuleTable, frozen=True):
    """How many more pairs of a group are added if ``fewest`` to ``most`` of its first ones are paraphrases."""

    fewest: int
    most: int
    more: int


class KeepRule(RuleTable, frozen=True):
    """Which pairs are kept in the end, by several criteria (Martynov et al. 2022)."""

    all_say: dict[str, list[str]] = {}  # by question: everybody has to give one of these answers
    agree_on: list[str] = []  # questions to which everybody has to give the same answer


class BatchRules(RuleTable, frozen=True):
    """The rules of a batch."""

    people: list[str] = []  # who may work on it; empty: anybody
    assigned: bool = False  # each slot is for one person from the start, instead of a pool
    context: bool = True  # annotators may look at the documents
    own: bool = True  # annotators may judge pairs that they extracted or wrote themselves
    again: bool = True  # annotators may judge pairs that they judged before, for whatever purpose
    undo: bool = True
    blind: bool = False  # the ids of pairs are not shown
    hold_seconds: float = HOLD_SECONDS
    tests: HiddenTests | None = None
    practice: Practice | None = None
    gate: Gate | None = None
    deployment: list[Deployment] = []
    second_sees: list[str] = []  # the second annotator gets only pairs to which the first gave one of these answers
    keep: KeepRule | None = None

    @property
    def known_pairs(self) -> frozenset[str]:
        """The pairs whose answers are known, hidden or to practise with: none of them is a unit of the batch."""
        tests, practice = self.tests, self.practice
        return frozenset([*(tests.pairs if tests else ()), *(practice.pairs if practice else ())])


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it is in the ledger."""

    id: str
    unit: Unit
    scheme: str
    purpose: Purpose
    asked: int
    rules: BatchRules
    state: str
    author: str | None
    time: str


@dataclass(frozen=True, slots=True)
class BatchItem:
    """A unit to be put into a batch, and who extracted or wrote it.

    ``chance`` is that of being drawn, where a share of the batch was drawn at random; 0 if it was chosen otherwise.
    """

    item: str
    maker: str | None = None
    chance: float | None = None


def load_batch(connection: Connection, name: str) -> Batch:
    """A batch by its name."""
    rows = row_dicts(connection.execute(_BY_NAME, {"name": name}))
    if not rows:
        # Names of others are not said here: a worker may see no batch but their own.
        message = f"there is no batch {name!r}; those that there are: otherwords batch list PROJECT"
        raise NotFound(message, code="no-such-batch")
    return batch_of_row(rows[0])


def load_batches(connection: Connection) -> list[Batch]:
    """All batches in the order of their creation."""
    return [batch_of_row(row) for row in row_dicts(connection.execute(select(_batches).order_by(_batches.c.seq)))]


def batch_of_row(row: Mapping[str, Any]) -> Batch:
    """The batch of a row of the ledger."""
    fields = {name: row[name] for name in Batch.__slots__ if name != "rules"}
    return Batch(**fields, rules=msgspec.convert(row["rules"], BatchRules))


def _row_of_batch(batch: Batch) -> dict[str, object]:
    return {name: getattr(batch, name) for name in Batch.__slots__} | {"rules": msgspec.to_builtins(batch.rules)}


def lock_batch(connection: Connection, name: str) -> None:
    """Lock a batch until the transaction ends, so that positions are given out once."""
    connection.execute(select(_batches.c.seq).where(_batches.c.id == name).with_for_update())


def item_count(connection: Connection, name: str) -> int:
    """How many units a batch has, by its last position."""
    last = connection.execute(select(func.max(_slots.c.position)).where(_slots.c.batch == name)).scalar()
    return 0 if last is None else int(last) + 1


def insert_batch(
    connection: Connection,
    name: str,
    items: Sequence[BatchItem],
    *,
    scheme: str,
    asked: int = 1,
    purpose: Purpose = "production",
    unit: Unit = "pair",
    rules: BatchRules | None = None,
    author: str | None = None,
) -> Batch:
    """Create a batch of these units, in this order."""
    rules = rules or BatchRules()
    if rules.tests is not None:  # nothing may give them away: nothing can be undone, and no id or document is shown
        rules = msgspec.structs.replace(rules, undo=False, context=False, blind=True)
    _check(name, items, asked, rules)
    batch = Batch(name, unit, scheme, purpose, asked, rules, "open", author, now())
    if not insert_new(connection, _batches, [_row_of_batch(batch)]):
        raise Conflict(f"there is a batch {name!r} already; choose another name", "name", code="duplicate-batch")
    _insert_slots(connection, batch, items, 0)
    return batch


def _check(name: str, items: Sequence[BatchItem], asked: int, rules: BatchRules) -> None:
    if not _NAME.fullmatch(name):
        raise Refused("a batch needs a name of up to 80 letters, digits, spaces or . _ @ + -", "name", code="bad-name")
    if not items:
        raise Refused("nothing fits: the batch would be empty", code="empty-batch")
    if not 1 <= asked <= MOST_PER_ITEM:
        raise Refused(f"a pair is judged 1 to {MOST_PER_ITEM} times, not {asked}", code="bad-judgement-count")
    if rules.assigned and not rules.people:
        raise Refused("a batch whose slots are assigned needs the names of its people", code="no-people")
    if rules.assigned and not rules.again:
        message = "slots cannot be assigned where those who judged a pair before are left out; let the batch be a pool"
        raise Refused(message, code="assigned-slots")
    if rules.people and asked > len(rules.people):
        message = f"{asked} judgements of each pair need as many people; the batch has {len(rules.people)}"
        raise Refused(message, code="too-few-people")
    for item in items if rules.people and not rules.own else ():
        if asked > len(set(rules.people) - {item.maker}):
            raise Refused(f"{item.item}: too few people are left without its maker", code="too-few-people")


def _insert_slots(connection: Connection, batch: Batch, items: Iterable[BatchItem], first: int) -> None:
    rows = []
    for position, item in enumerate(items, first):
        people = assignees(batch, item, position)
        for number in range(1 if batch.rules.second_sees else batch.asked):  # a second follows from the first's answer
            place: dict[str, object] = {"batch": batch.id, "position": position, "number": number, "item": item.item}
            place |= {"maker": item.maker, "chance": item.chance}
            rows.append(place | {"assigned": people[number] if people else None})
    for block in in_blocks(rows, ROWS_PER_STATEMENT):
        connection.execute(insert(_slots), block)


def assignees(batch: Batch, item: BatchItem, position: int) -> list[str]:
    """Who judges a unit, if that is fixed from the start: the people take turns."""
    rules = batch.rules
    if not rules.assigned:
        return []
    people = rules.people if rules.own else [name for name in rules.people if name != item.maker]
    return [people[(position * batch.asked + number) % len(people)] for number in range(batch.asked)]


def extend(connection: Connection, batch: Batch, items: Sequence[BatchItem]) -> None:
    """Add units at the end of a batch."""
    lock_batch(connection, batch.id)
    _insert_slots(connection, batch, items, item_count(connection, batch.id))


def set_state(connection: Connection, name: str, state: str) -> Batch:
    """Close a batch, so that nobody gets more of it, or open it again."""
    if state not in ("open", "closed"):
        raise Refused(f"a batch is open or closed, not {state!r}", code="bad-batch-state")
    load_batch(connection, name)
    connection.execute(update(_batches).where(_batches.c.id == name).values(state=state))
    return load_batch(connection, name)


def assign_to_extractors(connection: Connection, extracted: Sequence[tuple[str, str]], scheme: str) -> None:
    """Give pairs to the people who extracted them, to be classified."""
    standing = Batch(EXTRACTED_BATCH, "pair", scheme, "production", 1, BatchRules(assigned=True), "open", None, now())
    insert_new(connection, _batches, [_row_of_batch(standing)])
    lock_batch(connection, EXTRACTED_BATCH)
    there = select(_slots.c.item).where(_slots.c.item.in_([item for item, _ in extracted]))
    known = set(connection.execute(there).scalars())
    new = [(item, maker) for item, maker in extracted if item not in known]
    rows = [
        {"batch": EXTRACTED_BATCH, "position": place, "number": 0, "item": item, "maker": maker, "assigned": maker}
        for place, (item, maker) in enumerate(new, item_count(connection, EXTRACTED_BATCH))
    ]
    if rows:
        connection.execute(insert(_slots), rows)


def remove_unanswered(connection: Connection, items: Sequence[str]) -> None:
    """Remove units from every queue; what was answered stays."""
    connection.execute(delete(_slots).where(_slots.c.item.in_(items), _slots.c.judgement.is_(None)))


def golds_of(connection: Connection, names: Sequence[str]) -> dict[str, Gold]:
    """The gold labels of those pairs that have one."""
    rows = (row for block in in_blocks(names) for row in connection.execute(_GOLDS, {"names": block}))
    return {row.id: msgspec.convert(row.gold, Gold) for row in rows if row.gold}
