"""The site as an ASGI application: pages, an API under ``/api/v1`` with its OpenAPI document, and static files."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from otherwords import __version__
from otherwords.errors import LedgerError, OtherwordsError, Refused
from otherwords.web import api, pages
from otherwords.web.api.judgements import save, who_answers
from otherwords.web.api.working import take_at_once
from otherwords.web.express import Express
from otherwords.web.rendering import page
from otherwords.web.security import Guard
from otherwords.web.site import HERE, serving
from otherwords.web.tidying import tidied
from otherwords.web.viewer import LoginNeeded

API = "/api/v1"
POSTS = (
    (re.compile(f"{API}/judgements"), save),
    (re.compile(rf"{API}/batches/(?P<name>[\w.-]+)/take\?count=(?P<count>[1-9]\d?)"), take_at_once),
)
FOLDER, PUBLIC = "OTHERWORDS_SERVE", "OTHERWORDS_PUBLIC"  # how a worker process is told what to serve


def make_app(folder: Path, *, public: bool = False) -> FastAPI:
    """The application that serves a project."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with serving(folder, who_answers, public=public) as site:
            app.state.site = site
            async with contextlib.nullcontext() if public else tidied(site):
                yield

    app = Express(
        posts=() if public else POSTS,
        refuse=_refused,
        title="otherwords",
        version=__version__,
        summary="The annotation site of a paraphrase corpus",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for router in pages.PUBLIC if public else pages.ROUTERS:
        app.include_router(router, include_in_schema=False)
    for router in api.PUBLIC if public else api.ROUTERS:
        app.include_router(router, prefix=API)
    app.add_exception_handler(OtherwordsError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(Exception, _broken)
    return app


def from_environment() -> FastAPI:
    """The application that a worker process of the command line serves."""
    return make_app(Path(os.environ[FOLDER]), public=bool(os.environ.get(PUBLIC)))


def _wants_page(request: Request) -> bool:
    """A person who reads gets a page; everybody else a sentence in JSON."""
    machine = request.url.path.startswith(API) or request.url.path.endswith((".json", ".csv"))
    return not machine and "text/html" in request.headers.get("accept", "")


def _answer(request: Request, status: int, reason: str, headers: dict[str, str] | None = None, **more: Any) -> Response:
    if _wants_page(request):
        return page(request, "error.html", status=status, headers=headers, code=status, reason=reason)
    return JSONResponse({"error": reason, **more}, status, headers)


async def _refused(request: Request, problem: Exception) -> Response:
    if isinstance(problem, LoginNeeded) and _wants_page(request) and request.method == "GET":
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(request.url.path + query)}", 303)
    status = problem.status if isinstance(problem, Refused) else 503 if isinstance(problem, LedgerError) else 422
    wait = getattr(problem, "seconds", None)
    headers = {"retry-after": str(max(1, round(wait)))} if wait else None
    return _answer(request, status, str(problem), headers)


async def _invalid(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    wrong = [{"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in problem.errors()]
    reason = "; ".join(f"{one['where']}: {one['what']}" for one in wrong)
    return _answer(request, 422, reason, wrong=wrong)


async def _plain(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    reasons = {404: "there is no such page", 405: "this cannot be done here"}
    headers = dict(problem.headers) if problem.headers else None
    return _answer(request, problem.status_code, reasons.get(problem.status_code, str(problem.detail)), headers)


async def _broken(request: Request, problem: Exception) -> Response:
    return _answer(request, 500, "something went wrong on our side; it was written to the server's log")
