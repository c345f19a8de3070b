"""Logging in and out, also without a script."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import Refused
from otherwords.web.accounts import account_of
from otherwords.web.entering import HOME, address_of, enter, local
from otherwords.web.forms import Form, WorkerSends, keep_ticket, refuse_foreign, ticket_of
from otherwords.web.login import verify_login
from otherwords.web.rendering import page
from otherwords.web.sessions import close_session, session_of
from otherwords.web.site import site_of
from otherwords.web.slowly import slowly
from otherwords.web.viewer import COOKIE, drop_session

router = APIRouter()


@router.get("/login")
def login_form(request: Request, next: str = HOME) -> Response:
    """The form; who is logged in already goes on."""
    secret = request.cookies.get(COOKIE)
    if secret:
        with site_of(request).ledger.reading() as connection:
            if session_of(connection, secret):
                return RedirectResponse(local(next), 303)
    return _shown(request, {"next": next})


@router.post("/login")
async def log_in(request: Request, form: Form) -> Response:
    name, password = form.get("name", ""), form.get("password", "")
    ledger = site_of(request).ledger
    try:
        refuse_foreign(request, form)
        account = await slowly(lambda: verify_login(ledger, name, password, address_of(request)))
        to = local(form.get("next", HOME))
        return await run_in_threadpool(enter, request, lambda connection: account_of(connection, account.name), to)
    except Refused as problem:
        return _shown(request, form, problem)


@router.post("/logout")
def log_out(request: Request, viewer: WorkerSends) -> Response:
    secret = request.cookies[COOKIE]
    site_of(request).writer.do(lambda connection: close_session(connection, secret))
    response = RedirectResponse("/login", 303)
    drop_session(response)
    return response


def _shown(request: Request, form: dict[str, str], problem: Refused | None = None) -> HTMLResponse:
    """The form as it was filled in but for the password, with what was wrong with it."""
    ticket = ticket_of(request)
    wait = getattr(problem, "seconds", None)
    response = page(
        request,
        "login.html",
        status=problem.status if problem else 200,
        headers={"retry-after": str(wait)} if wait else None,
        ticket=ticket,
        name=form.get("name", ""),
        next=local(form.get("next", HOME)),
        problem=problem,
    )
    keep_ticket(request, response, ticket)
    return response
