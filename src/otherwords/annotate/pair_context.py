"""The documents around a pair, for somebody who may look at them.

In go a pair, who looks and, where they are at work on a batch, the slot that they hold; out come both documents with
the passages. Who has to judge the pair without its documents does not see them before, and one who works for the
corpus from outside sees those of the pairs in hand only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.hidden_tests import WITH_TESTS
from otherwords.annotate.opening import refuse_absent
from otherwords.annotate.sight import without_context
from otherwords.errors import NotAllowed
from otherwords.project import schema


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A document and the passage of it that a pair has."""

    id: str
    title: str | None
    source: str | None
    lang: str | None
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Context:
    """What is around the two texts of a pair; None where that is not known."""

    doc1: Surroundings | None
    doc2: Surroundings | None


def context(connection: Connection, viewer: str, role: str, pair: str, slot: int | None = None) -> Context:
    """Both documents of a pair."""
    if slot is not None:
        _refuse_foreign(connection, viewer, pair, slot)
    elif role == "worker":
        raise NotAllowed("the documents are shown with the pairs that you are judging; open the pair in its batch")
    refuse_absent(connection, pair)
    if without_context(connection, viewer, pair):
        raise NotAllowed("you have still to judge this pair without its documents; they are shown when you have")
    one = schema.pairs
    found = connection.execute(select(one).where(one.c.id == pair)).mappings().one()
    return Context(_around(connection, found, "1"), _around(connection, found, "2"))


def _refuse_foreign(connection: Connection, viewer: str, pair: str, slot: int) -> None:
    """A slot lets somebody look if they hold it, it is of this pair, and its batch shows documents."""
    one, of = schema.slots, schema.batches
    mine = (one.c.seq == slot, one.c.holder == viewer, one.c.item == pair, one.c.batch.not_in(WITH_TESTS))
    rules = connection.execute(select(of.c.rules).join(one, one.c.batch == of.c.id).where(*mine)).scalar()
    if rules is None:
        raise NotAllowed("you do not hold this pair; take it in its batch again")
    if not rules.get("context", True):
        raise NotAllowed("this batch is judged without the documents")


def _around(connection: Connection, pair: Any, side: str) -> Surroundings | None:
    one = schema.documents
    found = connection.execute(select(one).where(one.c.id == pair[f"doc{side}"])).mappings().first()
    if found is None:
        return None
    title = found["meta"].get("title")
    told = {name: found[name] for name in ("id", "source", "lang", "text")}
    span = {"start": pair[f"start{side}"], "end": pair[f"end{side}"]}
    return Surroundings(**told, **span, title=title if isinstance(title, str) else None)
