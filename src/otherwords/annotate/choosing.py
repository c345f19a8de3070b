"""Choosing pairs for a batch: all that a browse filter describes, or a random part of them.

In goes a filter, out come pairs with who made them. Chance is a keyed hash of the pairs' ids: the same seed takes the
same pairs in the same order, whatever the database and however often it is asked. Nothing is written, so a site can
choose while others write.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from sqlalchemy import Connection, select

from otherwords.annotate.batches import Wanted, batch
from otherwords.annotate.browsing import Viewer
from otherwords.annotate.pair_conditions import Condition
from otherwords.annotate.pair_filter import Filter
from otherwords.annotate.pair_labels import labels_in
from otherwords.annotate.pair_pages import MOST_ON_A_PAGE, Pairs, is_wanted, next_page
from otherwords.annotate.sight import hidden
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project

Order = Literal["arrival", "shuffled"]
IDS_A_QUERY = 500
SHOWN = 5  # pairs of a preview
LOOKED_AT = 50  # to find as many that may be shown
_one = schema.pairs


@dataclass(frozen=True, slots=True)
class _Found:
    seq: int
    id: str


def select_pairs(
    connection: Connection,
    project: Project,
    wanted: Filter,
    *,
    sample: int | None = None,
    seed: int = 0,
    order: Order = "arrival",
    not_in: Sequence[str] = (),
) -> list[Wanted]:
    """The pairs that fit and are in none of some batches, or a sample of them, each with who extracted or wrote it.

    A search looks into the index as it is: :func:`otherwords.project.search.catch_up` comes before.
    """
    check_sample(sample)
    names = [found.id for page in _pages(connection, project, wanted, not_in) for found in page]
    names = drawn(names, sample, seed, order)
    makers = makers_of(connection, names)
    return [Wanted(name, makers[name]) for name in names]


def check_sample(sample: int | None) -> None:
    """Refuse a sample of nothing, before anything is looked for."""
    if sample is not None and sample < 1:
        raise Refused(f"a sample has at least one in it, not {sample}")


def drawn(names: list[str], sample: int | None, seed: int, order: Order) -> list[str]:
    """A sample of what fits, where one is wanted, in the order that is wanted."""
    if sample is not None and sample < len(names):
        chosen = set(by_chance(names, seed, "sample")[:sample])
        names = [name for name in names if name in chosen]
    return by_chance(names, seed, "order") if order == "shuffled" else names


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair as a preview shows it."""

    id: str
    text1: str
    text2: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class Preview:
    """How many pairs fit, or fit at least where they are too many to count while somebody waits; and the first few."""

    pairs: int
    complete: bool
    first: list[Shown]


def preview(
    connection: Connection,
    project: Project,
    wanted: Filter,
    viewer: Viewer,
    not_in: Sequence[str] = (),
    seconds: float = math.inf,
) -> Preview:
    """What a filter would choose, counted for about so many seconds.

    A pair that the viewer has still to judge is counted and not shown: that it fits could say what others said of it.
    """
    number, first, end = 0, list[str](), time.monotonic() + seconds
    for found in _pages(connection, project, wanted, not_in):
        number += len(found)
        if len(first) < SHOWN:
            names = [one.id for one in found[:LOOKED_AT]]
            unseen = hidden(connection, viewer.name, viewer.role, names) if wanted.beyond_the_texts else set()
            first += [name for name in names if name not in unseen]
        if time.monotonic() > end:
            return Preview(number, False, _shown(connection, first[:SHOWN]))
    return Preview(number, True, _shown(connection, first[:SHOWN]))


def _shown(connection: Connection, names: Sequence[str]) -> list[Shown]:
    columns = (_one.c.id, _one.c.text1, _one.c.text2, _one.c.lang)
    rows = connection.execute(select(*columns).where(_one.c.id.in_(names)).order_by(_one.c.seq)).mappings()
    return [Shown(**row) for row in rows]


def by_chance(names: Iterable[str], seed: int, what: str) -> list[str]:
    """Names in a random order, which under the same seed is another one for another purpose."""
    key, person = str(seed).encode(), what.encode()
    return sorted(names, key=lambda name: (blake2b(name.encode(), key=key, person=person).digest(), name))


def makers_of(connection: Connection, names: Sequence[str]) -> dict[str, str | None]:
    """Who extracted or wrote each pair; None where it came from elsewhere."""
    told: dict[str, str | None] = {}
    maker = _one.c.meta["annotator"].as_string()
    for start in range(0, len(names), IDS_A_QUERY):
        block = _one.c.id.in_(names[start : start + IDS_A_QUERY])
        told |= {row[0]: row[1] for row in connection.execute(select(_one.c.id, maker).where(block))}
    return told


def _pages(connection: Connection, project: Project, wanted: Filter, not_in: Sequence[str]) -> Iterator[list[_Found]]:
    """All pairs that fit and have both their texts, in their order of arrival."""

    def kept(pairs: Pairs) -> list[_Found]:
        if wanted.label is not None or wanted.type is not None:
            standings = labels_in(connection, project, [pair["id"] for pair in pairs])
            pairs = [pair for pair in pairs if is_wanted(wanted, standings[pair["id"]])]
        return [_Found(pair["seq"], pair["id"]) for pair in pairs]

    more: list[Condition] = [_one.c.text1 != "", _one.c.text2 != "", *_in_none_of(connection, not_in)]
    after: int | None = 0
    while after is not None:
        found, after = next_page(connection, project, wanted, more, kept, after, MOST_ON_A_PAGE)
        yield found


def _in_none_of(connection: Connection, names: Sequence[str]) -> list[Condition]:
    for name in names:
        batch(connection, name)
    slot = schema.slots
    taken = select(slot.c.seq).where(slot.c.item == _one.c.id, slot.c.batch.in_(names)).correlate(_one)
    return [~taken.exists()] if names else []
