"""Hidden tests: pairs whose answer is known, among those whose answer is not (Dou et al. 2022, §2.4).

Everybody who works on a batch with tests has slots of their own for all of them, before the first position of the
batch; which task is a test follows from :mod:`~otherwords.annotate.concealing`. What is answered is final: it says
whether it was right and why, is kept apart from the judgements of the corpus by its purpose, and never comes again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, desc, func, insert, select, update

from otherwords.annotate.batches import Batch, Rules, Wanted
from otherwords.annotate.concealing import Concealing
from otherwords.annotate.scheme import Scheme
from otherwords.errors import LabelError, Refused
from otherwords.project import schema
from otherwords.project.rows import PRESENT, dicts
from otherwords.records import Purpose

PURPOSE: Purpose = "gold"
FEWEST_EVERY, MOST_EVERY = 2, 100
IDS_A_QUERY = 500
_slot, _pair = schema.slots, schema.pairs
# Batches whose slots are known by their handles alone: what answers to a number, or to the id of a pair, tells tests.
WITH_TESTS = select(schema.batches.c.id).where(schema.batches.c.rules["tests"].as_string().is_not(None))


def check_tests(connection: Connection, rules: Rules, chosen: Sequence[Wanted], scheme: Scheme) -> None:
    """Refuse tests that could not be given or not be told from right to wrong."""
    tests = rules.tests
    if tests is None:
        return
    if not FEWEST_EVERY <= tests.every <= MOST_EVERY:
        raise Refused(f"one pair in {FEWEST_EVERY} to {MOST_EVERY} is a test, not one in {tests.every}")
    if rules.assigned:
        raise Refused("a batch with tests is a pool; its pairs cannot be dealt out from the start")
    if rules.second_sees:
        raise Refused("a batch with tests shows everybody the same; leave out what the second annotator sees")
    if not tests.pairs:
        raise Refused("a batch with tests needs test pairs: pairs that were imported with a gold label")
    if twice := {one.item for one in chosen} & set(tests.pairs):
        raise Refused(f"{min(twice)} is a test pair and cannot be asked about as well; leave it out of the batch")
    if len(set(tests.pairs)) < len(tests.pairs):
        raise Refused("a test pair is named twice; name each once")
    golds = golds_of(connection, tests.pairs)
    for pair in tests.pairs:
        if pair not in golds:
            raise Refused(f"{pair}: a test pair has to be in the project and to have a gold label")
        try:
            scheme.normalise(golds[pair]["label"])
        except LabelError as problem:
            raise Refused(f"{pair}: its gold label does not fit the scheme: {problem}") from None


def pairs_with_gold(connection: Connection, source: str | None = None) -> list[str]:
    """All pairs that have a gold label, or those of a source, in their order of arrival."""
    from_there = [] if source is None else [_pair.c.source == source]
    rows = connection.execute(select(_pair.c.id, _pair.c.gold).where(PRESENT, *from_there).order_by(_pair.c.seq))
    return [row.id for row in rows if row.gold]


def golds_of(connection: Connection, pairs: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The right answers of some pairs, and why."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(pairs), IDS_A_QUERY):
        rows = connection.execute(_GOLDS, {"pairs": list(pairs[start : start + IDS_A_QUERY])})
        found |= {row.id: row.gold for row in rows if row.gold}
    return found


_GOLDS = select(_pair.c.id, _pair.c.gold).where(_pair.c.id.in_(bindparam("pairs", expanding=True)), PRESENT)


def is_right(scheme: Scheme, value: Any, gold: str) -> bool:
    """Whether an answer is the right one: as a yes or a no where the scheme has these, else to the letter."""
    wanted = scheme.positive_of(gold)
    return bool(scheme.normalise(gold) == value) if wanted is None else scheme.positive_of(value) is wanted


def told_of(scheme: Scheme, value: Any, gold: dict[str, Any]) -> dict[str, Any]:
    """What somebody who answered a test is told of it."""
    right = is_right(scheme, value, gold["label"])
    return {"right": right, "label": gold["label"], "explanation": gold.get("explanation")}


def deal(connection: Connection, of: Batch, annotator: str, concealing: Concealing) -> None:
    """Give somebody who begins their slots for all tests of a batch, in an order of their own."""
    assert of.rules.tests is not None
    mine = (_slot.c.assigned == annotator, _slot.c.batch == of.id, _slot.c.position < 0)
    if connection.execute(select(_slot.c.seq).where(*mine).limit(1)).first() is not None:
        return
    connection.execute(select(schema.batches.c.seq).where(schema.batches.c.id == of.id).with_for_update())
    dealt = select(func.max(_slot.c.number)).where(_slot.c.batch == of.id, _slot.c.position < 0)
    last = connection.execute(dealt).scalar()
    place = {"batch": of.id, "number": 0 if last is None else last + 1, "maker": None, "assigned": annotator}
    order = concealing.order(of.id, annotator, of.rules.tests.pairs)
    connection.execute(insert(_slot), [{**place, "position": -1 - at, "item": pair} for at, pair in enumerate(order)])


_MINE = (_slot.c.assigned == bindparam("of_annotator"), _slot.c.batch == bindparam("of_batch"), _slot.c.position < 0)
_NEXT = select(_slot).where(*_MINE, _slot.c.judgement.is_(None), _slot.c.holder.is_(None))
_NEXT = _NEXT.order_by(desc(_slot.c.position)).limit(bindparam("most")).with_for_update()


def next_tests(connection: Connection, of: Batch, annotator: str, most: int) -> list[dict[str, Any]]:
    """The next tests of somebody, as slots."""
    if not most:
        return []
    return dicts(connection.execute(_NEXT, {"of_batch": of.id, "of_annotator": annotator, "most": most}))


def put_last(connection: Connection, batch: str, annotator: str, slots: Sequence[int]) -> None:
    """Let go of tests: they come after all others, since one that came back at once would be known for what it is."""
    given = {"of_batch": batch, "of_annotator": annotator}
    for slot in slots:
        last: int = connection.execute(select(func.min(_slot.c.position)).where(*_MINE), given).scalar_one()
        free = {"holder": None, "until": None, "position": last - 1}
        connection.execute(update(_slot).where(_slot.c.seq == slot).values(**free))
