"""Sight: what an annotator may not see yet of what others said.

Judgements, labels, notes and discussions of a pair are hidden from an annotator until their own judgement of it is
in, and, where a batch asks for several, until all of them are. Curators see everything, but for the pairs that
they have still to judge themselves.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from otherwords.annotate.standing import stands
from otherwords.project import schema

IDS_A_QUERY = 500


def hidden(connection: Connection, viewer: str, role: str, items: Collection[str]) -> set[str]:
    """Those of these units whose judgements and discussion the viewer may not see."""
    wanted = sorted(items)
    told: set[str] = set()
    for start in range(0, len(wanted), IDS_A_QUERY):
        block = wanted[start : start + IDS_A_QUERY]
        told |= _to_be_judged(connection, viewer, block)
        if role not in ("curator", "admin"):
            told |= set(block) - _judged(connection, viewer, block)
            told |= _incomplete(connection, block)
    return told


def without_context(connection: Connection, viewer: str, item: str) -> bool:
    """Whether the viewer has still to judge the unit in a batch that hides its documents."""
    one, of = schema.slots, schema.batches
    mine = (one.c.item == item, one.c.judgement.is_(None), _for(viewer))
    rules = connection.execute(select(of.c.rules).join(one, one.c.batch == of.c.id).where(*mine)).scalars()
    return any(not told.get("context", True) for told in rules)


def _to_be_judged(connection: Connection, viewer: str, items: list[str]) -> set[str]:
    one = schema.slots
    mine = (one.c.item.in_(items), one.c.judgement.is_(None), _for(viewer))
    return set(connection.execute(select(one.c.item).where(*mine)).scalars())


def _for(viewer: str) -> ColumnElement[bool]:
    """Slots that somebody holds or that are for them; of hidden tests, which all are, those that they hold."""
    one = schema.slots
    return or_(one.c.holder == viewer, and_(one.c.assigned == viewer, one.c.position >= 0))


def _judged(connection: Connection, viewer: str, items: list[str]) -> set[str]:
    one = schema.judgements
    mine = (one.c.pair.in_(items), one.c.annotator == viewer, stands())
    return set(connection.execute(select(one.c.pair).where(*mine)).scalars())


def _incomplete(connection: Connection, items: list[str]) -> set[str]:
    """Units of which an open batch that asks for several judgements does not have all."""
    one, of = schema.slots, schema.batches
    waiting = (one.c.item.in_(items), one.c.judgement.is_(None), of.c.asked > 1, of.c.state == "open")
    return set(connection.execute(select(one.c.item).join(of, of.c.id == one.c.batch).where(*waiting)).scalars())
