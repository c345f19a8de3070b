"""One's own account: the password, the tokens, and the ways out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import Refused
from otherwords.web.changing import change_own_password
from otherwords.web.entering import address_of
from otherwords.web.forms import Form, WorkerSends, number_of
from otherwords.web.moments import minute_of
from otherwords.web.passwords import FEWEST_CHARACTERS
from otherwords.web.rendering import page
from otherwords.web.roles import SCOPES, scopes_of_role
from otherwords.web.sessions import close_all_sessions
from otherwords.web.site import site_of
from otherwords.web.slowly import slowly
from otherwords.web.tokens import make_token, revoke, tokens_of
from otherwords.web.viewer import COOKIE, Viewer, Worker, drop_session

router = APIRouter()
SCOPE = "scope-"  # a field of its own for each scope


@router.get("/account")
def account(request: Request, viewer: Worker) -> HTMLResponse:
    return _shown(request, viewer)


@router.post("/account/password")
async def change_password(request: Request, viewer: WorkerSends, form: Form) -> Response:
    site, address, keep = site_of(request), address_of(request), request.cookies[COOKIE]
    said = (form.get("current", ""), form.get("password", ""), address, keep)
    try:
        if form.get("password") != form.get("again"):
            raise Refused("the two new passwords are not the same; type them again")
        await slowly(lambda: change_own_password(site, viewer.account, *said))
    except Refused as problem:
        return await run_in_threadpool(_shown, request, viewer, password_problem=problem)
    return await run_in_threadpool(_shown, request, viewer, changed=True)


@router.post("/account/logout-everywhere")
def log_out_everywhere(request: Request, viewer: WorkerSends) -> Response:
    site_of(request).writer.do(lambda connection: close_all_sessions(connection, viewer.account, viewer.name))
    response = RedirectResponse("/login", 303)
    drop_session(response)
    return response


@router.post("/account/tokens")
def new_token(request: Request, viewer: WorkerSends, form: Form) -> Response:
    scopes = [scope for scope in SCOPES if SCOPE + scope in form]
    try:
        asked = (form.get("name", ""), scopes, viewer.name, number_of(form, "days"))
        made = site_of(request).writer.do(lambda connection: make_token(connection, viewer.account, *asked))
    except Refused as problem:
        return _shown(request, viewer, form=form, token_problem=problem)
    return _shown(request, viewer, made=made)


@router.post("/account/tokens/revoke")
def revoke_token(request: Request, viewer: WorkerSends, form: Form) -> Response:
    name = form.get("name", "")
    site_of(request).writer.do(lambda connection: revoke(connection, viewer.account, name, viewer.name))
    return RedirectResponse("/account#tokens", 303)


def _shown(request: Request, viewer: Viewer, form: dict[str, str] | None = None, **told: Any) -> HTMLResponse:
    """The page, with what has just come of one of its forms."""
    with site_of(request).ledger.reading() as connection:
        mine = tokens_of(connection, viewer.account)
    problem = told.get("password_problem") or told.get("token_problem")
    wait = getattr(problem, "seconds", None)
    result = {"made": None, "changed": False, "password_problem": None, "token_problem": None, **told}
    return page(
        request,
        "account.html",
        viewer,
        status=problem.status if problem else 200,
        headers={"retry-after": str(wait)} if wait else None,
        tokens=mine,
        scopes=scopes_of_role(viewer.role),
        chosen=form if form is not None else {"days": "90", f"{SCOPE}read": "on"},
        fewest=FEWEST_CHARACTERS,
        minute_of=minute_of,
        **result,
    )
