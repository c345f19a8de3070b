"""The language of the site: a choice that the browser keeps, and the texts of scripts in each language."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from otherwords.errors import NotFound
from otherwords.web.accounts.auth import credential_of
from otherwords.web.accounts.login import HOME, local_path
from otherwords.web.forms import Form
from otherwords.web.rendering import LANGUAGE_COOKIE
from otherwords.web.texts import LANGUAGES, script_address, script_texts

router = APIRouter()
public_router = APIRouter()  # the public site sets no cookie
A_YEAR = 365 * 24 * 3600
FOR_GOOD = {"cache-control": f"public, max-age={A_YEAR}, immutable"}  # other texts have another address


@router.post("/language")
def choose(request: Request, form: Form) -> Response:
    """Keep the choice in a cookie, and go back to the page. Nothing else changes, so there is no session to check."""
    if request.headers.get("origin") != "null":  # which a page with a secret in its address sends
        credential_of(request)
    response = RedirectResponse(local_path(form.get("next", HOME)), 303)
    language = form.get("language", "")
    if language in LANGUAGES:
        secure = request.url.scheme == "https"
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=A_YEAR, path="/", samesite="lax", secure=secure)
    return response


@router.get("/texts/{name}")
@public_router.get("/texts/{name}")
def texts(name: str) -> Response:
    """The texts of scripts in a language; other pages of an old version get those that there are now."""
    language = name.partition("-")[0]
    if language not in LANGUAGES:
        raise NotFound("there are no such texts; load the page again", code="no-such-texts")
    current = script_address(language).endswith(f"/{name}")
    headers = FOR_GOOD if current else {"cache-control": "no-store"}
    return Response(script_texts(language), headers=headers, media_type="text/javascript")
