"""Choosing units other than pairs for a batch: groups of texts, pairs of documents.

In go a filter and what a plan says about chance, out come units in their order of arrival. Only what such a unit has
can be asked for: a source, a language, a method, a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select

from otherwords.annotate.batches import Wanted, batch
from otherwords.annotate.choosing import Order, check_sample, drawn
from otherwords.annotate.pair_filter import Filter
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import PRESENT
from otherwords.records import Unit

ASKED = ("source", "lang", "method", "group")


def select_units(
    connection: Connection,
    unit: Unit,
    wanted: Filter,
    *,
    sample: int | None = None,
    seed: int = 0,
    order: Order = "arrival",
    not_in: Sequence[str] = (),
) -> list[Wanted]:
    """The units that fit and are in none of some batches, or a sample of them."""
    check_sample(sample)
    if odd := sorted(set(wanted.as_params()) - set(ASKED)):
        what = "groups" if unit == "group" else "document pairs"
        raise Refused(f"{what} are chosen by {', '.join(ASKED)}; leave {odd[0]!r} out")
    taken = _taken(connection, not_in)
    found = _groups(connection, wanted) if unit == "group" else _document_pairs(connection, wanted)
    names = [name for name in dict.fromkeys(found) if name not in taken]
    return [Wanted(name) for name in drawn(names, sample, seed, order)]


def _taken(connection: Connection, batches: Sequence[str]) -> set[str]:
    for name in batches:
        batch(connection, name)
    slot = schema.slots
    return set(connection.execute(select(slot.c.item).where(slot.c.batch.in_(batches))).scalars()) if batches else set()


def _groups(connection: Connection, wanted: Filter) -> Iterator[str]:
    """Those of pairs, and those of documents that no pair was made of yet."""
    pairs, documents = schema.pairs, schema.documents
    yield from _named(connection, select(pairs.c.group).where(PRESENT, pairs.c.text1 != ""), pairs, wanted)
    if wanted.method is None:
        yield from _named(connection, select(documents.c.group).where(documents.c.text != ""), documents, wanted)


def _named(connection: Connection, groups: Select[Any], table: Any, wanted: Filter) -> Iterator[str]:
    fits = [table.c[name] == getattr(wanted, name) for name in ASKED if getattr(wanted, name) is not None]
    named = groups.where(table.c.group.is_not(None), table.c.group != "", *fits)
    yield from connection.execute(named.group_by(table.c.group).order_by(func.min(table.c.seq))).scalars()


def _document_pairs(connection: Connection, wanted: Filter) -> Iterator[str]:
    one, document = schema.document_pairs, schema.documents
    about = {"source": document.c.source, "lang": document.c.lang, "method": one.c.method, "group": one.c.group}
    fits = [column == getattr(wanted, name) for name, column in about.items() if getattr(wanted, name) is not None]
    found = select(one.c.id).join(document, document.c.id == one.c.doc1).where(document.c.text != "", *fits)
    yield from connection.execute(found.order_by(one.c.seq)).scalars()
