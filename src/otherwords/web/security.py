"""What holds for every request and every answer: how large one may be, and what a browser may do with the other."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 2**20
STATIC = "/static/"
SECRET = ("/setup/", "/join/", "/reset/")  # addresses that are secrets, and told to nobody as the one that led there
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "x-frame-options": "DENY",
}


class TooLarge(Exception):
    """A body that goes on after the limit."""


class Guard:
    """Limits bodies by bytes as they come in, and puts the headers of safety on whatever goes out."""

    def __init__(self, app: ASGIApp, most_bytes: int = MOST_BYTES) -> None:
        self._app, self._most = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _add_headers(message, scope["path"])
            await send(message)

        try:
            announced = Headers(scope=scope).get("content-length", "0")
            if not announced.isdecimal() or int(announced) > self._most:
                raise TooLarge
            await self._app(scope, self._limited(receive), guarded)
        except TooLarge:
            if not started:
                reason = {"error": f"what was sent is larger than {self._most:,} bytes"}
                await JSONResponse(reason, 413, {"connection": "close"})(scope, receive, guarded)

    def _limited(self, receive: Receive) -> Receive:
        read = 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise TooLarge
            return message

        return limited


def _add_headers(message: Message, path: str) -> None:
    """What an answer says of its own accord stays, but for the one thing that an address which is a secret needs."""
    told = message["headers"]
    if path.startswith(SECRET):
        told = [(name, value) for name, value in told if name != b"referrer-policy"]
        told.append((b"referrer-policy", b"no-referrer"))
    names = {name for name, _ in told}
    kept = _KEPT if path.startswith(STATIC) else _NOT_KEPT
    message["headers"] = [*told, *(one for one in (*_SAFE, kept) if one[0] not in names)]


_SAFE = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_KEPT, _NOT_KEPT = (b"cache-control", b"max-age=3600"), (b"cache-control", b"no-store")
