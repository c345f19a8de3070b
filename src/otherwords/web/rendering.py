"""Pages from templates. Templates escape all text of the corpus."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from otherwords.errors import DataError, OtherwordsError, ProjectError, Refused, TooMany, WriteError
from otherwords.project.simulated import is_simulated
from otherwords.web.accounts.auth import Requester
from otherwords.web.site import site_of
from otherwords.web.texts import ENGLISH, LANGUAGES, SERVER_TROUBLE, choose_language, script_address, speaking

T = TypeVar("T")
LANGUAGE_COOKIE = "otherwords-language"
OF_THE_SERVER = (ProjectError, WriteError)  # with paths and addresses that are nobody's business
ON_COMMAND_LINE = "; those that there are: otherwords batch list PROJECT"  # the site has pages with them
_log = logging.getLogger(__name__)


def page(
    request: Request,
    template: str,
    viewer: Requester | None = None,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    problem: OtherwordsError | None = None,
    **values: Any,
) -> HTMLResponse:
    """A page from a template and the values it shows; a problem with its form sets the status of the answer."""
    site = site_of(request)
    try:
        simulated = site.cached("simulated", is_simulated)
    except ProjectError:  # the ledger does not answer, which the page reports anyway
        simulated = False
    language = language_of(request)
    shared = {
        "project": site.project.config.name,
        "lang": site.project.config.lang,
        "public": site.public,
        "nearest_role": site.project.config.nearest_role,
        "simulated": simulated,
        "viewer": viewer,
        "csrf": viewer.csrf if viewer else "",
        "path": request.url.path,
        "problem": problem,
        "here": f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path,
        "site_language": language,
        "site_languages": LANGUAGES,
        "texts_script": script_address(language) if language != ENGLISH else None,
    }
    with speaking(language):
        html = site.templates.get_template(template).render(shared | values)
    if problem is not None:
        status, headers = status_and_headers(problem)
    return HTMLResponse(html, status, headers)


def language_of(request: Request) -> str:
    """The language of a page: chosen before, or what the browser asks for; the public site has no cookies."""
    chosen = None if site_of(request).public else request.cookies.get(LANGUAGE_COOKIE)
    return choose_language(chosen, request.headers.get("accept-language", ""))


def in_language(request: Request, show: Callable[..., T], *arguments: object) -> T:
    """What a function makes while the language of the page is spoken."""
    with speaking(language_of(request)):
        return show(*arguments)


def status_and_headers(problem: OtherwordsError) -> tuple[int, dict[str, str] | None]:
    """The HTTP status of an error; the headers say when to try again, if it is about waiting."""
    status = problem.status if isinstance(problem, Refused) else 503 if isinstance(problem, OF_THE_SERVER) else 422
    return status, {"retry-after": str(max(1, round(problem.seconds)))} if isinstance(problem, TooMany) else None


def public_message(problem: OtherwordsError) -> str:
    """The message of an error for people who use the site: what is wrong on the server itself goes into its log."""
    if isinstance(problem, OF_THE_SERVER):
        _log.error("%s [%s]", problem, problem.code)
        return SERVER_TROUBLE
    if isinstance(problem, DataError) and problem.path is not None:
        _log.error("%s [%s]", problem, problem.code)
        return f"{Path(problem.path).name}: {problem.reason}"
    return str(problem).removesuffix(ON_COMMAND_LINE)


def for_script(value: Any) -> Markup:
    """JSON for a ``<script type="application/json">`` element; nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False)
    return Markup(text.translate(_ESCAPED))  # noqa: S704 - every character with a meaning in HTML is escaped


_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "&<>\u2028\u2029"}
