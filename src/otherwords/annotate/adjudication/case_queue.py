"""The cases of a batch as an adjudicator sees them.

Names are left out unless a curator asks for them, and the opinions about each pair are in a random order of their own,
so that nobody can be recognised by their place.
"""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from otherwords.annotate.adjudication.decide import decidable_pairs, refuse_outsider
from otherwords.annotate.adjudication.disagreements import (
    Case,
    CaseFilter,
    CaseOutline,
    CaseTally,
    Resolution,
    case_outlines,
    cases_of,
    select_cases,
)
from otherwords.annotate.batches.batch import Batch, load_batches
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.annotate.visibility import CURATORS
from otherwords.annotate.work.tasks import ShownUnit, shown_units
from otherwords.digests import digest_bytes
from otherwords.errors import NotAllowed
from otherwords.project.ledger.rows import in_blocks

MAX_CASES = 200


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case with its texts."""

    pair: str
    position: int
    severity: float
    text1: str
    text2: str
    lang: str | None
    texts: tuple[str, ...]  # of a group
    context: bool  # there are documents to look at
    opinions: list[dict[str, Any]]
    decision: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class CaseQueue:
    """The next cases, and how far the batch is."""

    cases: list[CaseView]
    settled: Resolution


def load_case_queue(
    connection: Connection, viewer: str, role: str, batch: Batch, scheme: Scheme, show: CaseFilter, *, named: bool
) -> CaseQueue:
    """The cases of a batch that somebody may decide next; only curators may see who gave which answer."""
    refuse_outsider(connection, viewer, role, batch)
    if named and role not in CURATORS:
        raise NotAllowed("only curators see who said what; leave the names out", code="names-for-curators")
    tally = CaseTally()
    chosen = select_cases(tally.counting(case_outlines(connection, batch, scheme)), show)
    visible: list[CaseOutline] = []
    for block in in_blocks(chosen, MAX_CASES):
        decidable = decidable_pairs(connection, viewer, role, [case.pair for case in block])
        visible += [case for case in block if case.pair in decidable]
        if len(visible) >= MAX_CASES:
            break
    visible_cases = cases_of(connection, batch, visible[:MAX_CASES])
    units = shown_units(connection, batch.unit, [case.pair for case in visible_cases])
    views = [_view(batch, case, units[case.pair], named=named) for case in visible_cases if case.pair in units]
    return CaseQueue(views, tally.settled)


def adjudicable_batches(connection: Connection, viewer: str, role: str) -> list[Batch]:
    """The batches that somebody may adjudicate: those that ask for more than one judgement of a pair."""
    found = []
    for batch in load_batches(connection):
        if batch.asked >= 2:
            with contextlib.suppress(NotAllowed):
                refuse_outsider(connection, viewer, role, batch)
                found.append(batch)
    return found


def is_adjudicated(batch: Batch) -> bool:
    """Whether people decide what a batch leaves open: not where a rule keeps pairs, or a crowd is counted."""
    return batch.rules.keep is None and batch.rules.tests is None and batch.rules.gate is None


def undecided_pairs(connection: Connection, batch: Batch, scheme: Scheme) -> list[str]:
    """The pairs of a batch that people disagree about and that nobody has decided."""
    return [case.pair for case in select_cases(case_outlines(connection, batch, scheme))]


def _view(batch: Batch, case: Case, unit: ShownUnit, *, named: bool) -> CaseView:
    shuffled = sorted(case.opinions, key=lambda opinion: digest_bytes(case.pair, opinion.id))
    opinions = [asdict(opinion) for opinion in shuffled]
    decision = asdict(case.decision) if case.decision else None
    if not named:
        for answer in [*opinions, *([decision] if decision else [])]:
            del answer["annotator"]
    texts = (unit.text1, unit.text2, unit.lang, unit.texts, unit.context and batch.rules.context)
    return CaseView(case.pair, case.position, case.severity, *texts, opinions, decision)
