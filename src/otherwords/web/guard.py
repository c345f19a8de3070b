"""Rules for every request and response: a size limit for bodies, and security headers for browsers."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 2**20
MOST_DIGITS = 18  # of an announced length
STATIC = "/static/"
SECRET = ("/setup/", "/join/", "/reset/", "/sign-in/")  # addresses with secrets, never sent as referrers
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
    """A body that exceeds the limit."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Middleware that limits the size of request bodies as they arrive, and adds security headers to responses."""

    app: ASGIApp
    most_bytes: int = MOST_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _add_headers(message, scope["path"])
            await send(message)

        try:
            announced = Headers(scope=scope).get("content-length", "0")
            plain = announced.isascii() and announced.isdecimal() and len(announced) <= MOST_DIGITS
            if not plain or int(announced) > self.most_bytes:
                raise TooLarge
            await self.app(scope, self._limited(receive), send_with_headers)
        except TooLarge:
            if not started:
                error = {"error": f"the request is larger than {self.most_bytes:,} bytes", "code": "too-large"}
                await JSONResponse(error, 413, {"connection": "close"})(scope, receive, send_with_headers)

    def _limited(self, receive: Receive) -> Receive:
        read = 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most_bytes:
                raise TooLarge
            return message

        return limited


def _add_headers(message: Message, path: str) -> None:
    """Headers that the response has already stay, except the referrer policy of a secret address."""
    headers = message["headers"]
    if path.startswith(SECRET):
        headers = [(name, value) for name, value in headers if name != b"referrer-policy"]
        headers.append((b"referrer-policy", b"no-referrer"))
    names = {name for name, _ in headers}
    caching = _CACHED if path.startswith(STATIC) else _NOT_CACHED
    message["headers"] = [*headers, *(header for header in (*_SECURITY, caching) if header[0] not in names)]


_SECURITY = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_CACHED, _NOT_CACHED = (b"cache-control", b"max-age=3600"), (b"cache-control", b"no-store")
