"""One's own account: password, tokens, logging out; and the language of the site, for those without one as well."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import NotFound, Refused
from otherwords.web.accounts.accounts import credentials_of
from otherwords.web.accounts.auth import Requester, Worker, credential_of
from otherwords.web.accounts.login import HOME, address_of, change_own_password, local_path
from otherwords.web.accounts.passwords import FEWEST_CHARACTERS, run_hashing
from otherwords.web.accounts.roles import SCOPES, SCOPES_OF_ROLE
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.accounts.tokens import make_token, revoke, tokens_of
from otherwords.web.forms import Form, WorkerSends, number_in
from otherwords.web.oidc.sign_ins import is_linked
from otherwords.web.rendering import LANGUAGE_COOKIE, page
from otherwords.web.site import site_of
from otherwords.web.texts import LANGUAGES, script_address, script_texts

router = APIRouter()
texts_router = APIRouter()  # also of the public site, which sets no cookie
A_YEAR = 365 * 24 * 3600
FOR_GOOD = {"cache-control": f"public, max-age={A_YEAR}, immutable"}  # other texts have another address
SCOPE = "scope-"  # prefix of the checkboxes of scopes


@router.get("/account")
def account(request: Request, viewer: Worker) -> HTMLResponse:
    return _render(request, viewer)


@router.post("/account/password")
async def change_password(request: Request, viewer: WorkerSends, form: Form) -> Response:
    site, address = site_of(request), address_of(request)
    keep = request.cookies[site.cookie]
    passwords = (form.get("current", ""), form.get("password", ""))
    try:
        if form.get("password") != form.get("again"):
            raise Refused("the two new passwords are not the same; type them again", code="passwords-differ")
        await run_hashing(lambda: change_own_password(site, viewer.account, *passwords, address, keep))
    except Refused as problem:
        return await run_in_threadpool(_render, request, viewer, password_problem=problem)
    return await run_in_threadpool(_render, request, viewer, changed=True)


@router.post("/account/logout-everywhere")
def log_out_everywhere(request: Request, viewer: WorkerSends) -> Response:
    site = site_of(request)
    site.writer.do(lambda connection: close_all_sessions(connection, viewer.account, viewer.name))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(site.cookie, path="/", httponly=True, samesite="lax")
    return response


@router.post("/account/tokens")
def create_token(request: Request, viewer: WorkerSends, form: Form) -> Response:
    name, scopes = form.get("name", ""), [scope for scope in SCOPES if SCOPE + scope in form]
    try:
        days = number_in(form, "days")
        token = site_of(request).writer.do(
            lambda connection: make_token(connection, viewer.account, name, scopes, viewer.name, days)
        )
    except Refused as problem:
        return _render(request, viewer, form=form, token_problem=problem)
    return _render(request, viewer, new_token=token)


@router.post("/account/tokens/revoke")
def revoke_token(request: Request, viewer: WorkerSends, form: Form) -> Response:
    name = form.get("name", "")
    site_of(request).writer.do(lambda connection: revoke(connection, viewer.account, name, viewer.name))
    return RedirectResponse("/account#tokens", 303)


@router.post("/language")
def choose_site_language(request: Request, form: Form) -> Response:
    """Keep the choice in a cookie, and go back to the page. Nothing else changes, so there is no session to check."""
    if request.headers.get("origin") != "null":  # which a page with a secret in its address sends
        credential_of(request)
    response = RedirectResponse(local_path(form.get("next", HOME)), 303)
    language = form.get("language", "")
    if language in LANGUAGES:
        secure = request.url.scheme == "https"
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=A_YEAR, path="/", samesite="lax", secure=secure)
    return response


@texts_router.get("/texts/{name}")
def script_texts_of(name: str) -> Response:
    """The texts of scripts in a language; other pages of an old version get those that there are now."""
    language = name.partition("-")[0]
    if language not in LANGUAGES:
        raise NotFound("there are no such texts; load the page again", code="no-such-texts")
    current = script_address(language).endswith(f"/{name}")
    headers = FOR_GOOD if current else {"cache-control": "no-store"}
    return Response(script_texts(language), headers=headers, media_type="text/javascript")


def _render(request: Request, viewer: Requester, form: dict[str, str] | None = None, **result: Any) -> HTMLResponse:
    """The page, with the result of a form that was just sent."""
    provider = site_of(request).provider
    with site_of(request).ledger.reading() as connection:
        tokens = tokens_of(connection, viewer.account)
        credentials = credentials_of(connection, viewer.name)
        linked = provider is not None and is_linked(connection, provider.settings.issuer, viewer.name)
    problem = result.get("password_problem") or result.get("token_problem")
    no_result = {"new_token": None, "changed": False, "password_problem": None, "token_problem": None}
    return page(
        request,
        "account.html",
        viewer,
        problem=problem,
        tokens=tokens,
        scopes=SCOPES_OF_ROLE[viewer.role],
        chosen=form if form is not None else {"days": "90", f"{SCOPE}read": "on"},
        fewest=FEWEST_CHARACTERS,
        has_password=credentials is not None and credentials.password is not None,
        provider=provider.settings.button if provider is not None else None,
        linked=linked,
        **no_result | result,
    )
