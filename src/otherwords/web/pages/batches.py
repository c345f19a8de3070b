"""The batches of a project, for curators: their progress, closing them, and what blind checks found."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response
from sqlalchemy import Connection, select
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.analyse.dashboard.progress import BatchState, batch_states
from otherwords.annotate.adjudication.batch_outcome import batch_outcome
from otherwords.annotate.adjudication.case_queue import is_adjudicated
from otherwords.annotate.batch_plans.create import change_batch_state
from otherwords.annotate.batch_plans.rewrite_check import check_result
from otherwords.annotate.batches.batch import KeepRule, load_batch
from otherwords.annotate.batches.keep_rule import not_agreed, not_all_said, question_of
from otherwords.annotate.batches.rule_checks import people_gap
from otherwords.annotate.schemes.question import Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.web.accounts.auth import Curator
from otherwords.web.accounts.roles import ACTIVE
from otherwords.web.api.batches import list_batches, read
from otherwords.web.batch_form import PURPOSES
from otherwords.web.fields import Id, OptionalWords
from otherwords.web.filters import page_address
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import page
from otherwords.web.sentences import sentence
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, first_page, safe_rows
from otherwords.web.texts import translate, word

router = APIRouter()
BATCHES = "/batches"
ON_A_PAGE = 100
QUOTED = "“{text}”"  # as scripts quote
address_of = functools.partial(page_address, "batches")
COLUMNS = ("id", "scheme", "purpose", "asked", "items", "slots", "done", "held", "people", "state", "opened")


@router.get(BATCHES)
def table(
    request: Request,
    viewer: Curator,
    state: OptionalWords = None,
    purpose: OptionalWords = None,
    after: OptionalWords = None,
) -> HTMLResponse:
    """The table, the latest batch first."""
    with site_of(request).ledger.reading() as connection:
        batches = batch_states(connection)[::-1]
    rows = _matching(batches, state, purpose)
    names = [batch.id for batch in rows]
    shown, last = first_page(rows[names.index(after) + 1 :] if after in names else rows, ON_A_PAGE)
    criteria = {name: value for name, value in (("state", state), ("purpose", purpose)) if value}
    return page(
        request,
        "batches.html",
        viewer,
        rows=shown,
        following=urlencode(criteria | {"after": last.id}) if last else None,
        criteria=criteria,
        query=urlencode(criteria),
        any_batch=bool(batches),
        purposes=PURPOSES,
        address_of=address_of,
    )


def load_states(
    request: Request, viewer: Curator, state: OptionalWords = None, purpose: OptionalWords = None
) -> list[BatchState]:
    """The batches that match, the first made first."""
    return _matching(list_batches(request, viewer), state, purpose)


def table_cells(states: Annotated[list[BatchState], Depends(load_states)]) -> Iterator[list[str]]:
    rows = []
    for state in states:
        people = " ".join(f"{who}:{done}" for who, done in state.people)
        rows.append(({name: getattr(state, name) for name in COLUMNS} | {"people": people}).values())
    return safe_rows(rows)


add_twins(router, BATCHES, load_states, table_cells, COLUMNS, "batches")


@router.get("/batches/{name}")
def batch_page(request: Request, viewer: Curator, name: Id) -> HTMLResponse:
    site, known = site_of(request), read(request, viewer, name)
    done, checked = dict(known.state.people), None
    with site.ledger.reading() as connection:
        batch = load_batch(connection, name)
        scheme = site.scheme(batch.scheme)
        short = people_gap(connection, batch.rules, batch.asked) if known.state.done < known.state.slots else None
        if batch.purpose == "check":
            with contextlib.suppress(Refused):  # a check of something else, by a scheme without rewrites
                checked = check_result(connection, site.project, name)
    return page(
        request,
        "batch.html",
        viewer,
        batch=known.state,
        whole=known,
        people=[(who, done.get(who, 0)) for who in dict.fromkeys([*known.rules.people, *done])],
        result=checked,
        scheme=scheme,
        people_gap=short,
        outcome=site.cached(f"outcome {name}", lambda connection: batch_outcome(connection, batch, scheme)),
        by_people=is_adjudicated(batch),
        answer_words=answer_words,
        question_of=question_of,
        question_words=question_words,
        keep_reasons=keep_reasons,
        address=address_of(name),
    )


@router.post("/batches/{name}/state")
def change(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    state = form.get("state", "")
    site_of(request).writer.do(lambda connection: change_batch_state(connection, name, state, viewer.name))
    return RedirectResponse(BATCHES if form.get("back") == BATCHES else address_of(name), 303)


def _matching(states: list[BatchState], state: str | None, purpose: str | None) -> list[BatchState]:
    return [
        batch
        for batch in states
        if (state or batch.state) == batch.state and (purpose or batch.purpose) == batch.purpose
    ]


def active_people(connection: Connection) -> list[tuple[str, str]]:
    """The people who can be chosen for a batch, with their roles."""
    columns = schema.accounts.c
    rows = connection.execute(select(columns.name, columns.role).where(columns.state == ACTIVE).order_by(columns.name))
    return [(row.name, row.role) for row in rows]


def answer_words(question: Question, answers: Iterable[str]) -> str:
    """Some values of a question by the words of their buttons, joined by "or"; what is called like its key stays so."""
    names = {value.value: value.name for value in question.values if value.value != value.key}
    return translate(" or ").join(word(names.get(answer, answer)) for answer in answers)


def question_words(scheme: Scheme, name: str) -> str:
    """What a question asks, in quotes; one without a title by its name."""
    question = question_of(scheme, name)
    title = question.title or (scheme.title if len(scheme.questions) == 1 else "")
    return translate(QUOTED).format(text=word(title)) if title else name


def keep_reasons(keep: KeepRule, scheme: Scheme) -> dict[str, str]:
    """Every reason for which a keep rule drops a pair, as it is stored, with how a page says it."""
    reasons = {}
    for name, answers in keep.all_say.items():
        shown = answer_words(question_of(scheme, name), answers)
        reasons[not_all_said(name, answers)] = sentence(not_all_said(question_words(scheme, name), [shown]))
    for name in keep.agree_on:
        reasons[not_agreed(name)] = sentence(not_agreed(question_words(scheme, name)))
    return reasons
