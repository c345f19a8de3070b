"""Home: what is waiting for somebody, how they get on, and for curators how everything gets on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import Connection, select

from otherwords.analyse import progress
from otherwords.analyse.consensus import Agreement
from otherwords.analyse.extraction import Row, extraction_table
from otherwords.annotate import discussing, queues
from otherwords.annotate.adjudicating import visible
from otherwords.annotate.batches import Batch
from otherwords.annotate.hearing import by_people, to_be_heard, undecided
from otherwords.annotate.sight import hidden
from otherwords.annotate.waiting import MOST_COUNTED, batches_for, seeds_waiting
from otherwords.project import schema
from otherwords.web.admission import may_work_on
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Viewer, Worker

router = APIRouter(tags=["home"])
T = TypeVar("T")
Kind = Literal["batch", "triage", "seeds", "extract", "adjudicate", "discussions"]
Step = Literal["import", "align", "batch", "wait"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something to go on with: where, and how much of it is left; ``many`` where that was not counted to the end."""

    kind: Kind
    name: str
    path: str
    left: int
    many: bool = False
    done: int = 0  # by this person, of a batch
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """What somebody did on a day: all that they judged, rewrote, decided and said of documents."""

    day: str
    judged: int


@dataclass(frozen=True, slots=True)
class Mine:
    """How somebody gets on: the last days, the seconds that a pair takes, and what the team agreed on later."""

    days: list[Day]
    seconds: float | None
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Everything:
    """How every batch, person and source gets on, and Table 1 of Kanerva et al. 2023 as it is now."""

    batches: list[progress.BatchState]
    people: list[progress.PersonState]
    sources: list[progress.SourceState]
    extraction: list[Row]


@dataclass(frozen=True, slots=True)
class Home:
    """The home page; ``next`` says what to do where nothing is waiting."""

    waiting: list[Waiting]
    next: Step | None
    mine: Mine
    everything: Everything | None


@router.get("/home", summary="What is waiting for you, and how the work gets on")
def home(request: Request, viewer: Worker) -> Home:
    """Curators see the state of every batch, person and source as well; large tables may be a little old."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        waiting = _waiting(connection, site, viewer)
        following = None if waiting else _next(connection, viewer)
        mine = _mine(connection, viewer.name)
    return Home(waiting, following, mine, _everything(site) if viewer.may("curator") else None)


def _waiting(connection: Connection, site: Site, viewer: Viewer) -> list[Waiting]:
    """Batches first, the one that was worked on last before all, then the rest in the order in which work is done.

    Workers have nothing but batches.
    """
    found = [
        Waiting("batch", one.batch.id, f"/classify/{quote(one.batch.id)}", one.left, False, one.done, one.batch.purpose)
        for one in batches_for(connection, viewer.name)
        if may_work_on(viewer.account, one.batch.id)
    ]
    if not viewer.may("annotator"):
        return found
    documents = queues.waiting(connection, viewer.name)
    counts: list[tuple[Kind, str, int]] = [
        ("triage", "Triage", documents[queues.TRIAGE]),
        ("extract", "Extract", documents[queues.EXTRACT]),
        ("seeds", "Seeds", seeds_waiting(connection, site.project, viewer.name)),
        ("adjudicate", "Adjudicate", _disagreements(connection, site, viewer)),
        ("discussions", "Discussions that call you", _calls(connection, viewer)),
    ]
    return found + [Waiting(kind, name, f"/{kind}", left, left >= MOST_COUNTED) for kind, name, left in counts if left]


def _disagreements(connection: Connection, site: Site, viewer: Viewer) -> int:
    """How many disagreements somebody may decide about, counted as far as a thousand; they may be a little old."""

    def open_ones(of: Batch) -> list[str]:
        def made() -> list[str]:
            with site.ledger.reading() as connection:
                return undecided(connection, of, site.scheme(of.scheme))

        return site.remembered.get(f"undecided {of.id}", made)

    heard = [of for of in to_be_heard(connection, viewer.name, viewer.role) if by_people(of)]
    pairs = [pair for of in heard for pair in open_ones(of)[:MOST_COUNTED]]
    return len(visible(connection, viewer.name, viewer.role, pairs[:MOST_COUNTED]))


def _calls(connection: Connection, viewer: Viewer) -> int:
    def out_of_sight(pairs: list[str]) -> set[str]:
        return hidden(connection, viewer.name, viewer.role, pairs)

    return discussing.mentions_waiting(connection, viewer.name, out_of_sight)


def _next(connection: Connection, viewer: Viewer) -> Step:
    """What somebody could do so that something is waiting."""
    if not viewer.may("curator"):
        return "wait"
    tables = (schema.documents, schema.document_pairs, schema.pairs)
    documents, aligned, pairs = (connection.execute(select(one.c.seq).limit(1)).first() for one in tables)
    if pairs:
        return "batch"
    return "wait" if aligned else "align" if documents else "import"


def _mine(connection: Connection, name: str) -> Mine:
    pace = progress.my_pace(connection, name)
    days = [Day(day.isoformat(), judged) for day, judged in pace.days]
    return Mine(days, pace.seconds, progress.my_agreement(connection, name))


def _everything(site: Site) -> Everything:
    """Batches as they are now; what goes through the whole corpus may be a little old."""

    def remembered(name: str, make: Callable[[Connection], list[T]]) -> list[T]:
        def made() -> list[T]:
            with site.ledger.reading() as connection:
                return make(connection)

        return site.remembered.get(name, made)

    with site.ledger.reading() as connection:
        batches = progress.batch_states(connection)[::-1]
    return Everything(
        batches,
        remembered("people", progress.people_states),
        remembered("sources", progress.source_states),
        remembered("extraction", extraction_table),
    )
