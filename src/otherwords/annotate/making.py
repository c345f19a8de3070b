"""Making batches: which pairs, in which order, and that somebody made it.

In goes what a browse filter describes, all of it or a random part; out comes a batch of
:mod:`~otherwords.annotate.batches`, and a line in the audit trail. Chance is a keyed hash of the pairs' ids: the same
seed takes the same pairs in the same order, whatever the database and however often. Choosing only reads, so a site
can do it while others write, and put the batch together afterwards.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, insert, select

from otherwords.annotate import batches
from otherwords.annotate.batches import Batch, Rules, Wanted, batch
from otherwords.annotate.once import id_of
from otherwords.annotate.pair_conditions import Condition
from otherwords.annotate.pair_filter import EVERYTHING, Filter
from otherwords.annotate.pair_labels import labels_of
from otherwords.annotate.pair_pages import MOST_ON_A_PAGE, Pairs, is_wanted, next_page
from otherwords.annotate.schemes import scheme
from otherwords.errors import Conflict, Refused
from otherwords.project import schema
from otherwords.project.project import Project, now
from otherwords.records import Purpose

Order = Literal["arrival", "shuffled"]
RESERVED = ("new", "preview", "check-rewrites")  # pages and addresses of the site
DEFAULT_SCHEME = "turku"
MADE = "batch made"
IDS_A_QUERY = 500
_one = schema.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A batch as somebody wants it: which pairs, and what is to be done with them."""

    name: str
    wanted: Filter = EVERYTHING
    sample: int | None = None
    seed: int = 0
    order: Order = "arrival"
    not_in: tuple[str, ...] = ()
    scheme: str | None = None
    asked: int = 1
    purpose: Purpose = "production"
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True, slots=True)
class _Found:
    seq: int
    id: str


def make_batch(
    connection: Connection, project: Project, plan: Plan, author: str | None = None, key: str | None = None
) -> Batch:
    """Choose the pairs and make the batch. A search looks into the index as it is: catch up with it before."""
    return put_together(connection, project, plan, choose(connection, project, plan), author, key)


def choose(connection: Connection, project: Project, plan: Plan) -> list[Wanted]:
    """The pairs that a plan asks for."""
    chance = {"sample": plan.sample, "seed": plan.seed, "order": plan.order}
    return select_pairs(connection, project, plan.wanted, not_in=plan.not_in, **chance)  # type: ignore[arg-type]


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
    """The pairs that fit, or a random part of them, each with who extracted or wrote it; none that is in a batch of ``not_in``."""
    if sample is not None and sample < 1:
        raise Refused(f"a sample has at least one pair, not {sample}")
    names = [found.id for found in _fitting(connection, project, wanted, not_in)]
    if sample is not None and sample < len(names):
        drawn = set(by_chance(names, seed, "sample")[:sample])
        names = [name for name in names if name in drawn]
    if order == "shuffled":
        names = by_chance(names, seed, "order")
    makers = makers_of(connection, names)
    return [Wanted(name, makers[name]) for name in names]


def count_pairs(connection: Connection, project: Project, wanted: Filter, not_in: Sequence[str] = ()) -> int:
    """How many pairs fit."""
    return sum(1 for _ in _fitting(connection, project, wanted, not_in))


def by_chance(names: Iterable[str], seed: int, what: str) -> list[str]:
    """Names in a random order, which is another one for another purpose under the same seed."""
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


def _fitting(connection: Connection, project: Project, wanted: Filter, not_in: Sequence[str]) -> Iterator[_Found]:
    """All pairs that fit and have both their texts, in their order of arrival."""

    def kept(pairs: Pairs) -> list[_Found]:
        if wanted.label is not None or wanted.type is not None:
            standings = labels_of(connection, [pair["id"] for pair in pairs], project.config.scheme)
            pairs = [pair for pair in pairs if is_wanted(wanted, standings[pair["id"]])]
        return [_Found(pair["seq"], pair["id"]) for pair in pairs]

    more: list[Condition] = [_one.c.text1 != "", _one.c.text2 != "", *_in_none_of(connection, not_in)]
    after: int | None = 0
    while after is not None:
        found, after = next_page(connection, project, wanted, more, kept, after, MOST_ON_A_PAGE)
        yield from found


def _in_none_of(connection: Connection, names: Sequence[str]) -> list[Condition]:
    for name in names:
        batch(connection, name)
    slot = schema.slots
    taken = select(slot.c.seq).where(slot.c.item == _one.c.id, slot.c.batch.in_(names)).correlate(_one)
    return [~taken.exists()] if names else []


def put_together(
    connection: Connection,
    project: Project,
    plan: Plan,
    chosen: Sequence[Wanted],
    author: str | None = None,
    key: str | None = None,
) -> Batch:
    """Make a batch of the chosen pairs; the same plan sent again under its key is the batch that is there."""
    told = _told(plan) | ({"key": id_of("batch", author or "", key)} if key is not None else {})
    if key is not None and (before := _made_before(connection, told)):
        return before
    if plan.name in RESERVED:
        raise Refused(f"{plan.name!r} is a word of the site's own; give the batch another name")
    rules = msgspec.structs.replace(plan.rules, people=known_people(connection, plan.rules.people))
    kind: dict[str, Any] = {"asked": plan.asked, "purpose": plan.purpose, "rules": rules, "author": author}
    made = batches.make(connection, plan.name, chosen, scheme=scheme_of(project, plan.scheme), **kind)
    note(connection, author, MADE, told | {"pairs": len(chosen)})
    return made


def scheme_of(project: Project, name: str | None) -> str:
    """The scheme of that name, or of the project; one that there is not is refused."""
    return scheme(name or project.config.scheme or DEFAULT_SCHEME, project.folder).name


def known_people(connection: Connection, names: Sequence[str]) -> list[str]:
    """These people as their accounts spell them: a misspelt name would wait for somebody who never comes."""
    one = schema.accounts
    accounts = {_folded(row.name): row for row in connection.execute(select(one.c.name, one.c.state))}
    for name in names:
        found = accounts.get(_folded(name))
        if found is None:
            raise Refused(f"nobody here is called {name!r}; invite them first: otherwords user invite")
        if found.state != "active":
            raise Refused(f"the account of {found.name} is closed")
    return list(dict.fromkeys(accounts[_folded(name)].name for name in names))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def _told(plan: Plan) -> dict[str, Any]:
    """A plan as the audit trail keeps it."""
    plain = {name: getattr(plan, name) for name in ("sample", "seed", "order", "scheme", "asked", "purpose")}
    others = {"filter": plan.wanted.as_params(), "not_in": list(plan.not_in), "rules": msgspec.to_builtins(plan.rules)}
    return {"batch": plan.name, **plain, **others}


def _made_before(connection: Connection, told: dict[str, Any]) -> Batch | None:
    one = schema.events
    same = (one.c.action == MADE, one.c.detail["key"].as_string() == told["key"])
    found = connection.execute(select(one.c.detail).where(*same)).scalar()
    if found is None:
        return None
    if {name: value for name, value in found.items() if name != "pairs"} != told:
        raise Conflict("another batch was made under this key; load the page again")
    return batch(connection, told["batch"])


def change_state(connection: Connection, name: str, state: str, author: str | None = None) -> Batch:
    """Close a batch or open it again; what it is already changes nothing."""
    before = batch(connection, name)
    after = batches.close(connection, name, state)
    if before.state != after.state:
        note(connection, author, "batch closed" if state == "closed" else "batch opened", {"batch": name})
    return after


def note(connection: Connection, author: str | None, action: str, detail: dict[str, Any]) -> None:
    """Write down a change; without an author it was the command line."""
    row = {"time": now(), "actor": author, "action": action, "detail": detail}
    connection.execute(insert(schema.events).values(**row))
