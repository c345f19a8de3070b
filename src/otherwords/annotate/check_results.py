"""What a blind check of rewrites found: the share of plain paraphrases among rewrites and among other pairs.

In goes a batch of :mod:`~otherwords.annotate.checking`, out come the figures of Kanerva et al. 2023, §6.1.1. A pair
counts when it is settled: by the consensus where people disagreed and the team resolved it, else by both saying the
same. Those that are still open leave room; the least and the most that the share can become are said beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.batches import Batch, batch
from otherwords.annotate.schemes import scheme
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project

IDS_A_QUERY = 500


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a check. Shares are of settled pairs; None where there is none."""

    pairs: int
    judged: int  # at least once
    complete: int
    agreed: int  # both said the same, and nobody had to resolve it
    adjudicated: int
    open: int  # both have judged it, and differ
    plain: int
    share: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Both halves of a check, and the label that a rewrite is meant to have."""

    batch: str
    label: str
    rewrites: Half
    others: Half


@dataclass(slots=True)
class _Checked:
    is_rewrite: bool
    asked: int = 0
    values: list[Any] = field(default_factory=list)
    first: int = 0  # the number of its first judgement in the check
    agreed_on: Any = None


def check_result(connection: Connection, project: Project, name: str) -> CheckResult:
    """How a check of rewrites has come out so far."""
    of = batch(connection, name)
    rewrite = scheme(of.scheme, project.folder).rewrite
    if of.purpose != "check" or rewrite is None:
        raise Refused(f"the batch {name!r} is no check of rewrites")
    checked = list(_checked(connection, of).values())
    halves = [[one for one in checked if one.is_rewrite is which] for which in (True, False)]
    return CheckResult(name, rewrite.label, *(_half(half, rewrite.label) for half in halves))


def _checked(connection: Connection, of: Batch) -> dict[str, _Checked]:
    """Every pair of a check with what was said of it there, and what the team agreed on since."""
    slot, said, one = schema.slots, schema.judgements, schema.pairs
    told = select(slot.c.item, one.c.rewrite_of, said.c.seq, said.c.value).where(slot.c.batch == of.id)
    both = slot.join(one, one.c.id == slot.c.item).outerjoin(said, said.c.id == slot.c.judgement)
    found: dict[str, _Checked] = {}
    for item, original, seq, value in connection.execute(told.select_from(both).order_by(slot.c.position)):
        row = found.setdefault(item, _Checked(original is not None))
        row.asked += 1
        if seq is not None:
            row.values.append(value)
            row.first = min(row.first or seq, seq)
    for pair, seq, value in _consensus(connection, of.scheme, list(found)):
        if found[pair].first and seq > found[pair].first:  # an older one says nothing about this check
            found[pair].agreed_on = value
    return found


def _consensus(connection: Connection, name: str, pairs: Sequence[str]) -> Iterator[tuple[str, int, Any]]:
    said = schema.judgements
    about = (said.c.unit == "pair", said.c.kind == "consensus", said.c.scheme == name, stands())
    for start in range(0, len(pairs), IDS_A_QUERY):
        block = said.c.pair.in_(pairs[start : start + IDS_A_QUERY])
        rows = select(said.c.pair, said.c.seq, said.c.value).where(block, *about).order_by(said.c.seq)
        for row in connection.execute(rows):
            yield row[0], row[1], row[2]


def _half(checked: Sequence[_Checked], label: str) -> Half:
    complete = [one for one in checked if one.values and len(one.values) == one.asked]
    adjudicated = [one.agreed_on for one in checked if one.agreed_on is not None]
    alone = [one.values for one in complete if one.agreed_on is None]
    agreed = [values[0] for values in alone if all(value == values[0] for value in values)]
    settled, still = [*adjudicated, *agreed], len(alone) - len(agreed)
    plain = sum(value == label for value in settled)
    return Half(
        pairs=len(checked),
        judged=sum(bool(one.values) for one in checked),
        complete=len(complete),
        agreed=len(agreed),
        adjudicated=len(adjudicated),
        open=still,
        plain=plain,
        share=_share(plain, len(settled)),
        least=_share(plain, len(settled) + still),
        most=_share(plain + still, len(settled) + still),
    )


def _share(some: int, of: int) -> float | None:
    return some / of if of else None
