"""A way past the router for the one request that comes all the time.

Looking for a route and preparing its parameters costs a web framework more than saving a judgement costs the
ledger. The route is still there, for the OpenAPI document; this answers before it is looked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from otherwords.errors import Refused

Endpoint = Callable[[Request], Awaitable[Response]]


class Express:
    """Answers some paths of POST itself, and leaves all others to the application."""

    def __init__(self, app: ASGIApp, posts: Mapping[str, Endpoint]) -> None:
        self._app, self._posts = app, posts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in self._posts:
            await self._app(scope, receive, send)
            return
        try:
            response = await self._posts[scope["path"]](Request(scope, receive))
        except Refused as problem:
            response = JSONResponse({"error": str(problem)}, problem.status)
        await response(scope, receive, send)
