"""Logging in and out, and the pages behind one-time links: to set up the project, to join it, to set a new password.

They work without scripts.
"""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.crowd.platforms import Platform, visit_of
from otherwords.errors import NotFound, OtherwordsError, Refused
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.invitations import Invitation, accept, invitation_of
from otherwords.web.accounts.login import HOME, address_of, local_path, start_session, verify_login
from otherwords.web.accounts.names import check_name
from otherwords.web.accounts.passwords import FEWEST_CHARACTERS, hash_password, run_hashing
from otherwords.web.accounts.platform_entry import enter, platform_of_link
from otherwords.web.accounts.sessions import close_session, session_of
from otherwords.web.forms import Form, WorkerSends, refuse_foreign, ticket_page
from otherwords.web.site import site_of

router = APIRouter()


@router.get("/login")
def login_form(request: Request, next: str = HOME) -> Response:
    """The form; somebody who is already logged in is redirected."""
    secret = request.cookies.get(site_of(request).cookie)
    if secret:
        with site_of(request).ledger.reading() as connection:
            if session_of(connection, secret):
                return RedirectResponse(local_path(next), 303)
    return render_login(request, {"next": next})


@router.post("/login")
async def log_in(request: Request, form: Form) -> Response:
    name, password = form.get("name", ""), form.get("password", "")
    ledger = site_of(request).ledger
    try:
        refuse_foreign(request, form)
        account = await run_hashing(lambda: verify_login(ledger, name, password, address_of(request)))
        target = local_path(form.get("next", HOME))
        return await run_in_threadpool(
            start_session, request, lambda connection: account_of(connection, account.name), target
        )
    except Refused as problem:
        return render_login(request, form, problem)


@router.post("/logout")
def log_out(request: Request, viewer: WorkerSends) -> Response:
    site = site_of(request)
    secret = request.cookies[site.cookie]
    site.writer.do(lambda connection: close_session(connection, secret))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(site.cookie, path="/", httponly=True, samesite="lax")
    return response


def render_login(request: Request, form: dict[str, str], problem: OtherwordsError | None = None) -> HTMLResponse:
    """The form as it was filled in, without the password, and with any problem."""
    values = {"name": form.get("name", ""), "next": local_path(form.get("next", HOME)), "provider": _provider(request)}
    return ticket_page(request, "login.html", problem, values)


@router.get("/setup/{secret}")
@router.get("/join/{secret}")
@router.get("/reset/{secret}")
def link_form(request: Request, secret: str) -> Response:
    """The form of a link; a worker who has joined by it, and is logged in, goes on with the batch."""
    if (entry := _platform(request, secret)) is not None:
        return _render_entry(request, *entry, dict(request.query_params))
    if (batch := _joined_batch(request, secret)) is not None:
        return RedirectResponse(f"/classify/{quote(batch, safe='')}", 303)
    return _render_link(request, secret, {})


@router.post("/setup/{secret}")
@router.post("/join/{secret}")
@router.post("/reset/{secret}")
async def use_link(request: Request, secret: str, form: Form) -> Response:
    """Use the link. Whether it is valid is checked before anything slow; other mistakes can be fixed in the form."""
    if (entry := await run_in_threadpool(_platform, request, secret)) is not None:
        return await run_in_threadpool(_enter, request, secret, *entry, form)
    invitation = await run_in_threadpool(_invitation, request, secret)
    password = form.get("password", "")
    try:
        refuse_foreign(request, form)
        if password != form.get("again", ""):
            raise Refused("the two passwords are not the same; type them again", code="passwords-differ")
        name = invitation.account or check_name(form.get("name", "").strip())
        password_hash = await run_hashing(lambda: hash_password(password, name))
        target = HOME if invitation.batch is None else f"/classify/{quote(invitation.batch, safe='')}"
        return await run_in_threadpool(
            start_session, request, lambda connection: accept(connection, secret, name, password_hash), target
        )
    except Refused as problem:
        return await run_in_threadpool(_render_link, request, secret, form, problem)


def _invitation(request: Request, secret: str) -> Invitation:
    """The invitation of a link that can be used, and that has the purpose in its address."""
    with site_of(request).ledger.reading() as connection:
        invitation = invitation_of(connection, secret)
    if not request.url.path.startswith(f"/{invitation.purpose}/"):
        raise NotFound("there is no such link; open it as it was given to you", code="no-such-invitation")
    return invitation


def _joined_batch(request: Request, secret: str) -> str | None:
    """The batch of a link, if whoever opens it is a worker of that batch already."""
    batch, cookie = _invitation(request, secret).batch, request.cookies.get(site_of(request).cookie)
    if batch is None or not cookie:
        return None
    with site_of(request).ledger.reading() as connection:
        session = session_of(connection, cookie)
    joined = session is not None and batch in session.account.settings.get("batches", ())
    return batch if joined else None


def _platform(request: Request, secret: str) -> tuple[Platform, str] | None:
    """The platform and the batch of a link that is for the workers of one."""
    if not request.url.path.startswith("/join/"):
        return None
    with site_of(request).ledger.reading() as connection:
        return platform_of_link(connection, secret)


def _enter(request: Request, secret: str, platform: Platform, batch: str, form: dict[str, str]) -> Response:
    """Let somebody in who comes from a platform, and who has pressed the button."""
    try:
        refuse_foreign(request, form)
        visit = visit_of(platform, form)
        target = f"/classify/{quote(batch, safe='')}"
        return start_session(request, lambda connection: enter(connection, secret, batch, visit), target)
    except Refused as problem:
        return _render_entry(request, platform, batch, form, problem)


def _render_entry(
    request: Request, platform: Platform, batch: str, parameters: dict[str, str], problem: Refused | None = None
) -> HTMLResponse:
    """What somebody sees who comes from a platform: as whom they come, and a button."""
    visit = None
    try:
        visit = visit_of(platform, parameters)
    except Refused as reason:
        problem = problem or reason
    fields = {} if visit is None else {platform.parameter: visit.worker, **visit.details}
    values = {"platform": platform.name, "batch": batch, "worker": visit and visit.worker, "fields": fields}
    return ticket_page(request, "enter.html", problem, values)


def _render_link(request: Request, secret: str, form: dict[str, str], problem: Refused | None = None) -> HTMLResponse:
    """The form with any problem; refused if the link cannot be used any more."""
    values = {"invitation": _invitation(request, secret), "name": form.get("name", ""), "fewest": FEWEST_CHARACTERS}
    values["provider"] = _provider(request)
    return ticket_page(request, "join.html", problem, values)


def _provider(request: Request) -> str | None:
    """What the provider is called at which people can sign in, if the project has one."""
    provider = site_of(request).provider
    return None if provider is None else provider.settings.button
