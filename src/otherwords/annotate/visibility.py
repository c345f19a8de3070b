"""What an annotator may not see yet of what others said.

Judgements, labels, notes and discussions of a pair are hidden from an annotator until their own judgement of it is
in, and, where a batch asks for several, until all of them are. Curators see everything except the pairs that they
still have to judge themselves.

What a batch hides stays hidden to whoever has one of its units or had it, even if they gave it back or let it run out,
as long as they may get it again: until they have answered it, all judgements that were asked for are in, or the batch
is closed. In a batch with hidden tests it stays hidden even when others have answered, as nobody else answers a test.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, or_, select

from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS
from otherwords.annotate.current_judgements import is_current
from otherwords.errors import NotAllowed, NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks

_slots, _batches, _judgements = schema.slots, schema.batches, schema.judgements
CURATORS = ("curator", "admin")
AFTER_OWN = "when you have judged this pair"
AFTER_ALL = "when all judgements are in"


def hidden_items(connection: Connection, viewer: str, role: str, items: Collection[str]) -> set[str]:
    """Those of these units whose judgements and discussion the viewer may not see."""
    unseen = awaited_items(connection, viewer, role, items)
    if role not in CURATORS:
        for block in in_blocks(sorted(items)):
            own = (_judgements.c.pair.in_(block), _judgements.c.annotator == viewer, is_current())
            unseen |= set(block) - set(connection.execute(select(_judgements.c.pair).where(*own)).scalars())
    return unseen


def awaited_items(connection: Connection, viewer: str, role: str, items: Collection[str]) -> set[str]:
    """Those of these units that the viewer still has to judge or, if they are no curator, that wait for others."""
    awaited: set[str] = set()
    for block in in_blocks(sorted(items)):
        queries = [query.with_only_columns(column) for query, column in _to_be_judged(viewer, block)]
        if role not in CURATORS:
            # Units for which an open batch that asks for several judgements does not have all of them.
            of_several = (_batches.c.asked > 1, _batches.c.state == "open", _slots.c.judgement.is_(None))
            in_batches = select(_slots.c.item).join(_batches, _batches.c.id == _slots.c.batch)
            queries.append(in_batches.where(_slots.c.item.in_(block), *of_several))
        awaited.update(*(connection.execute(query).scalars() for query in queries))
    return awaited


def refuse_hidden_documents(connection: Connection, viewer: str, item: str, documents: Collection[str | None]) -> None:
    """Refuse documents that the viewer must not see before judging a unit that they belong to."""
    if is_context_hidden(connection, viewer, item, documents):
        message = "you still have to judge a pair of these documents without them; they are shown afterwards"
        raise NotAllowed(message, code="context-hidden")


def is_context_hidden(connection: Connection, viewer: str, item: str, documents: Collection[str | None]) -> bool:
    """Whether the viewer still has to judge the unit, or another of its documents, in a batch that hides documents."""
    known, pairs = [name for name in documents if name is not None], schema.pairs.c
    of_documents = select(pairs.id).where(or_(pairs.doc1.in_(known), pairs.doc2.in_(known)))
    items = [item, *connection.execute(of_documents).scalars()] if known else [item]
    for block in in_blocks(items):
        for query, _ in _to_be_judged(viewer, block):
            all_rules = connection.execute(query.with_only_columns(_batches.c.rules)).scalars()
            if any(not rules.get("context", True) for rules in all_rules):
                return True
    return False


def hidden_documents(connection: Connection, viewer: str) -> set[str]:
    """All documents that the viewer must not see before judging a pair of them."""
    pairs, items, documents = schema.pairs.c, set[str](), set[str | None]()
    for query, column in _to_be_judged(viewer):
        rows = connection.execute(query.with_only_columns(column, _batches.c.rules))
        items.update(item for item, rules in rows if not rules.get("context", True))
    for block in in_blocks(sorted(items)):
        for row in connection.execute(select(pairs.doc1, pairs.doc2).where(pairs.id.in_(block))):
            documents.update(row)
    return {name for name in documents if name is not None}


def _to_be_judged(viewer: str, items: Sequence[str] | None = None) -> list[tuple[Select[Any], ColumnElement[str]]]:
    """Queries for those of these units that somebody holds, is assigned or held in an open batch, not answered by them.

    Without ``items`` they are for all units. Each comes with its column of units. Of hidden tests everybody has all, so
    they count only if somebody holds them.
    """
    past, is_open = schema.past_holders.c, _batches.c.state == "open"
    reserved = or_(_slots.c.holder == viewer, and_(_slots.c.assigned == viewer, _slots.c.position >= 0))
    now = select(_slots.c.item).join(_batches, _batches.c.id == _slots.c.batch)
    now = now.where(_slots.c.judgement.is_(None), reserved, is_open)
    own = (_judgements.c.pair == past.item, _judgements.c.annotator == viewer, _judgements.c.batch == past.batch)
    answered = select(_judgements.c.seq).where(*own, is_current()).correlate(schema.past_holders).exists()
    same_unit = (_slots.c.batch == past.batch, _slots.c.item == past.item, _slots.c.judgement.is_(None))
    is_left = select(_slots.c.seq).where(*same_unit).correlate(schema.past_holders).exists()
    may_come = or_(is_left, past.batch.in_(BATCHES_WITH_TESTS))
    before = select(past.item).join(_batches, _batches.c.id == past.batch)
    before = before.where(past.annotator == viewer, is_open, may_come, ~answered)
    if items is not None:
        now, before = now.where(_slots.c.item.in_(items)), before.where(past.item.in_(items))
    return [(now, _slots.c.item), (before, past.item)]


def opens_when(connection: Connection, viewer: str, role: str, pair: str) -> str | None:
    """What the viewer has to wait for; None if they may see what others said."""
    if pair not in hidden_items(connection, viewer, role, [pair]):
        return None
    judgements = schema.judgements.c
    own = (judgements.pair == pair, judgements.unit == "pair", judgements.annotator == viewer, is_current())
    judged = connection.execute(select(judgements.seq).where(*own).limit(1)).first()
    return AFTER_ALL if judged else AFTER_OWN


def require_pair(connection: Connection, pair: str) -> None:
    """Refuse a pair that does not exist, or that was removed or withdrawn."""
    pairs = schema.pairs.c
    if connection.execute(select(pairs.seq).where(pairs.id == pair, *row_conditions(NO_FILTER))).first() is None:
        raise NotFound(f"there is no pair {pair!r}, or it was removed", code="no-such-pair")
