"""The site as an ASGI application: pages, an API under ``/api/v1`` with its OpenAPI document, and static files."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles

from otherwords import __version__
from otherwords.errors import OtherwordsError
from otherwords.project.webhooks.deliver import deliver_due
from otherwords.project.webhooks.settings import read_webhooks
from otherwords.web import api, pages
from otherwords.web.accounts.auth import LoginNeeded
from otherwords.web.accounts.expiry import hourly_expiry
from otherwords.web.address import DEFAULT_ADDRESS
from otherwords.web.api.judgements import names_of_senders, save
from otherwords.web.api.working import take_with_others
from otherwords.web.fast_path import FastPath
from otherwords.web.rendering import in_language, page, public_message, status_and_headers
from otherwords.web.sentences import invalid_request
from otherwords.web.site import HERE, Site, serving

API = "/api/v1"
FAST_POSTS = (
    (re.compile(f"{API}/judgements"), save),
    (re.compile(rf"{API}/batches/(?P<name>[\w.-]+)/take\?count=(?P<count>[1-9]\d?)"), take_with_others),
)
# Tell a worker process what to serve, and where people reach it.
FOLDER, PUBLIC, ADDRESS = "OTHERWORDS_SERVE", "OTHERWORDS_PUBLIC", "OTHERWORDS_ADDRESS"
HTTP_ERRORS = {404: ("there is no such page", "no-such-page"), 405: ("this cannot be done here", "method-not-allowed")}

BETWEEN_DELIVERIES = 5.0  # seconds
ARENAS = 2
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_log = logging.getLogger(__name__)


def make_app(folder: Path, *, public: bool = False, address: str = DEFAULT_ADDRESS) -> FastAPI:
    """The application that serves a project."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with serving(folder, names_of_senders, public=public, address=address) as site:
            app.state.site = site
            async with contextlib.AsyncExitStack() as stack:
                if not public:
                    await stack.enter_async_context(hourly_expiry(site))
                    await stack.enter_async_context(webhook_delivery(site))
                yield

    app = FastPath(
        posts=() if public else FAST_POSTS,
        error_response=_error_response,
        title="otherwords",
        version=__version__,
        summary="The annotation site of a paraphrase corpus",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.router.routes.extend(_routes(public))
    for error in (OtherwordsError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(error, _error_response)
    return app


@contextlib.asynccontextmanager
async def webhook_delivery(site: Site) -> AsyncIterator[None]:
    """Look for what is new every few seconds and tell it, until the block ends, if the project has webhooks."""
    settings = read_webhooks(site.project.folder)
    if settings is None:
        yield
        return

    async def forever() -> None:
        while True:
            try:
                await run_in_threadpool(deliver_due, site.project, *settings)
            except (OtherwordsError, OSError) as problem:  # tried again in a moment
                _log.warning("webhooks could not be delivered: %s", problem)
            await asyncio.sleep(BETWEEN_DELIVERIES)

    task = asyncio.create_task(forever())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@cache
def _routes(public: bool) -> tuple[BaseRoute, ...]:
    """The routes of pages and API, the same for every project: to prepare them is most of a first request's work."""
    together = APIRouter()
    for router in pages.PUBLIC if public else pages.ROUTERS:
        together.include_router(router, include_in_schema=False)
    for router in api.PUBLIC if public else api.ROUTERS:
        together.include_router(router, prefix=API)
    return tuple(together.routes)


def from_environment() -> FastAPI:
    """The application that a worker process of the command line serves."""
    limit_arenas()
    return make_app(Path(os.environ[FOLDER]), public=bool(os.environ.get(PUBLIC)), address=os.environ[ADDRESS])


async def _error_response(request: Request, problem: Exception) -> Response:
    """An error page for people who browse, JSON with a code for everybody else."""
    match problem:
        case LoginNeeded() if _wants_page(request) and request.method == "GET":
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(f"/login?next={quote(request.url.path + query)}", 303)
        case OtherwordsError():
            status, headers = status_and_headers(problem)
            return _answer(request, status, public_message(problem), problem.code, headers)
        case RequestValidationError():
            wrong = [{"where": ".".join(map(str, error["loc"])), "what": error["msg"]} for error in problem.errors()]
            message = "; ".join(f"{error['where']}: {error['what']}" for error in wrong)
            shown = in_language(request, invalid_request, [(error["where"], error["what"]) for error in wrong])
            return _answer(request, 422, message, "invalid-request", shown=shown, wrong=wrong)
        case HTTPException(status_code=status):
            message, code = HTTP_ERRORS.get(status, (str(problem.detail), "http-error"))
            return _answer(request, status, message, code, dict(problem.headers) if problem.headers else None)
    message = "something went wrong on the server; the details are in its log"
    return _answer(request, 500, message, "server-error")


def _answer(
    request: Request,
    status: int,
    message: str,
    code: str,
    headers: dict[str, str] | None = None,
    shown: str | None = None,
    **more: Any,
) -> Response:
    """A page or JSON; ``shown`` is the whole message in the language of the page, where all of it is known in that."""
    if _wants_page(request):
        values: dict[str, Any] = {"code": status, "reason": message, "error_code": code, "shown": shown}
        return page(request, "error.html", status=status, headers=headers, **values)
    more |= {"shown": shown} if shown is not None else {}
    return JSONResponse({"error": message, "code": code, **more}, status, headers)


def _wants_page(request: Request) -> bool:
    machine = request.url.path.startswith(API) or request.url.path.endswith((".json", ".csv"))
    return not machine and "text/html" in request.headers.get("accept", "")


def limit_arenas() -> None:
    """Let threads that begin from now on share arenas, where the C library is one that can.

    By default it has up to eight arenas a core. Each keeps about as much as the largest request that its thread ever
    answered, so that a site with many threads grows for hours although nothing in it does. Python runs one thread at a
    time, so two arenas are enough.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, ARENAS)
