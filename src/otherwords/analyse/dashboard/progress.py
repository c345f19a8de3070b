"""The progress of annotation: an annotator's own pace and agreement, and for curators all batches, people and sources.

These numbers are on pages that people look at all day, so none of them scans the whole ledger where an index or a
stored count is enough. Days are in UTC, like the times in the ledger.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, desc, func, literal, select

from otherwords.analyse.agreement import consensus
from otherwords.analyse.agreement.answers import project_scheme
from otherwords.analyse.agreement.consensus import Agreement
from otherwords.analyse.agreement.measure import measure_agreement
from otherwords.analyse.agreement.report import AgreementOptions
from otherwords.analyse.judgement_tables import JudgementFilter, from_ledger
from otherwords.annotate.current_judgements import is_current, is_superseded, is_taken_back
from otherwords.annotate.labels.pair_labels import NOT_A_TEST
from otherwords.engine import cores
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.project.document_pairs import CANDIDATE
from otherwords.project.ledger import schema
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project
from otherwords.records import MODEL, MODEL_PREFIX

DAYS = 7
RECENT = 100  # judgements whose median seconds are shown
REMOVED = "removed"
MOST_COMPARED = 50_000  # judgements whose agreement a page measures


@dataclass(frozen=True, slots=True)
class Pace:
    """An annotator's pace: the current judgements of each of the last days, and the median seconds of a recent pair.

    Judgements of pairs, rewrites, decisions and documents all count.
    """

    days: tuple[tuple[date, int], ...]  # ends with today
    seconds: float | None
    first_day: bool = False  # there is nothing from before today

    @property
    def today(self) -> int:
        return self.days[-1][1]


@dataclass(frozen=True, slots=True)
class BatchState:
    """The progress of a batch. Slots are the requested judgements, except those of units that were taken out."""

    id: str
    scheme: str
    purpose: str
    asked: int
    items: int
    slots: int
    done: int
    held: int
    people: tuple[tuple[str, int], ...]
    state: str
    opened: str


@dataclass(frozen=True, slots=True)
class PersonState:
    """The work of one person by kind, and the total of today."""

    name: str
    judged: int  # as batches count: without hidden tests and rewrites
    rewritten: int
    documents: int  # document pairs triaged or extracted from, groups of posts given a seed
    decided: int  # disagreements of others
    today: int
    last: str | None
    seconds: float | None
    agreement: Agreement  # with the consensus


@dataclass(frozen=True, slots=True)
class SourceState:
    """The progress of a text source; its pairs include rewrites, and none that are left out."""

    source: str | None
    document_pairs: dict[str, int]
    pairs: int
    rewrites: int
    judged: int


def my_pace(connection: Connection, annotator: str, today: date | None = None) -> Pace:
    """The pace of one annotator over the last days; judgements that were taken back do not count."""
    column = schema.judgements.c
    last = today or _today()
    days = [last - timedelta(days=back) for back in reversed(range(DAYS))]
    day_column = func.substr(column.time, 1, 10).label("day")
    recent = (column.annotator == annotator, column.time >= days[0].isoformat(), is_current())
    counts = _count_by(connection, day_column, *recent)
    _, seconds = _latest(connection, annotator)
    earlier = (column.annotator == annotator, column.time < last.isoformat())
    first_day = connection.execute(select(column.seq).where(*earlier).limit(1)).first() is None
    return Pace(tuple((day, counts[day.isoformat()]) for day in days), seconds, first_day)


def _today() -> date:
    return datetime.now(UTC).date()


def _latest(connection: Connection, annotator: str) -> tuple[str | None, float | None]:
    """The time of an annotator's last judgement, and the median seconds of recently judged pairs."""
    column = schema.judgements.c
    columns = (column.time, column.unit, column.seconds)
    timed = (column.annotator == annotator, column.time.is_not(None))
    query = select(*columns).where(*timed).order_by(desc(column.time)).limit(RECENT)
    rows = connection.execute(query).all()
    seconds = [row.seconds for row in rows if row.unit == "pair" and row.seconds is not None]
    return (rows[0].time if rows else None), (median(seconds) if seconds else None)


def my_agreement(connection: Connection, annotator: str, project: Project | None = None) -> Agreement:
    """How often an annotator's own judgement matches the consensus. Callers should cache it."""
    return consensus.accuracies(connection, project, annotator)[annotator]


def agreement_headlines(connection: Connection, project: Project) -> list[str]:
    """The coefficients to quote, in sentences; none if there are too many judgements to compare them for a page.

    Callers should cache it.
    """
    column, shared = schema.judgements.c, consensus.shared_pairs()
    most = select(column.seq).where(column.pair.in_(shared)).limit(MOST_COMPARED + 1).subquery()
    if connection.execute(select(func.count()).select_from(most)).scalar_one() > MOST_COMPARED:
        return []
    tables, _ = from_ledger(connection, JudgementFilter(), project_scheme(project), shared)
    options = AgreementOptions(bootstrap=Bootstrap(threads=cores()), project=project.folder)
    return [headline.sentence for headline in measure_agreement(tables, options).headlines]


def batch_states(connection: Connection) -> list[BatchState]:
    """The progress of every batch, oldest first: from the counts of its annotators and the unanswered slots."""
    batches, slots, takers = schema.batches, schema.slots, schema.takers
    unanswered = (slots.c.batch == batches.c.id, slots.c.judgement.is_(None), slots.c.position >= 0)  # without tests
    waiting = select(func.count()).where(*unanswered).scalar_subquery()
    last = select(func.max(slots.c.position)).where(slots.c.batch == batches.c.id).scalar_subquery()
    query = select(batches, waiting.label("waiting"), last.label("last")).order_by(batches.c.seq)
    rows = connection.execute(query).all()
    own = and_(slots.c.holder == takers.c.annotator, slots.c.batch == takers.c.batch, slots.c.judgement.is_(None))
    reserved = select(takers.c.batch, func.count()).select_from(takers.join(slots, own))
    now_held = connection.execute(reserved.where(slots.c.until > time.time()).group_by(takers.c.batch))
    held = Counter({row[0]: row[1] for row in now_held})
    people: dict[str, list[tuple[str, int]]] = defaultdict(list)  # what each annotator of a batch has done
    for row in connection.execute(select(takers).order_by(takers.c.batch, takers.c.annotator)):
        people[row.batch].append((row.annotator, row.done - row.tests))
    return [_batch_state(row, people[row.id], held[row.id]) for row in rows]


def _batch_state(row: Any, people: list[tuple[str, int]], held: int) -> BatchState:
    done = sum(count for _, count in people)
    slots = done + row.waiting
    return BatchState(
        id=row.id,
        scheme=row.scheme,
        purpose=row.purpose,
        asked=row.asked,
        items=row.last + 1 if row.rules.get("second_sees") and slots else -(-slots // row.asked),
        slots=slots,
        done=done,
        held=held,
        people=tuple(people),
        state=row.state,
        opened=row.time,
    )


def people_states(
    connection: Connection, today: date | None = None, project: Project | None = None
) -> list[PersonState]:
    """The work of everybody who ever judged, by name. This counts all judgements: callers should cache it.

    Rewrites, judgements of documents and decisions are rare, and each is found through an index. Answers to hidden
    tests, which batches do not count either, and removed rewrites are no work.
    """
    column, takers, removed = schema.judgements.c, schema.takers, schema.pairs.c.state == REMOVED
    current = _current_judgements(connection)
    annotator = func.coalesce(column.annotator, "")
    rewritten = _rewrites(connection, schema.pairs.c.state.is_distinct_from(REMOVED))
    documents = _count_by(connection, annotator, column.batch.is_(None), column.unit != "pair", is_current())
    by_team = column.kind == literal("consensus", literal_execute=True)
    decided = _count_by(connection, annotator, by_team, is_current())
    tests = connection.execute(select(takers.c.annotator, func.sum(takers.c.tests)).group_by(takers.c.annotator))
    not_work = Counter({name: int(count) for name, count in tests}) + _rewrites(connection, removed)
    since = (column.time >= (today or _today()).isoformat(), column.meta["test"].as_string().is_(None), is_current())
    new = _count_by(connection, column.annotator, column.annotator.in_(sorted(current)), *since)
    accuracies = consensus.accuracies(connection, project)
    states = []
    for name in sorted(current):
        separate = (rewritten[name], documents[name], decided[name])
        judged = current[name] - not_work[name] - sum(separate)
        last, seconds = _latest(connection, name)
        agreement = accuracies.get(name, Agreement(0))
        states.append(PersonState(name, judged, *separate, new[name], last, seconds, agreement))
    return states


def _rewrites(connection: Connection, state: ColumnElement[bool]) -> Counter[str]:
    """The labels that people gave to their own rewrites, by person."""
    judgements, pairs = schema.judgements, schema.pairs
    rewrites = judgements.c.pair.in_(select(pairs.c.id).where(pairs.c.rewrite_of > "", state))
    own = judgements.c.meta["rewrite"].as_string().is_not(None)
    return _count_by(connection, func.coalesce(judgements.c.annotator, ""), rewrites, own, is_current())


def _current_judgements(connection: Connection) -> Counter[str]:
    """The number of current judgements by person: all in the index, less those that were replaced or taken back.

    Only judgements that supersede something are examined for that. A null that supersedes nothing, which may come from
    a file but never from the site, is counted.
    """
    judgements, later = schema.judgements, schema.judgements.alias()
    named = judgements.c.annotator.is_not(None)
    annotator = func.coalesce(judgements.c.annotator, "")  # or SQLite reads all judgements to group these few
    replaced = (
        judgements.c.id.in_(select(later.c.supersedes).where(later.c.supersedes > "")),
        judgements.c.supersedes.is_distinct_from(judgements.c.id),
    )
    counts = _count_by(connection, judgements.c.annotator, named)
    counts.subtract(_count_by(connection, annotator, named, *replaced))
    counts.subtract(
        _count_by(connection, annotator, named, judgements.c.supersedes > "", is_taken_back(), ~is_superseded())
    )
    return Counter({name: count for name, count in counts.items() if not name.startswith(MODEL_PREFIX)})


def _count_by(connection: Connection, key: ColumnElement[str], *conditions: ColumnElement[bool]) -> Counter[str]:
    rows = connection.execute(select(key, func.count()).where(*conditions).group_by(key))
    return Counter({row[0]: row[1] for row in rows})


def source_states(connection: Connection) -> list[SourceState]:
    """The progress of every text source, by name. This examines all pairs: callers should cache it."""
    pairs, judgements = schema.pairs, schema.judgements
    source = pairs.c.source.concat("")  # or SQLite goes by the index of sources, and reads all pairs in that order
    there = and_(pairs.c.state.is_distinct_from(REMOVED), NOT_LEFT_OUT)  # nobody will judge what is left out
    counts = select(source, func.count(), func.count(pairs.c.rewrite_of)).where(there).group_by(source)
    by_people = (judgements.c.unit == "pair", judgements.c.kind != MODEL, NOT_A_TEST, is_current())
    judged_pairs = select(judgements.c.pair).where(*by_people)
    judged = _count_by(connection, pairs.c.source, there, pairs.c.id.in_(judged_pairs))
    by_source: dict[str | None, tuple[int, int, int]] = {
        name: (count, rewrites, judged[name]) for name, count, rewrites in connection.execute(counts)
    }
    document_pairs = _document_pairs(connection)
    sources = sorted({*document_pairs, *by_source}, key=lambda source: (source is None, source))
    return [SourceState(source, dict(document_pairs[source]), *by_source.get(source, (0, 0, 0))) for source in sources]


def _document_pairs(connection: Connection) -> dict[str | None, Counter[str]]:
    """The number of document pairs by source and status; one without a status is a candidate."""
    document_pairs, documents = schema.document_pairs, schema.documents
    keys = (documents.c.source, func.coalesce(document_pairs.c.status, CANDIDATE).label("status"))
    joined = document_pairs.outerjoin(documents, documents.c.id == document_pairs.c.doc1)
    counts: dict[str | None, Counter[str]] = defaultdict(Counter)
    for source, status, count in connection.execute(select(*keys, func.count()).select_from(joined).group_by(*keys)):
        counts[source][status] = count
    return counts
