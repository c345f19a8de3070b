"""Requests to a service that publishes: JSON or a file out, JSON in.

The token is in the header of every request to the service itself, never in one to another host, and in no message: a
text of a server that quotes it is shown without it. Redirections are not followed. What fails for the moment is
repeated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from typing import IO, TypeVar
from urllib.parse import SplitResult, urlsplit

import msgspec

from otherwords.errors import DataError, UsageError

SECONDS = 120.0  # without a byte
TRIES = 4
WAITS = (1.0, 4.0, 15.0)  # seconds before each repetition
MOST_BYTES = 64 * 2**20  # of an answer
SHOWN = 300  # characters of what a server says
FOR_THE_MOMENT = frozenset({408, 429, 500, 502, 503, 504})
Body = bytes | Path | None
Answer = TypeVar("Answer")


class ServiceRefused(DataError):
    """A request that the service refused, with its status."""

    def __init__(self, message: str, *, code: str, status: int) -> None:
        super().__init__(message, code=code)
        self.status = status


def read_token(variable: str, file: str | Path | None) -> str:
    """The token from a file or from an environment variable; it is never an option, which others could see."""
    if file is not None:
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise DataError("the token cannot be read from this file", file, code="no-token") from None
    else:
        token = os.environ.get(variable, "").strip()
    if not token:
        where = f"{file} is empty" if file is not None else f"set the environment variable {variable}"
        raise UsageError(f"no token: {where}, or name a file with --token-file", code="no-token")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError("the token has spaces or characters that no token has", code="no-token")
    return token


@dataclass(slots=True)
class ServiceClient:
    """A service by its address."""

    address: str
    token: str = field(repr=False)
    wait: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = _checked(self.address)
        if parts.scheme != "https" and not _is_local(parts):
            message = f"--endpoint {self.address}: a token is only sent over https"
            raise UsageError(message, code="publish-not-encrypted")

    def get(self, path: str, kind: type[Answer]) -> Answer:
        return self.ask("GET", path, kind)

    def post(self, path: str, content: object, kind: type[Answer]) -> Answer:
        body = None if content is None else msgspec.json.encode(content)
        return self.ask("POST", path, kind, body, {"Content-Type": "application/json"})

    def ask(
        self, method: str, path: str, kind: type[Answer], body: Body = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to a request, as a record; a path that is a whole address may lead to another host."""
        content = self.send(method, path, body, headers)
        try:
            return msgspec.json.decode(content or b"null", type=kind)
        except (ValueError, RecursionError):
            message = f"{self.url(path)}: the answer is not what this service is known to send"
            raise DataError(message, code="publish-bad-answer") from None

    def send(self, method: str, path: str, body: Body = None, headers: Mapping[str, str] | None = None) -> bytes:
        """Make a request, again where that may help."""
        url = self.url(path)
        problem = ""
        for number in range(TRIES):
            if number:
                self.wait(WAITS[number - 1])
            try:
                status, content = self._exchange(method, url, body, headers or {})
            except (OSError, HTTPException) as failure:
                problem = str(getattr(failure, "strerror", None) or "the connection broke off")
                continue
            if 200 <= status < 300:
                return content
            words = self._without_token(content[: 4 * SHOWN].decode("utf-8", "replace"))[:SHOWN].strip()
            problem = f"status {status}" + (f": {words}" if words else "")
            if status not in FOR_THE_MOMENT:
                message = f"{method} {_shown(url)}: refused with {problem}"
                raise ServiceRefused(message, code="publish-refused", status=status)
        message = f"{method} {_shown(url)}: {problem}; run the same command again: what was sent is not sent twice"
        raise DataError(message, code="publish-failed")

    def url(self, path: str) -> str:
        return path if "://" in path else f"{self.address.rstrip('/')}{path}"

    def _exchange(self, method: str, url: str, body: Body, headers: Mapping[str, str]) -> tuple[int, bytes]:
        parts = _checked(url)
        own = urlsplit(self.address)
        sent = {"User-Agent": "otherwords", **headers}
        if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
            sent["Authorization"] = f"Bearer {self.token}"
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            if isinstance(body, Path):
                with body.open("rb") as stream:
                    return _answer(connection, method, target, stream, sent | {"Content-Length": str(_size(stream))})
            return _answer(connection, method, target, body, sent)
        finally:
            connection.close()

    def _without_token(self, text: str) -> str:
        return text.replace(self.token, "…")


def _answer(
    connection: HTTPConnection, method: str, target: str, body: IO[bytes] | bytes | None, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    connection.request(method, target, body, dict(headers))
    with connection.getresponse() as response:
        content = response.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise HTTPException
        return response.status, content


def _size(stream: IO[bytes]) -> int:
    return os.fstat(stream.fileno()).st_size


def _checked(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not url.isascii() or " " in url:
        raise UsageError(f"{url!r}: expected an address such as https://huggingface.co", code="bad-endpoint")
    return parts


def _is_local(parts: SplitResult) -> bool:
    if parts.hostname == "localhost":
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _shown(url: str) -> str:
    """An address without its query, which may be a signature."""
    return url.partition("?")[0]


def lines(records: Iterable[object]) -> bytes:
    """Records as lines of JSON."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)
