"""The judgements that agreement is measured on, from a ledger or from files: only what stands, and what was asked for.

They are kept as columns of numbers, one set for each scheme and unit: a million judgements of a few people with a few
labels are little more than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, select

from otherwords.analyse.agree_tables import plain_rows
from otherwords.annotate.export_lines import AT_HOME, SIMULATED
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.project import schema
from otherwords.project.config import NAME
from otherwords.project.rows import records
from otherwords.records import Judgement, Pair, phenomena_in
from otherwords.sources import reading

COMPARED = ("individual", "consensus")
ROWS_AT_A_TIME = 5000


@dataclass(slots=True)
class Typed:
    """Judgements that list phenomena, whole, and the pairs whose texts they do not carry."""

    judgements: list[Judgement] = field(default_factory=list)
    pairs: dict[str, Pair] = field(default_factory=dict)


@dataclass(slots=True)
class Said:
    """The judgements of one scheme and unit: places of unit, annotator and value, a row a judgement, in their order.

    A value that was given often is there once. The consensus has no annotator.
    """

    units: list[int] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    batches: list[str | None] = field(default_factory=list)
    times: list[str | None] = field(default_factory=list)
    unit_names: dict[str, int] = field(default_factory=dict)
    names: dict[str | None, int] = field(default_factory=dict)
    known: dict[Any, int] = field(default_factory=dict)
    all_values: list[Any] = field(default_factory=list)
    typed: Typed = field(default_factory=Typed)

    def add(self, unit: str, who: str | None, value: Any, batch: str | None = None, time: str | None = None) -> None:
        """One judgement more; None is the consensus."""
        self.units.append(self.unit_names.setdefault(unit, len(self.unit_names)))
        self.people.append(self.names.setdefault(who, len(self.names)))
        key = value if type(value) is str else msgspec.json.encode(value)
        place = self.known.setdefault(key, len(self.known))
        if place == len(self.all_values):
            self.all_values.append(value)
        self.values.append(place)
        self.batches.append(batch)
        self.times.append(time)


Sets = dict[tuple[str | None, str], Said]  # by scheme and unit


@dataclass(frozen=True, slots=True)
class Wish:
    """Which judgements to take: of a scheme, a batch, a purpose; None for all."""

    scheme: str | None = None
    batch: str | None = None
    purpose: str | None = None
    simulated: bool = False  # of files: also what was simulated, as what it stands for


def is_project(path: str | Path) -> bool:
    """Whether a path is the folder of a project."""
    return str(path) != "-" and (Path(path) / NAME).is_file()


def from_ledger(connection: Connection, wish: Wish, own: Scheme | None = None) -> Sets:
    """The judgements of a project that stand; those that name no scheme are of the project's own."""
    said, conditions = schema.judgements, _wanted(wish, own)
    team = said.c.kind == "consensus"
    columns = (said.c.scheme, said.c.unit, said.c.pair, said.c.annotator, said.c.value, said.c.batch, said.c.time)
    query = select(*columns, team).where(*conditions).order_by(said.c.seq)
    sets: Sets = {}
    for row in connection.execute(query.execution_options(yield_per=ROWS_AT_A_TIME)):
        scheme, unit, pair, who, value, batch, time, consensus = row
        scheme = scheme or (own.name if own is not None and own.unit == unit else None)
        sets.setdefault((scheme, unit), Said()).add(pair, None if consensus else who, value, batch, time)
    for (scheme, unit), one in sets.items():
        if any(map(phenomena_in, one.all_values)):
            mine = (_of_scheme(scheme, own), said.c.unit == unit, *conditions)
            one.typed.judgements += records(connection, Judgement, *mine)
            named = select(said.c.pair).where(*mine)
            one.typed.pairs |= {pair.id: pair for pair in records(connection, Pair, schema.pairs.c.id.in_(named))}
    return sets


def _of_scheme(name: str | None, own: Scheme | None) -> ColumnElement[bool]:
    """The condition that a judgement is of a scheme: it names it, or names none where that is the project's own."""
    said = schema.judgements
    if own is None or name != own.name:
        return said.c.scheme == name
    return (said.c.scheme == name) | (said.c.scheme.is_(None) & (said.c.unit == own.unit))


def _wanted(wish: Wish, own: Scheme | None) -> list[Any]:
    """The conditions of what stands and was asked for."""
    said = schema.judgements
    conditions = [said.c.kind.in_(COMPARED), said.c.annotator.is_not(None) | (said.c.kind == "consensus"), stands()]
    if wish.purpose is None:  # answers to hidden tests say something of people, not of pairs
        conditions.append(said.c.purpose != "gold")
    if wish.scheme is not None:
        conditions.append(_of_scheme(wish.scheme, own))
    for column, wanted in ((said.c.batch, wish.batch), (said.c.purpose, wish.purpose)):
        if wanted is not None:
            conditions.append(column == wanted)
    return conditions


def from_files(
    paths: Iterable[str | Path], wish: Wish, *, format: str | None = None, columns: dict[str, str] | None = None
) -> tuple[Sets, list[str]]:
    """The judgements of files that stand, and a sentence about each kind that was left out."""
    sets: Sets = {}
    left_out: Counter[str] = Counter()
    told: list[Judgement] = []
    for path in paths:
        rows = plain_rows(path, columns) if format is None and wish.batch is None and wish.purpose is None else None
        if rows is None:
            told += _judgements(path, format, columns)
            continue
        plain = sets.setdefault((wish.scheme, "pair"), Said())
        for unit, who, value in rows:
            plain.add(unit, who, value)
    told = [at_home(one) for one in told] if wish.simulated else told
    superseded = {one.supersedes for one in told if one.supersedes and one.supersedes != one.id}
    for one in told:
        if reason := _left_out(one, superseded, wish):
            left_out[reason] += 1
        else:
            of = sets.setdefault((one.scheme or wish.scheme, one.unit), Said())
            of.add(one.pair, None if one.kind == "consensus" else one.annotator, one.value, one.batch, one.time)
            if isinstance(one.value, list | dict):  # also an answer without any: it is no paraphrase
                of.typed.judgements.append(one)
    return sets, [f"{count:,} judgements left out: {reason}" for reason, count in left_out.most_common()]


def at_home(one: Judgement) -> Judgement:
    """A simulated judgement as the kind that it has in its project."""
    if one.kind != SIMULATED:
        return one
    return msgspec.structs.replace(one, kind=one.meta.get(AT_HOME, "individual"))


def _left_out(one: Judgement, superseded: set[str], wish: Wish) -> str | None:
    """Why a judgement is not compared; None if it is."""
    if one.id in superseded:
        return "superseded by a later one"
    if one.value is None:
        return "taken back"
    if one.kind not in COMPARED:
        return f"of kind {one.kind}, not by one person"
    if one.annotator is None and one.kind != "consensus":
        return "it is not known whose they are"
    if one.scheme and wish.scheme and one.scheme != wish.scheme:
        return f"of another scheme than {wish.scheme}"
    if wish.batch not in (None, one.batch):
        return f"not of batch {wish.batch}"
    return f"not for {wish.purpose}" if wish.purpose not in (None, one.purpose) else None


def _judgements(path: str | Path, format: str | None, columns: dict[str, str] | None) -> Iterator[Judgement]:
    with reading(path, format, noun="judgements", columns=columns) as judgements:
        for one in judgements:
            if isinstance(one, Judgement):
                yield one
