"""Making batches from a filter: what somebody plans becomes a batch, and a line in the audit trail.

In goes a plan, out comes a batch of :mod:`~otherwords.annotate.batches`. Choosing the pairs only reads
(:mod:`~otherwords.annotate.choosing`), so a site can do that while others write, and put the batch together after it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select

from otherwords.annotate import batches, schemes
from otherwords.annotate.batches import Batch, Rules, Wanted, batch
from otherwords.annotate.choosing import Order, select_pairs
from otherwords.annotate.choosing_units import select_units
from otherwords.annotate.crowd_rules import begun_with, check_crowd
from otherwords.annotate.once import id_of
from otherwords.annotate.pair_filter import EVERYTHING, Filter
from otherwords.annotate.rule_checks import check_rules
from otherwords.errors import Conflict, Refused
from otherwords.project import schema
from otherwords.project.project import Project, now
from otherwords.project.rows import PRESENT
from otherwords.records import Purpose, Unit

RESERVED = ("new", "check-rewrites")  # addresses of the site
DEFAULT_SCHEME = "turku"
MADE, CLOSED, OPENED = "batch made", "batch closed", "batch opened"
MOST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A batch as somebody wants it: which pairs, and what is to be done with them."""

    name: str
    wanted: Filter = EVERYTHING
    sample: int | None = None
    seed: int = 0
    order: Order = "arrival"
    not_in: tuple[str, ...] = ()
    scheme: str | None = None  # the project's, where it is empty
    asked: int = 1
    purpose: Purpose = "production"
    rules: Rules = field(default_factory=Rules)


def make_batch(
    connection: Connection, project: Project, plan: Plan, author: str | None = None, key: str | None = None
) -> Batch:
    """Choose the pairs of a plan and make its batch."""
    return put_together(connection, project, plan, choose(connection, project, plan), author, key)


def choose(connection: Connection, project: Project, plan: Plan) -> list[Wanted]:
    """The pairs that a plan asks for, or the groups or document pairs if that is what its scheme is about."""
    drawn: dict[str, Any] = {name: getattr(plan, name) for name in ("sample", "seed", "order", "not_in")}
    unit = unit_of(project, plan.scheme)
    if unit != "pair":
        return select_units(connection, unit, plan.wanted, **drawn)
    return begun_with(connection, plan.rules, select_pairs(connection, project, plan.wanted, **drawn))


def unit_of(project: Project, scheme: str | None) -> Unit:
    """What a scheme, or the project's own, asks about."""
    return schemes.scheme(known_scheme(project, scheme), project.folder).unit


def put_together(
    connection: Connection,
    project: Project,
    plan: Plan,
    chosen: Sequence[Wanted],
    author: str | None = None,
    key: str | None = None,
) -> Batch:
    """Make a batch of the chosen pairs; the same plan sent again under its key is the batch that is there."""
    if before := made_before(connection, plan, author, key):
        return before
    refuse_reserved(plan.name)
    rules = msgspec.structs.replace(plan.rules, people=known_people(connection, plan.rules.people))
    scheme = schemes.scheme(known_scheme(project, plan.scheme), project.folder)
    check_rules(rules, plan.asked, scheme)
    check_crowd(connection, rules, chosen, plan.asked, scheme)
    kind: dict[str, Any] = {"asked": plan.asked, "purpose": plan.purpose, "rules": rules, "author": author}
    kind["unit"] = unit_of(project, plan.scheme)
    made = batches.make(connection, plan.name, chosen, scheme=known_scheme(project, plan.scheme), **kind)
    if made.unit == "pair":
        _drop_removed(connection, made.id)
    note_made(connection, plan, author, key, len(chosen))
    return made


def refuse_reserved(name: str) -> None:
    """Refuse a name that is an address of the site."""
    if name in RESERVED:
        raise Refused(f"{name!r} is a word of the site's own; give the batch another name")


def note_made(connection: Connection, plan: Plan, author: str | None, key: str | None, pairs: int) -> None:
    """Write down that a batch was made, and of what."""
    _note(connection, author, MADE, _told(plan, author, key) | {"pairs": pairs})


def made_before(connection: Connection, plan: Plan, author: str | None, key: str | None) -> Batch | None:
    """The batch that was made under the same key, if there is one and it is the same."""
    if key is None:
        return None
    one, told = schema.events, _told(plan, author, key)
    same = (one.c.action == MADE, one.c.detail["key"].as_string() == told["key"])
    found = connection.execute(select(one.c.detail).where(*same)).scalar()
    if found is None:
        return None
    if {name: value for name, value in found.items() if name != "pairs"} != told:
        raise Conflict("another batch was made under this key; load the page again")
    return batch(connection, plan.name)


def made_from(connection: Connection, name: str) -> dict[str, Any] | None:
    """What the audit trail has of how a batch was made; None of one that came about by itself."""
    one = schema.events
    same = (one.c.action == MADE, one.c.detail["batch"].as_string() == name)
    return connection.execute(select(one.c.detail).where(*same)).scalar()


def _told(plan: Plan, author: str | None, key: str | None) -> dict[str, Any]:
    """A plan as the audit trail keeps it."""
    plain = {name: getattr(plan, name) for name in ("sample", "seed", "order", "scheme", "asked", "purpose")}
    others = {"filter": plan.wanted.as_params(), "not_in": list(plan.not_in), "rules": msgspec.to_builtins(plan.rules)}
    sent = {"key": id_of("batch", author or "", key)} if key is not None else {}
    return {"batch": plan.name, **plain, **others, **sent}


def _drop_removed(connection: Connection, name: str) -> None:
    """Leave out what was removed or withdrawn since the pairs were chosen."""
    slot, one = schema.slots, schema.pairs
    there = select(one.c.seq).where(one.c.id == slot.c.item, PRESENT, one.c.text1 != "").correlate(slot)
    connection.execute(delete(slot).where(slot.c.batch == name, ~there.exists()))


def known_scheme(project: Project, name: str | None) -> str:
    """The scheme of that name, or the project's own; one that there is not is refused."""
    wanted = name or project.config.scheme or DEFAULT_SCHEME
    schemes.scheme(wanted, project.folder)
    return wanted


def known_people(connection: Connection, names: Sequence[str]) -> list[str]:
    """These people as their accounts spell them: a misspelt name would wait for somebody who never comes."""
    if not names:
        return []
    one = schema.accounts
    accounts = {_folded(row.name): row for row in connection.execute(select(one.c.name, one.c.state))}
    for name in names:
        found = accounts.get(_folded(name))
        if found is None:
            raise Refused(f"nobody here is called {name!r}; invite them first: otherwords user invite")
        if found.state != "active":
            raise Refused(f"the account of {found.name} is closed; leave them out")
    return list(dict.fromkeys(accounts[_folded(name)].name for name in names))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def change_state(connection: Connection, name: str, state: str, author: str | None = None) -> Batch:
    """Close a batch or open it again; what it is already changes nothing."""
    before = batch(connection, name)
    after = batches.close(connection, name, state)
    if before.state != after.state:
        _note(connection, author, OPENED if state == "open" else CLOSED, {"batch": name})
    return after


def _note(connection: Connection, author: str | None, action: str, detail: dict[str, Any]) -> None:
    """Write down a change; without an author it came from the command line."""
    row = {"time": now(), "actor": author, "action": action, "detail": detail}
    connection.execute(insert(schema.events).values(**row))
