"""Answers the two most frequent requests without the framework's routing: taking pairs and saving judgements.

Finding a route and preparing its parameters costs more than saving a judgement in the ledger. The routes exist as well,
for the OpenAPI document and for requests in any other form; these are matched first, behind the same guard.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from otherwords.errors import OtherwordsError
from otherwords.web.guard import Guard, TooLarge

Endpoint = Callable[..., Awaitable[Response]]
ErrorResponse = Callable[[Request, Exception], Awaitable[Response]]
FastPost = tuple[re.Pattern[str], Endpoint]  # the path with its query; its groups are arguments of the endpoint


class FastPath(FastAPI):
    """An application that answers some requests before its router."""

    def __init__(self, posts: Sequence[FastPost], error_response: ErrorResponse, **options: Any) -> None:
        super().__init__(**options)
        self._posts, self._error_response = posts, error_response
        # Outside everything else, so that no answer goes out without its headers, not even that to an unexpected error.
        self._guarded = Guard(self._routed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._guarded(scope, receive, send)

    async def _routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            query = scope["query_string"].decode("latin-1")
            address = f"{scope['path']}?{query}" if query else scope["path"]
            for pattern, endpoint in self._posts:
                if match := pattern.fullmatch(address):
                    scope.update(app=self, endpoint=endpoint, path_params=match.groupdict())
                    await self._answer(scope, receive, send)
                    return
        await super().__call__(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await scope["endpoint"](request, **scope["path_params"])
        except TooLarge:
            raise
        except OtherwordsError as problem:
            response = await self._error_response(request, problem)
        except Exception as problem:
            response = await self._error_response(request, problem)
            await response(scope, receive, send)
            raise  # the server logs it
        await response(scope, receive, send)
