"""The current judgements that agreement is measured on, from a ledger or from files.

Unless a purpose or a batch is asked for, only judgements for the corpus and those of batches made for agreement are
compared: training, blind checks, quality control and hidden tests measure something else. Where two people judged a
pair for agreement, only they are compared, and not whoever judged it before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from otherwords.analyse.agreement.plain_tables import plain_rows
from otherwords.analyse.judgement_columns import AGREEMENT, PRODUCTION, JudgementTables, table_for
from otherwords.annotate.browse.export import ORIGINAL_KIND, SIMULATED
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.digests import digest_bytes
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import MODEL, Judgement, Pair, Purpose, phenomena_in
from otherwords.sources import open_records

BY_PEOPLE = ("individual", "vote")
LETTER, DIGITS = "a", 2


def annotator_aliases(connection: Connection) -> dict[str, str]:
    """Aliases by name of everybody who has a current judgement.

    Whoever has judged most is a01; among those who have judged equally much the order says nothing about their names.
    """
    annotator, kind = schema.judgements.c.annotator, schema.judgements.c.kind
    by_people = (annotator.is_not(None), kind.in_(BY_PEOPLE), is_current())
    counts = connection.execute(select(annotator, func.count()).where(*by_people).group_by(annotator))
    people = {name: int(count) for name, count in counts}
    order = sorted(people, key=lambda name: (-people[name], digest_bytes(name, size=64)))
    digits = max(DIGITS, len(str(len(order))))
    return {name: f"{LETTER}{place:0{digits}}" for place, name in enumerate(order, 1)}


COMPARED_KINDS = ("individual", "consensus", MODEL)
COMPARED_PURPOSES = (PRODUCTION, AGREEMENT)
HIDDEN_TESTS = "gold"  # answers to them are about annotators, not about pairs
VOTE = "vote"
EARLIER = "made for production, of what two or more people judged for agreement"
ROWS_AT_A_TIME = 5000
LeftOut = Counter[str]  # judgements by the reason why they are not compared


@dataclass(frozen=True, slots=True)
class JudgementFilter:
    """Which judgements to compare, by scheme, batch and purpose."""

    scheme: str | None = None
    batch: str | None = None
    purposes: tuple[str, ...] = ()  # none: those of the batch, or else those that agreement is usually measured on
    simulated: bool = False  # in files: include simulated judgements, as the kind that they stand for
    main_scheme: str | None = None  # in files: that of judgements that name none

    def compares(self, purpose: str) -> bool:
        """Whether judgements for a purpose are compared."""
        if self.purposes:
            return purpose in self.purposes
        return purpose != HIDDEN_TESTS if self.batch else purpose in COMPARED_PURPOSES


def is_project(path: str | Path) -> bool:
    """Whether a path is the folder of a project."""
    return str(path) != "-" and (Path(path) / CONFIG_FILE).is_file()


def from_ledger(
    connection: Connection,
    selection: JudgementFilter,
    default_scheme: Scheme | None = None,
    pairs: Select[tuple[str]] | None = None,
) -> tuple[JudgementTables, LeftOut]:
    """The current judgements of a project, or of some of its ``pairs``, and what is left out.

    Judgements without a scheme belong to the project's default scheme.
    """
    column = schema.judgements.c
    conditions = _conditions(selection, default_scheme) + ([] if pairs is None else [column.pair.in_(pairs)])
    names = ("scheme", "unit", "pair", "annotator", "value", "batch", "time", "purpose", "kind")
    query = select(*(column[name] for name in names)).where(*conditions).order_by(column.seq)
    tables: JudgementTables = {}
    left_out: LeftOut = Counter()
    for row in connection.execute(query.execution_options(yield_per=ROWS_AT_A_TIME)):
        scheme, unit, pair, annotator, value, batch, time, purpose, kind = row
        if not selection.compares(purpose):
            left_out[_made_for(purpose)] += 1
            continue
        scheme = scheme or (default_scheme.name if default_scheme is not None and default_scheme.unit == unit else None)
        table = table_for(tables, scheme, unit, anonymous=kind == VOTE)
        if kind == MODEL:
            table.by_models.append((pair, annotator, value))
            continue
        table.add(pair, None if kind == "consensus" else annotator, value, batch, time, purpose)
    tables = _judged_by_people(tables)
    for key, table in tables.items():
        if any(map(phenomena_in, table.distinct_values)):
            own = (_has_scheme(key.scheme, default_scheme), column.unit == key.unit, *conditions)
            typed = read_records(connection, Judgement, *own, column.kind != MODEL)
            table.typed.judgements += [judgement for judgement in typed if selection.compares(judgement.purpose)]
            pair_ids = select(column.pair).where(*own)
            table.typed.pairs |= {
                pair.id: pair for pair in read_records(connection, Pair, schema.pairs.c.id.in_(pair_ids))
            }
    return tables, left_out + _leave_out_earlier(tables, selection)


def _has_scheme(name: str | None, default_scheme: Scheme | None) -> ColumnElement[bool]:
    """The condition that a judgement belongs to a scheme, by name or because it is the default."""
    column = schema.judgements.c
    if default_scheme is None or name != default_scheme.name:
        return column.scheme == name
    return (column.scheme == name) | (column.scheme.is_(None) & (column.unit == default_scheme.unit))


def _conditions(selection: JudgementFilter, default_scheme: Scheme | None) -> list[ColumnElement[bool]]:
    column = schema.judgements.c
    by_somebody = column.kind.in_(COMPARED_KINDS) & (column.annotator.is_not(None) | (column.kind == "consensus"))
    conditions = [by_somebody | and_(column.kind == VOTE, column.annotator.is_(None)), is_current()]
    if selection.scheme is not None:
        conditions.append(_has_scheme(selection.scheme, default_scheme))
    if selection.batch is not None:
        conditions.append(column.batch == selection.batch)
    return conditions


def _made_for(purpose: str) -> str:
    return f"made for {purpose}"


def _leave_out_earlier(tables: JudgementTables, selection: JudgementFilter) -> LeftOut:
    """Leave out earlier judgements of what was judged for agreement, unless somebody asked for them; how many."""
    left_out: LeftOut = Counter()
    for key, table in tables.items() if not selection.purposes and not selection.batch else ():
        tables[key] = table.without_earlier()
        left_out[EARLIER] += len(table.units) - len(tables[key].units)
    return left_out


def _judged_by_people(tables: JudgementTables) -> JudgementTables:
    """Tables without those that models alone judged: there is nobody to compare them with."""
    return {key: table for key, table in tables.items() if table.units or not table.by_models}


def other_purposes(left_out: LeftOut) -> list[str]:
    """The purposes whose judgements are left out, and can be compared on request."""
    return [purpose for purpose in get_args(Purpose) if left_out[_made_for(purpose)]]


def left_out_remarks(left_out: LeftOut) -> list[str]:
    """A remark for each reason, the most frequent first."""
    return [
        f"{count:,} judgement{'s' * (count != 1)} left out: {reason}"
        for reason, count in left_out.most_common()
        if count
    ]


def from_files(
    paths: Iterable[str | Path],
    selection: JudgementFilter,
    *,
    format: str | None = None,
    columns: dict[str, str] | None = None,
) -> tuple[JudgementTables, LeftOut]:
    """The current judgements of files, and what is left out."""
    tables: JudgementTables = {}
    judgements: list[Judgement] = []
    may_be_plain = format is None and selection.batch is None and not selection.purposes
    for path in paths:
        rows = plain_rows(path, columns) if may_be_plain else None
        if rows is None:
            with open_records(path, format, noun="judgements", columns=columns) as records:
                judgements += [record for record in records if isinstance(record, Judgement)]
            continue
        table = table_for(tables, selection.scheme, "pair")
        for unit, annotator, value in rows:
            table.add(unit, annotator, value)
    if selection.simulated:
        judgements = [with_original_kind(judgement) for judgement in judgements]
    left_out = _add_judgements(tables, judgements, selection)
    tables = _judged_by_people(tables)
    return tables, left_out + _leave_out_earlier(tables, selection)


def _add_judgements(tables: JudgementTables, judgements: list[Judgement], selection: JudgementFilter) -> LeftOut:
    """Add those that can be compared, and count the others by reason."""
    left_out: LeftOut = Counter()
    superseded = {
        judgement.supersedes
        for judgement in judgements
        if judgement.supersedes and judgement.supersedes != judgement.id
    }
    for judgement in judgements:
        if reason := _why_left_out(judgement, superseded, selection):
            left_out[reason] += 1
            continue
        anonymous = judgement.kind == VOTE
        scheme = judgement.scheme or selection.scheme or selection.main_scheme
        table = table_for(tables, scheme, judgement.unit, anonymous=anonymous)
        if judgement.kind == MODEL:
            table.by_models.append((judgement.pair, judgement.annotator or MODEL, judgement.value))
            continue
        annotator = None if judgement.kind == "consensus" else judgement.annotator
        table.add(judgement.pair, annotator, judgement.value, judgement.batch, judgement.time, judgement.purpose)
        if isinstance(judgement.value, list | dict):  # also one without phenomena: the pair is no paraphrase
            table.typed.judgements.append(judgement)
    return left_out


def with_original_kind(judgement: Judgement) -> Judgement:
    """A simulated judgement with the kind that it has in its project; any other as it is."""
    if judgement.kind != SIMULATED:
        return judgement
    return msgspec.structs.replace(judgement, kind=judgement.meta.get(ORIGINAL_KIND, "individual"))


def _why_left_out(judgement: Judgement, superseded: set[str], selection: JudgementFilter) -> str | None:
    """Why a judgement is not compared; None if it is."""
    if judgement.id in superseded:
        return "superseded by a later one"
    if judgement.value is None:
        return "taken back"
    is_anonymous_vote = judgement.kind == VOTE and judgement.annotator is None
    if judgement.kind not in COMPARED_KINDS and not is_anonymous_vote:
        return f"of kind {judgement.kind}, not by one person"
    if judgement.annotator is None and judgement.kind == "individual":
        return "the annotator is not known"
    if judgement.scheme and selection.scheme and judgement.scheme != selection.scheme:
        return f"of another scheme than {selection.scheme}"
    if selection.batch not in (None, judgement.batch):
        return f"not of batch {selection.batch}"
    return None if selection.compares(judgement.purpose) else _made_for(judgement.purpose)
