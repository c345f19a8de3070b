"""Creating batches from a plan: which pairs, and what is to be done with them.

Choosing the pairs only reads (:mod:`~otherwords.annotate.batch_plans.selection`), so a site can do that while others
write, and create the batch afterwards. Every batch gets a line in the audit trail; a line without an actor comes from
the command line.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select

from otherwords.annotate import schemes
from otherwords.annotate.batch_plans.selection import Order, first_items, fitting_pairs, select_pairs, select_units
from otherwords.annotate.batch_plans.worth import RANDOM_SHARE, WORTH_ORDERS, Ranking, choose_by_worth
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, insert_batch, load_batch, set_state
from otherwords.annotate.batches.rule_checks import check_answer_rules, check_crowd_rules
from otherwords.annotate.browse.filter import NO_FILTER, Filter
from otherwords.digests import digest_hex, keyed_id
from otherwords.errors import Conflict, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project, now
from otherwords.records import Purpose, Unit

RESERVED = ("new", "check-rewrites")  # addresses of the site
DEFAULT_SCHEME = "turku"
MADE, CLOSED, OPENED = "batch made", "batch closed", "batch opened"  # actions of the audit trail
MOST_SEED = 2**63 - 1
_events = schema.events


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """A batch to be created: which pairs, and what is to be done with them."""

    name: str
    wanted: Filter = NO_FILTER
    pairs: tuple[str, ...] = ()  # only these; empty: all that fit
    sample: int | None = None
    seed: int = 0
    order: Order = "arrival"
    not_in: tuple[str, ...] = ()
    scheme: str | None = None  # None: the project's own
    asked: int = 1
    purpose: Purpose = "production"
    rules: BatchRules = field(default_factory=BatchRules)
    also_decided: bool = False  # a sample may have pairs that are decided or doubly judged
    random_share: float = RANDOM_SHARE  # of a batch that is ordered by worth
    models: tuple[str, ...] = ()  # that say what pairs are worth


def choose_items(
    connection: Connection, project: Project, plan: BatchPlan, rank: Ranking | None = None
) -> list[BatchItem]:
    """The pairs that a plan asks for, or the groups or document pairs if that is what its scheme is about.

    ``rank`` is the ranking of a plan whose order goes by worth.
    """
    unit = unit_of_scheme(project, plan.scheme)
    tests = plan.rules.known_pairs
    if plan.pairs and unit != "pair":
        message = f"pairs are named, and the scheme is about {unit.replace('_', ' ')}s; leave them out"
        raise Refused(message, "pairs", code="pairs-not-units")
    of_pairs = partial(select_pairs, connection, project, plan.wanted, without=tests, among=plan.pairs)
    select_items = of_pairs if unit == "pair" else partial(select_units, connection, unit, plan.wanted)
    sampled = plan.sample is not None and not plan.also_decided
    unsettled_in = resolve_scheme_name(project, plan.scheme) if sampled else None
    if plan.order in WORTH_ORDERS:
        if unit != "pair" or rank is None:
            message = f"only pairs can be ordered by {plan.order}, and by whoever knows models"
            raise Refused(message, "order", code="no-order-by-worth")
        names = fitting_pairs(connection, project, plan.wanted, plan.not_in, unsettled_in, tests, plan.pairs)
        items = choose_by_worth(connection, names, plan.sample, plan.seed, plan.random_share, rank)
        return first_items(connection, plan.rules, items)
    items = select_items(
        sample=plan.sample, seed=plan.seed, order=plan.order, not_in=plan.not_in, unsettled_in=unsettled_in
    )
    if sampled and not items:
        message = "nothing fits that nobody has decided about and fewer than two people have judged"
        raise Refused(f"{message}; to sample from all that fit, add --also-decided", code="empty-batch")
    return first_items(connection, plan.rules, items) if unit == "pair" else items


def unit_of_scheme(project: Project, scheme: str | None) -> Unit:
    """The unit that a scheme, or the project's own, is about."""
    return schemes.load_scheme(resolve_scheme_name(project, scheme), project.folder).unit


def create_batch(
    connection: Connection,
    project: Project,
    plan: BatchPlan,
    items: Sequence[BatchItem],
    author: str | None = None,
    key: str | None = None,
) -> Batch:
    """Create a batch of the chosen units; the same plan sent again under its key gives the batch that exists."""
    if existing := find_created(connection, plan, author, key):
        return existing
    refuse_reserved(plan.name)
    rules = msgspec.structs.replace(plan.rules, people=account_names(connection, plan.rules.people))
    name = resolve_scheme_name(project, plan.scheme)
    scheme = schemes.load_scheme(name, project.folder)
    check_answer_rules(rules, plan.asked, scheme)
    check_crowd_rules(connection, rules, items, plan.asked, scheme)
    insert_rows = partial(insert_batch, connection, plan.name, items, scheme=name, unit=scheme.unit)
    batch = insert_rows(asked=plan.asked, purpose=plan.purpose, rules=rules, author=author)
    if batch.unit == "pair":
        # Pairs that were removed, left out or withdrawn since they were chosen are left out.
        slots, pairs = schema.slots, schema.pairs
        usable = (pairs.c.id == slots.c.item, PRESENT, NOT_LEFT_OUT, pairs.c.text1 != "")
        there = select(pairs.c.seq).where(*usable).correlate(slots)
        connection.execute(delete(slots).where(slots.c.batch == batch.id, ~there.exists()))
    record_creation(connection, plan, author, key, len(items))
    return batch


def refuse_reserved(name: str) -> None:
    """Refuse a name that is an address of the site."""
    if name in RESERVED:
        raise Refused(f"{name!r} is a word of the site's own; choose another name", "name", code="reserved-name")


def record_creation(connection: Connection, plan: BatchPlan, author: str | None, key: str | None, pairs: int) -> None:
    """Add the creation of a batch of so many pairs to the audit trail."""
    detail = _plan_detail(plan, author, key) | {"pairs": pairs}
    connection.execute(insert(_events).values(time=now(), actor=author, action=MADE, detail=detail))


def find_created(connection: Connection, plan: BatchPlan, author: str | None, key: str | None) -> Batch | None:
    """The batch that was created from the same plan under the same key, if any."""
    if key is None:
        return None
    detail = _plan_detail(plan, author, key)
    same_key = (_events.c.action == MADE, _events.c.detail["key"].as_string() == detail["key"])
    earlier = connection.execute(select(_events.c.detail).where(*same_key)).scalar()
    if earlier is None:
        return None
    if {name: value for name, value in earlier.items() if name != "pairs"} != detail:
        raise Conflict("another batch was made under this key; load the page again", code="key-reused")
    return load_batch(connection, plan.name)


def creation_record(connection: Connection, name: str) -> dict[str, Any] | None:
    """What the audit trail says of how a batch was created; None if it came about by itself."""
    made = (_events.c.action == MADE, _events.c.detail["batch"].as_string() == name)
    return connection.execute(select(_events.c.detail).where(*made)).scalar()


def _plan_detail(plan: BatchPlan, author: str | None, key: str | None) -> dict[str, object]:
    """A plan as the audit trail keeps it."""
    plain = {
        name: getattr(plan, name) for name in ("sample", "seed", "order", "scheme", "asked", "purpose", "also_decided")
    }
    encoded: dict[str, object] = {
        "filter": plan.wanted.as_params(),
        "not_in": list(plan.not_in),
        "rules": msgspec.to_builtins(plan.rules),
    }
    if plan.pairs:
        encoded["named"] = {"pairs": len(plan.pairs), "digest": digest_hex(*plan.pairs)}
    if plan.order in WORTH_ORDERS:
        encoded |= {"random_share": plan.random_share, "models": list(plan.models)}
    sent = {"key": keyed_id("batch", author or "", key)} if key is not None else {}
    return {"batch": plan.name, **plain, **encoded, **sent}


def resolve_scheme_name(project: Project, name: str | None) -> str:
    """A scheme's name, or that of the project's own; refused if there is no such scheme."""
    chosen = name or project.config.scheme or DEFAULT_SCHEME
    schemes.load_scheme(chosen, project.folder)
    return chosen


def account_names(connection: Connection, names: Sequence[str]) -> list[str]:
    """People as their accounts spell them: a batch for a misspelt name would wait for somebody who never comes."""
    if not names:
        return []
    rows = connection.execute(select(schema.accounts.c.name, schema.accounts.c.state))
    accounts = {_fold(row.name): row for row in rows}
    for name in names:
        account = accounts.get(_fold(name))
        if account is None and _fold(name) in _invited(connection):
            message = f"{name!r} is invited and has not joined yet; make the batch when they have, or for anybody"
            raise Refused(message, code="not-joined")
        if account is None:
            message = f"nobody here is called {name!r}; invite them first: otherwords user invite"
            raise Refused(message, code="no-such-account")
        if account.state != "active":
            raise Refused(f"the account of {account.name} is closed; leave them out", code="account-closed")
    return list(dict.fromkeys(accounts[_fold(name)].name for name in names))


def _invited(connection: Connection) -> set[str]:
    """The names for which there are links that nobody has opened yet."""
    links = schema.invitations.c
    unused = (links.purpose == "join", links.account.is_not(None), links.until > time.time())
    return {_fold(name) for name in connection.execute(select(links.account).where(*unused)).scalars()}


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def change_batch_state(connection: Connection, name: str, state: str, author: str | None = None) -> Batch:
    """Close a batch or open it again; a state that it already has changes nothing."""
    before = load_batch(connection, name)
    after = set_state(connection, name, state)
    if before.state != after.state:
        event = {"actor": author, "action": OPENED if state == "open" else CLOSED, "detail": {"batch": name}}
        connection.execute(insert(_events).values(time=now(), **event))
    return after
