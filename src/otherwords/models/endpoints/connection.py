"""One request over HTTP, within limits of time and size.

The standard library is enough for this: a deadline holds for the whole answer, however slowly it drips, and nothing is
followed, unpacked or read beyond what an answer of this kind needs. A connection serves one request: on one that is
kept alive, what a server sends too much would be taken for the answer to the next text.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

import msgspec

from otherwords.models.calls import BackendFailed, BackendStopped

SECONDS_TO_CONNECT = 10.0
MOST_BYTES = 1 << 20  # of an answer: a text of a few thousand tokens with all that surrounds it is far smaller
BYTES_AT_ONCE = 1 << 16


class RequestFailed(BackendFailed):
    """A request without a usable answer. ``again``: it may be repeated, after ``wait`` seconds if the server says so.

    ``reached`` is False if the server can have done nothing that costs money.
    """

    def __init__(
        self, reason: str, *, code: str, again: bool = False, wait: float | None = None, reached: bool = True
    ) -> None:
        super().__init__(reason, code=code)
        self.again, self.wait, self.reached = again, wait, reached


class HttpAnswer(msgspec.Struct, frozen=True):
    """What a server sent; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpHost:
    """A host that is asked over HTTP; ``ip`` is where to connect to, if that is not left to its name."""

    def __init__(self, host: str, port: int, *, tls: bool, ip: str | None = None) -> None:
        self.host, self.port, self._ip = host, port, ip
        self._context = ssl.create_default_context() if tls else None

    def post(self, path: str, body: bytes, headers: Mapping[str, str], seconds: float) -> HttpAnswer:
        """The answer to a request; all of it within so many seconds."""
        return self._ask("POST", path, body, headers, seconds)

    def get(self, path: str, headers: Mapping[str, str], seconds: float) -> HttpAnswer:
        """The same for a request that sends nothing."""
        return self._ask("GET", path, None, headers, seconds)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> HttpAnswer:
        connection = self._connected(seconds)
        try:
            return _exchange(connection, method, path, body, headers)
        except TimeoutError:
            message = f"no answer within {seconds:g} s"
            raise RequestFailed(message, code="endpoint-timeout", again=True) from None
        except (OSError, HTTPException, ValueError):  # the error of a broken header quotes it: it stays here
            raise RequestFailed("the connection broke off", code="endpoint-broke-off", again=True) from None
        finally:
            connection.close()

    def _connected(self, seconds: float) -> _TimedConnection:
        until = time.monotonic() + seconds
        connection = _TimedConnection(
            self.host, self.port, min(SECONDS_TO_CONNECT, seconds), until, self._context, self._ip
        )
        try:
            connection.connect()
        except ssl.SSLCertVerificationError as problem:
            message = f"{self.host}: its certificate is not trusted: {problem.verify_message}"
            raise BackendStopped(message, code="endpoint-not-trusted") from None
        except TimeoutError:
            message = f"no connection to {self.host} within {min(SECONDS_TO_CONNECT, seconds):g} s"
            raise RequestFailed(message, code="endpoint-unreachable", again=True, reached=False) from None
        except (OSError, UnicodeError) as problem:
            why = getattr(problem, "strerror", None) or "there is no such host"
            message = f"no connection to {self.host}:{self.port}: {why}"
            raise RequestFailed(message, code="endpoint-unreachable", again=True, reached=False) from None
        return connection


class _TimedConnection(HTTPConnection):
    """A connection whose every read and write ends by ``until``, a time of the monotonic clock."""

    def __init__(
        self, host: str, port: int, timeout: float, until: float, context: ssl.SSLContext | None, ip: str | None
    ) -> None:
        super().__init__(host, port, timeout=timeout)
        self._until, self._context, self._ip = until, context, ip

    def connect(self) -> None:
        name, self.host = self.host, self._ip or self.host
        try:
            super().connect()
        finally:
            self.host = name  # for the certificate and the header
        if self._context is not None:
            try:
                self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)
            except BaseException:
                self.close()
                raise
        self.sock = _TimedSocket(self.sock, self)

    def remaining(self) -> float:
        seconds = self._until - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


class _TimedSocket:
    """A socket as HTTPConnection uses it, with the time limit of its connection."""

    def __init__(self, inner: socket.socket, connection: _TimedConnection) -> None:
        self._inner, self._connection = inner, connection

    def sendall(self, data: bytes) -> None:
        self._inner.settimeout(self._connection.remaining())
        self._inner.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._inner, self._connection))

    def close(self) -> None:
        self._inner.close()


class _TimedReader(io.RawIOBase):
    """What a socket receives, read with the time limit of its connection."""

    def __init__(self, inner: socket.socket, connection: _TimedConnection) -> None:
        self._inner, self._connection = inner, connection
        self._raw = inner.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._inner.settimeout(self._connection.remaining())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _exchange(
    connection: _TimedConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
) -> HttpAnswer:
    """Send a request and read its answer."""
    connection.request(method, path, body, {"Accept-Encoding": "identity", "Connection": "close", **headers})
    with connection.getresponse() as response:
        content = _content(response)
        return HttpAnswer(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


def _content(response: HTTPResponse) -> bytes:
    expected, parts, size = response.length, list[bytes](), 0
    while size <= MOST_BYTES and (expected or 0) <= MOST_BYTES:
        part = response.read1(BYTES_AT_ONCE)
        if not part:
            if expected is not None and size < expected:
                raise HTTPException
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    message = f"the answer has more than {MOST_BYTES:,} bytes"
    raise RequestFailed(message, code="endpoint-too-large")
