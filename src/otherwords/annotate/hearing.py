"""A hearing: the cases of a batch as somebody sees them who decides about them.

In go a batch and who looks, out come cases with their texts. Names are left out unless they are asked for, and the
opinions about each pair stand in an order of its own, so that nobody can be told by their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from otherwords.annotate.adjudicating import CURATORS, refuse_outsider, visible
from otherwords.annotate.batches import Batch, batches
from otherwords.annotate.disagreements import Case, Settled, Show, cases, queue, settled
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.units import Shown, shown_units
from otherwords.errors import NotAllowed

MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """A case with its texts."""

    pair: str
    position: int
    severity: float
    text1: str
    text2: str
    lang: str | None
    texts: tuple[str, ...]  # of a group
    context: bool  # there are documents to be looked at
    opinions: list[dict[str, Any]]
    decision: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Hearing:
    """The cases that come next, and how far the batch is."""

    cases: list[Heard]
    settled: Settled


def hearing(
    connection: Connection, viewer: str, role: str, of: Batch, scheme: Scheme, show: Show, *, named: bool
) -> Hearing:
    """What somebody decides about next in a batch; only curators may see who said what."""
    refuse_outsider(connection, viewer, role, of)
    if named and role not in CURATORS:
        raise NotAllowed("only curators see who said what; leave the names out")
    every = cases(connection, of, scheme)
    mine = _seen(connection, viewer, role, queue(every, show))
    shown = shown_units(connection, of.unit, [case.pair for case in mine])
    heard = [_heard(of, case, shown[case.pair], named=named) for case in mine if case.pair in shown]
    return Hearing(heard, settled(every))


def to_be_heard(connection: Connection, viewer: str, role: str) -> list[Batch]:
    """The batches that somebody may decide about: those that ask for more than one judgement of a pair."""
    told = []
    for of in batches(connection):
        if of.asked < 2:
            continue
        try:
            refuse_outsider(connection, viewer, role, of)
        except NotAllowed:
            continue
        told.append(of)
    return told


def by_people(of: Batch) -> bool:
    """Whether people decide about what a batch leaves open: not where a rule keeps pairs, or a crowd is counted."""
    return of.rules.keep is None and of.rules.tests is None and of.rules.gate is None


def undecided(connection: Connection, of: Batch, scheme: Scheme) -> list[str]:
    """The pairs of a batch that people disagree about and that nobody has decided."""
    return [case.pair for case in queue(cases(connection, of, scheme))]


def _seen(connection: Connection, viewer: str, role: str, queued: Sequence[Case]) -> list[Case]:
    """The first of the cases that somebody may see."""
    told: list[Case] = []
    for start in range(0, len(queued), MOST_AT_ONCE):
        block = queued[start : start + MOST_AT_ONCE]
        seen = visible(connection, viewer, role, [case.pair for case in block])
        told += [case for case in block if case.pair in seen]
        if len(told) >= MOST_AT_ONCE:
            break
    return told[:MOST_AT_ONCE]


def _heard(of: Batch, case: Case, shown: Shown, *, named: bool) -> Heard:
    opinions = [asdict(one) for one in sorted(case.opinions, key=lambda one: _by_chance(case.pair, one.id))]
    decision = asdict(case.decision) if case.decision else None
    if not named:
        for one in [*opinions, *([decision] if decision else [])]:
            del one["annotator"]
    return Heard(
        case.pair,
        case.position,
        case.severity,
        shown.text1,
        shown.text2,
        shown.lang,
        shown.texts,
        shown.context and of.rules.context,
        opinions,
        decision,
    )


def _by_chance(pair: str, opinion: str) -> bytes:
    return blake2b(f"{pair}\0{opinion}".encode(), digest_size=8).digest()
