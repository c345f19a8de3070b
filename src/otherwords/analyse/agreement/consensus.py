"""Accuracy against the consensus: how often an annotator's own judgement is the one that the team arrives at.

Follows Kanerva et al. 2023, §6.1. The consensus on a unit is the team's decision or, where the team did not have to
decide, the value that all its annotators gave, if there are two or more of them. A unit on which annotators disagree
and nobody has decided has no consensus and is left out; so is every unit as long as the team has decided nothing,
because what is left would be the units on which nobody can be wrong.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, literal, select, union

from otherwords.analyse.agreement.answers import find_scheme, project_scheme
from otherwords.analyse.judgement_columns import JudgementTable
from otherwords.analyse.judgement_tables import JudgementFilter, from_ledger
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import LabelError
from otherwords.labels import parse_label
from otherwords.project.ledger import schema
from otherwords.project.project import Project
from otherwords.records import MODEL_PREFIX

OwnAndTeam = tuple[Any, Any]  # one annotator's value, and the team's


@dataclass(frozen=True, slots=True)
class Agreement:
    """The share of somebody's judgements that match the consensus; if nothing can be compared, the reason."""

    compared: int
    full: float | None = None
    base: float | None = None
    reason: str | None = None
    undecided: int = 0  # pairs that are left out: others say something else, and nobody has decided


@dataclass(frozen=True, slots=True)
class ConsensusCounts:
    """Of how many units the team decided, all annotators agree, or neither."""

    decided: int = 0
    agreed: int = 0
    disputed: int = 0


def add_agreed(table: JudgementTable, scheme: Scheme | None) -> ConsensusCounts:
    """Add to a table with decisions of the team the consensus of the units on which all annotators agree."""
    team = table.annotator_index.get(None)
    if team is None:
        return ConsensusCounts()
    names, spelled = list(table.unit_index), canonical_values(table, scheme)
    decided = agreed = disputed = 0
    for unit, values in latest_values(table).items():
        decided += team in values
        if team in values or len(values) < 2:
            continue
        given = {spelled[value] for value in values.values()}
        agreed += len(given) == 1
        disputed += len(given) > 1
        if len(given) == 1:
            table.add(names[unit], None, table.distinct_values[next(iter(values.values()))])
    return ConsensusCounts(decided, agreed, disputed)


def latest_values(table: JudgementTable) -> dict[int, dict[int, int]]:
    """The value that each annotator, or the team, gave last to each unit; all three by number."""
    latest: dict[int, dict[int, int]] = defaultdict(dict)
    for unit, annotator, value in zip(table.units, table.annotators, table.values, strict=True):
        latest[unit][annotator] = value
    return latest


def canonical_values(table: JudgementTable, scheme: Scheme | None) -> list[str]:
    """Each distinct value of a table in the scheme's spelling, as text; one outside the scheme as it is."""
    spelled = []
    for value in table.distinct_values:
        try:
            canonical = scheme.normalise(value) if scheme is not None else value
        except LabelError:
            canonical = value
        spelled.append(canonical if isinstance(canonical, str) else msgspec.json.encode(canonical).decode())
    return spelled


def accuracies(
    connection: Connection, project: Project | None = None, annotator: str | None = None
) -> dict[str, Agreement]:
    """The accuracy of one annotator, or of everybody who judged a pair that has a consensus, by name.

    The schemes are those of ``project``.
    """
    column = schema.judgements.c
    is_decision = column.kind == literal("consensus", literal_execute=True)
    if connection.execute(select(column.seq).where(is_decision, is_current()).limit(1)).first() is None:
        return {} if annotator is None else {annotator: accuracy([], 0)}
    default_scheme, folder = (project_scheme(project), project.folder) if project is not None else (None, None)
    tables, _ = from_ledger(connection, JudgementFilter(), default_scheme, settled_pairs(annotator))
    decided = 0
    compared: dict[str, list[OwnAndTeam]] = defaultdict(list)
    undecided: Counter[str] = Counter()
    for key, table in tables.items():
        if key.unit != "pair" or key.anonymous:
            continue
        scheme = find_scheme(key.scheme, table.distinct_values, folder)
        decided += add_agreed(table, scheme).decided
        names, spelled = list(table.annotator_index), canonical_values(table, scheme)
        team = table.annotator_index.get(None)
        for values in latest_values(table).values() if team is not None else ():
            own = {name: value for person, value in values.items() if (name := names[person])}
            if team in values:
                for name, value in own.items():
                    compared[name].append((spelled[value], spelled[values[team]]))
            elif len(own) > 1:
                undecided.update(own.keys())
    people = set(compared) | set(undecided) | ({annotator} if annotator is not None else set())
    return {name: replace(accuracy(compared[name], decided), undecided=undecided[name]) for name in people}


def shared_pairs(annotator: str | None = None) -> Select[tuple[str]]:
    """Pairs with judgements by two people, one of whom may be given, or with a decision of the team.

    The kind is a literal so that a partial index is used.
    """
    column = schema.judgements.c
    by_people = ~column.annotator.startswith(MODEL_PREFIX, autoescape=True)  # by the name, which is in the index
    several = select(column.pair).where(by_people).group_by(column.pair)
    several = several.having(func.min(column.annotator) < func.max(column.annotator))
    if annotator is not None:
        several = several.where(column.pair.in_(select(column.pair).where(column.annotator == annotator)))
    decided = select(column.pair).where(column.kind == literal("consensus", literal_execute=True))
    return select(union(several, decided).subquery().c.pair)


def settled_pairs(annotator: str | None) -> Select[tuple[str]]:
    """Those for which no batch waits for a further judgement, which must not show in anybody's accuracy before."""
    slots, batches = schema.slots, schema.batches
    several = (batches.c.asked > 1, batches.c.state == "open", slots.c.judgement.is_(None), slots.c.position >= 0)
    awaited = select(slots.c.item).join(batches, batches.c.id == slots.c.batch).where(*several)
    shared = shared_pairs(annotator).subquery()
    return select(shared.c.pair).where(shared.c.pair.not_in(awaited))


def accuracy(compared: list[OwnAndTeam], decided: int) -> Agreement:
    """The share of matches, with full labels and without flags, where the team has decided on that many pairs."""
    if not decided:
        return Agreement(0, reason="the team has not decided on any pair yet")
    if not compared:
        return Agreement(0, reason="none of the pairs judged so far has a consensus")
    full = sum(own == team for own, team in compared)
    base = sum(_without_flags(own) == _without_flags(team) for own, team in compared)
    return Agreement(len(compared), full / len(compared), base / len(compared))


@functools.lru_cache(maxsize=256)
def _without_flags(label: str) -> str:
    """A Turku label without its flags; any other label as it is."""
    try:
        return parse_label(label).base
    except LabelError:
        return label
