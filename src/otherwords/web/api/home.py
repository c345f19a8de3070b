"""Home: the work that is waiting, one's own progress, and for curators the progress of everything."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import Connection, Select, select

from otherwords.analyse.agreement.consensus import Agreement
from otherwords.analyse.dashboard import progress
from otherwords.analyse.findings.extraction import ExtractionRow, extraction_table
from otherwords.annotate.adjudication.case_queue import adjudicable_batches, is_adjudicated, undecided_pairs
from otherwords.annotate.adjudication.decide import decidable_pairs
from otherwords.annotate.batches.batch import load_batches
from otherwords.annotate.discussion.threads import mentions_waiting
from otherwords.annotate.documents import queues
from otherwords.annotate.visibility import hidden_items
from otherwords.annotate.work.completion import batches_with_code
from otherwords.annotate.work.open_batches import (
    MOST_COUNTED,
    count_waiting_seeds,
    count_with_others,
    open_batches_for,
    paused_batches,
)
from otherwords.project.about import read_about
from otherwords.project.ledger import schema
from otherwords.project.lock import is_held
from otherwords.project.project import Project
from otherwords.steps.known_recipes import kept_recipe
from otherwords.steps.method import finished_by_people
from otherwords.web.accounts.accounts import set_first_steps
from otherwords.web.accounts.auth import Admin, Requester, Worker
from otherwords.web.accounts.roles import may_work_on
from otherwords.web.fields import Body, Key
from otherwords.web.site import Site, site_of

Name = Literal["import", "align", "guideline", "people", "batch", "judge", "about"]
ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step and whether it is done; the list is complete without the optional ones."""

    name: Name
    done: bool
    optional: bool = False


def first_steps(connection: Connection, project: Project, admin: str) -> list[FirstStep]:
    """The first steps of a project, as far as they are done; documents are aligned only where there are some."""
    accounts, steps, judgements = schema.accounts, schema.steps, schema.judgements

    def some(query: Select[tuple[object]]) -> bool:
        return connection.execute(query.limit(1)).first() is not None

    documents, pairs = (some(select(table.c.seq)) for table in (schema.documents, schema.pairs))
    aligned = (
        pairs
        or some(select(schema.document_pairs.c.seq))
        or some(select(steps.c.seq).where(steps.c.kind == "align-posts", steps.c.state == "done"))
    )
    others = select(accounts.c.name).where(accounts.c.name != admin, accounts.c.state == ACTIVE)
    judged = select(judgements.c.seq).join(accounts, accounts.c.name == judgements.c.annotator)
    about = read_about(project.folder)
    return [
        FirstStep("import", documents or pairs),
        *([FirstStep("align", aligned)] if documents else []),
        FirstStep("guideline", some(select(schema.guidelines.c.version)), optional=True),
        FirstStep("people", some(others)),
        FirstStep("batch", some(select(schema.batches.c.seq))),
        FirstStep("judge", some(judged)),
        FirstStep("about", bool(about.title or about.authors), optional=True),
    ]


def is_complete(steps: list[FirstStep]) -> bool:
    """Whether all steps are done that are not optional."""
    return all(step.done or step.optional for step in steps)


router = APIRouter(tags=["home"])
Kind = Literal["batch", "triage", "seeds", "extract", "adjudicate", "discussions"]
Step = Literal["import", "align", "batch", "recipe", "release", "others", "wait"]


@dataclass(frozen=True, slots=True)
class OpenWork:
    """Work to continue with: where, and how much is left; ``many`` if counting stopped at a limit."""

    kind: Kind
    name: str
    path: str
    left: int
    many: bool = False
    done: int = 0  # by this person, of a batch
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """Everything that somebody did on a day: judgements, rewrites, decisions, document pairs."""

    day: str
    judged: int


@dataclass(frozen=True, slots=True)
class OwnWork:
    """Somebody's own progress: the last days, the seconds a pair takes, the agreement with the consensus."""

    days: list[Day]
    seconds: float | None
    agreement: Agreement
    first_day: bool  # they have done nothing before today


@dataclass(frozen=True, slots=True)
class ProjectWork:
    """Progress of all batches, people and sources, and Table 1 of Kanerva et al. 2023 for this project.

    ``agreement`` are the coefficients to quote, in sentences.
    """

    batches: list[progress.BatchState]
    people: list[progress.PersonState]
    sources: list[progress.SourceState]
    extraction: list[ExtractionRow]
    agreement: list[str]


@dataclass(frozen=True, slots=True)
class Home:
    """The home page; ``next`` says what to do if nothing is waiting.

    ``with_others`` is how much others hold at the moment that would come to the viewer if they gave it back, and
    ``goes_on``, for curators, the step of the recipe that people have finished, so that the recipe can go on.
    """

    waiting: list[OpenWork]
    next: Step | None
    mine: OwnWork
    everything: ProjectWork | None
    codes: list[str]  # batches that promised a completion code
    first_steps: list[FirstStep] | None  # for an admin, as long as some are left and they are not hidden
    with_others: int = 0
    paused: list[str] = field(default_factory=list)  # batches on which the viewer's work is paused
    goes_on: str | None = None


@router.get("/home", summary="What is waiting for you, and how the work gets on")
def home(request: Request, viewer: Worker) -> Home:
    """Curators see the state of every batch, person and source as well; large tables may be a little old."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        waiting = _waiting(connection, site, viewer)
        with_others = 0 if waiting else _with_others(connection, viewer)
        next_step = None if waiting else _next_step(connection, viewer, with_others)
        pace = progress.my_pace(connection, viewer.name)
        codes = batches_with_code(connection, viewer.name)
        paused = paused_batches(connection, viewer.name)
        steps = _first_steps(connection, site, viewer)
    days = [Day(day.isoformat(), judged) for day, judged in pace.days]
    agreement = site.cached(
        f"agreement {viewer.name}",
        lambda connection: progress.my_agreement(connection, viewer.name, site.project),
    )
    project_work = _project_work(site) if viewer.may("curator") else None
    if next_step == "batch" and project_work is not None and _is_judged(project_work):
        next_step = "release"
    own = OwnWork(days, pace.seconds, agreement, pace.first_day)
    goes_on = finished_by_people(site.project) if viewer.may("curator") and not is_held(site.project.folder) else None
    return Home(waiting, next_step, own, project_work, codes, steps, with_others, paused, goes_on)


def _first_steps(connection: Connection, site: Site, viewer: Requester) -> list[FirstStep] | None:
    """What an admin does first, until it is done or hidden."""
    if not viewer.may("admin") or viewer.account.settings.get("hides_first_steps"):
        return None
    steps = first_steps(connection, site.project, viewer.name)
    return None if is_complete(steps) else steps


class FirstStepsBody(Body):
    """Whether the list of first steps is hidden from your home page."""

    key: Key
    hidden: bool


@router.put("/home/first-steps", summary="Hide the list of first steps, or show it again", status_code=204)
def hide_first_steps(request: Request, viewer: Admin, body: FirstStepsBody) -> None:
    site_of(request).writer.do(lambda connection: set_first_steps(connection, viewer.name, hidden=body.hidden))


def _waiting(connection: Connection, site: Site, viewer: Requester) -> list[OpenWork]:
    """Batches first, beginning with the one worked on last, then other work in the order of the pipeline.

    Workers have only batches.
    """
    work = []
    for open_batch in open_batches_for(connection, viewer.name):
        name, purpose = open_batch.batch.id, open_batch.batch.purpose
        if may_work_on(viewer.account, name):
            path = f"/classify/{quote(name)}"
            work.append(OpenWork("batch", name, path, open_batch.left, done=open_batch.done, purpose=purpose))
    if not viewer.may("annotator"):
        return work
    documents = queues.count_waiting(connection, viewer.name)
    hidden = functools.partial(hidden_items, connection, viewer.name, viewer.role)
    disagreements, to_decide = _disagreements(connection, site, viewer)
    counts: list[tuple[Kind, str, int]] = [
        ("triage", "Triage", documents[queues.TRIAGE]),
        ("extract", "Extract", documents[queues.EXTRACT]),
        ("seeds", "Seeds", count_waiting_seeds(connection, site.project, viewer.name)),
        ("adjudicate", "Adjudicate", disagreements),
        ("discussions", "Discussions that call you", mentions_waiting(connection, viewer.name, hidden)),
    ]
    paths = {"adjudicate": to_decide}
    waiting = [(kind, name, paths.get(kind, f"/{kind}"), left) for kind, name, left in counts if left]
    return work + [OpenWork(kind, name, path, left, left >= MOST_COUNTED) for kind, name, path, left in waiting]


def _disagreements(connection: Connection, site: Site, viewer: Requester) -> tuple[int, str]:
    """How many disagreements somebody may decide about, up to a limit, and where; the numbers may be a little old.

    They are decided on the page of their batch, or chosen from the list of batches if several have some.
    """
    pairs: list[str] = []
    batches: list[str] = []
    for batch in adjudicable_batches(connection, viewer.name, viewer.role):
        if is_adjudicated(batch):
            undecided = site.cached(
                f"undecided {batch.id}",
                lambda connection: undecided_pairs(connection, batch, site.scheme(batch.scheme)),  # noqa: B023 - at once
            )[:MOST_COUNTED]
            pairs += undecided
            batches += [batch.id] if undecided else []
    path = f"/adjudicate/{quote(batches[0])}" if len(batches) == 1 else "/adjudicate"
    return len(decidable_pairs(connection, viewer.name, viewer.role, pairs[:MOST_COUNTED])), path


def _with_others(connection: Connection, viewer: Requester) -> int:
    """How much others hold at the moment, of the batches and documents that somebody may work on."""
    paused = set(paused_batches(connection, viewer.name))
    known = [batch for batch in load_batches(connection) if batch.id not in paused]
    batches = [batch for batch in known if may_work_on(viewer.account, batch.id)]
    held = sum(count_with_others(connection, batch, viewer.name) for batch in batches)
    return held + queues.count_with_others(connection, viewer.name) if viewer.may("annotator") else held


def _next_step(connection: Connection, viewer: Requester, with_others: int) -> Step:
    """What somebody can do so that there is work."""
    if not viewer.may("curator"):
        return "others" if with_others else "wait"
    tables = (schema.documents, schema.document_pairs, schema.pairs)
    documents, aligned, pairs = (connection.execute(select(table.c.seq).limit(1)).first() for table in tables)
    if pairs:
        return "recipe" if kept_recipe(connection) else "batch"
    return "others" if with_others else "wait" if aligned else "align" if documents else "import"


def _is_judged(work: ProjectWork) -> bool:
    """Whether every pair is judged, and as often as its batches ask for; what is undecided waits for curators."""
    is_asked = any(batch.done < batch.slots for batch in work.batches if batch.state == "open")
    return not is_asked and all(source.judged == source.pairs for source in work.sources)


def _project_work(site: Site) -> ProjectWork:
    """Batches as they are now; numbers that need the whole corpus may be a little old."""
    with site.ledger.reading() as connection:
        batches = progress.batch_states(connection)[::-1]
    return ProjectWork(
        batches,
        site.cached("people", lambda connection: progress.people_states(connection, project=site.project)),
        site.cached("sources", progress.source_states),
        site.cached("extraction", extraction_table),
        site.cached("agreement", lambda connection: progress.agreement_headlines(connection, site.project)),
    )
