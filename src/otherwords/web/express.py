"""A way past the framework for the two requests that come all the time: the next pairs, and what was said of them.

Looking for a route and preparing its parameters costs a web framework more than saving a judgement costs the
ledger. The routes are still there, for the OpenAPI document and for whatever is asked in another way than a page does;
this answers before they are looked for, behind the same guard.
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
from otherwords.web.security import Guard

Endpoint = Callable[..., Awaitable[Response]]
Refuse = Callable[[Request, Exception], Awaitable[Response]]
Post = tuple[re.Pattern[str], Endpoint]  # the path with its query, and who answers; what it captures is handed over


class Express(FastAPI):
    """An application that answers some requests before its router."""

    def __init__(self, posts: Sequence[Post], refuse: Refuse, **about: Any) -> None:
        super().__init__(**about)
        self._posts, self._refuse, self._guarded = posts, refuse, Guard(self._answer)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            query = scope["query_string"].decode("latin-1")
            address = f"{scope['path']}?{query}" if query else scope["path"]
            for form, endpoint in self._posts:
                if found := form.fullmatch(address):
                    scope.update(app=self, endpoint=endpoint, path_params=found.groupdict())
                    await self._guarded(scope, receive, send)
                    return
        await super().__call__(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await scope["endpoint"](request, **scope["path_params"])
        except OtherwordsError as problem:
            response = await self._refuse(request, problem)
        await response(scope, receive, send)
