"""Requests to an endpoint: paid for from its budget, repeated where that may help, and answers that are JSON.

Time-outs, broken connections, 429 and errors of the server are tried again, a bounded number of times, after the time
that the server names or after a growing one. Whatever else goes wrong is a reason: a text sent twice is paid twice.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from otherwords.digests import digest_number
from otherwords.models.calls import BackendStopped
from otherwords.models.endpoints.address import Address, EndpointOptions, without_key
from otherwords.models.endpoints.budget import SPENDING_FILE, Budget, CallCost, Limits
from otherwords.models.endpoints.connection import HttpAnswer, HttpHost, RequestFailed

MOST_SECONDS_TO_WAIT = 60.0  # between two tries, whatever the server asks for
FIRST_WAIT = 0.5  # seconds; doubles with each try
SECONDS_OF_GRACE = 30.0
FAILURES_IN_A_ROW = 20  # more of them than this and the calls under way: the rest would fail too
REFUSED = {401, 402, 403, 404, 405, 456}  # key, payment, address or model, quota of DeepL: the next call fails as well
TRIED_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
PLAIN_WORD = re.compile(r"[\w.-]{1,60}")
SHORTEST_SECRET = 16  # characters; what is shorter is a placeholder for servers that want some key
MOST_CHARACTERS = 200  # of a message of the server


Answer = TypeVar("Answer")


class Service(Protocol[Answer]):
    """What a kind of endpoint sends and answers."""

    @property
    def path(self) -> str:
        """Where requests go."""

    @property
    def account(self) -> str:
        """For what the limits hold, and the spending is added up."""

    @property
    def key_scheme(self) -> str:
        """The word before the key in the header Authorization."""

    @property
    def answer_type(self) -> type[Answer]:
        """What an answer is decoded as."""

    def cost(self, answer: Answer, bound: CallCost) -> CallCost:
        """What a call cost, as far as its answer says; otherwise the most that it could cost."""

    def text(self, answer: Answer) -> str:
        """The text of an answer; one that has none, or not all of it, is a RequestFailed."""


class _ServerError(msgspec.Struct):
    message: str = ""
    code: str | int | None = None
    type: str | None = None


class _ErrorBody(msgspec.Struct):
    """An error as OpenAI and DeepL send it."""

    error: _ServerError | str | None = None
    message: str = ""


class Endpoint(Generic[Answer]):
    """One address of a service; ``variable`` is the environment variable with its key, if it needs one."""

    def __init__(
        self, address: Address, options: EndpointOptions, limits: Limits, service: Service[Answer], variable: str | None
    ) -> None:
        self.address, self.options, self.limits, self.service = address, options, limits, service
        self.sleep: Callable[[float], None] = time.sleep
        self._variable = variable
        self._decoder = msgspec.json.Decoder(service.answer_type)
        self._host = HttpHost(address.host, address.port, tls=address.tls)
        self._budget: Budget | None = None
        self._failures = 0
        self._lock = threading.Lock()

    @property
    def where(self) -> str:
        """Its name without options, for messages."""
        return f"{self.address.kind}:{self.address.url}#{self.address.what}"

    @property
    def seconds_per_call(self) -> float:
        tries = self.options.tries
        return tries * self.options.seconds + (tries - 1) * MOST_SECONDS_TO_WAIT + SECONDS_OF_GRACE

    @property
    def budget(self) -> Budget:
        """The budget: that of a project, or one of this run."""
        with self._lock:
            if self._budget is None:
                self._budget = self._opened(None)
            return self._budget

    def keep_account(self, folder: Path) -> None:
        """Keep account in a folder from now on."""
        path = folder / SPENDING_FILE
        with self._lock:
            if self._budget is None or self._budget.path != path:
                self._budget = self._opened(path)

    def text(self, request: object, bound: CallCost) -> str:
        """The text of the answer to a request that costs at most ``bound``."""
        try:
            text = self._tried(msgspec.json.encode(request), bound)
        except UnicodeEncodeError:
            raise RequestFailed("the text has characters that cannot be sent", code="endpoint-bad-text") from None
        except RequestFailed as problem:
            self._count_failure(problem)
            raise
        with self._lock:
            self._failures = 0
        return text

    def _opened(self, path: Path | None) -> Budget:
        return Budget(self.service.account, self.limits, path)

    def _tried(self, body: bytes, bound: CallCost) -> str:
        for attempt in range(1, self.options.tries + 1):
            try:
                return self._sent(body, bound)
            except RequestFailed as problem:
                if not problem.again or attempt == self.options.tries:
                    raise
                self.sleep(_seconds_to_wait(problem, attempt, body))
        raise AssertionError("unreachable")

    def _sent(self, body: bytes, bound: CallCost) -> str:
        """One try: what it may cost is reserved before and settled after."""
        budget, spent = self.budget, bound
        budget.reserve(bound)
        try:
            answer = self._host.post(self.service.path, body, self._headers(), self.options.seconds)
            if answer.status != 200:
                spent = CallCost(requests=1)  # errors are not billed
                raise self._failure(answer)
            decoded = self._decoded(answer)
            spent = self.service.cost(decoded, bound)
            return self._checked(self.service.text(decoded))
        except RequestFailed as problem:
            if not problem.reached:
                spent = CallCost()
            raise
        finally:
            budget.settle(bound, spent)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "otherwords"}
        if self._variable:
            headers["Authorization"] = f"{self.service.key_scheme} {os.environ.get(self._variable, '')}"
        return headers

    def _decoded(self, answer: HttpAnswer) -> Answer:
        content_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type != "application/json" or answer.headers.get("content-encoding", "identity") != "identity":
            raise RequestFailed("the answer is not JSON", code="endpoint-nonsense")
        try:
            return self._decoder.decode(answer.body)
        except msgspec.ValidationError:
            raise RequestFailed("the answer lacks a required field", code="endpoint-nonsense") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise RequestFailed("the answer is not valid JSON", code="endpoint-nonsense") from None

    def _checked(self, text: str) -> str:
        key = os.environ.get(self._variable, "") if self._variable else ""
        if len(key) >= SHORTEST_SECRET and key in text:
            raise RequestFailed("the answer quotes the API key", code="endpoint-nonsense")
        return text.strip()

    def _failure(self, answer: HttpAnswer) -> RequestFailed | BackendStopped:
        """What an answer with another status than 200 means."""
        status, message, word = answer.status, *_server_message(answer.body)
        if 300 <= status < 400:
            host = urlsplit(answer.headers.get("location", "")).hostname or "another address"
            text = f"{self.address.host} redirects to {without_key(host, self._variable)}, which is not followed"
            return BackendStopped(text, code="endpoint-redirects")
        if status in REFUSED:
            where = f" (the key is that of {self._variable})" if self._variable and status in (401, 403) else ""
            text = without_key(f"HTTP {status}: {message}" if message else f"HTTP {status}", self._variable)
            return BackendStopped(f"{self.where} refuses: {text}{where}", code="endpoint-refuses")
        text = without_key(f"HTTP {status} ({word})" if word else f"HTTP {status}", self._variable)
        return RequestFailed(text, code="endpoint-error", again=status in TRIED_AGAIN, wait=_retry_after(answer))

    def _count_failure(self, problem: RequestFailed) -> None:
        with self._lock:
            self._failures += 1
            count = self._failures
        if count >= FAILURES_IN_A_ROW + self.options.at_once:
            message = f"{self.where}: {count} texts in a row have failed, the last with: {problem}"
            raise BackendStopped(message, code="endpoint-failing") from None


def _seconds_to_wait(problem: RequestFailed, attempt: int, body: bytes) -> float:
    """What the server asks for, or a time that doubles, spread so that not all come back at once; never too long."""
    if problem.wait is not None:
        return min(problem.wait, MOST_SECONDS_TO_WAIT)
    share: float = digest_number(body.hex(), str(attempt)) / 2**64
    return min(FIRST_WAIT * float(2 ** (attempt - 1)) * (0.5 + share), MOST_SECONDS_TO_WAIT)


def _retry_after(answer: HttpAnswer) -> float | None:
    """The seconds of ``Retry-After``, which may be a number or a date; by the server's clock where it shows one."""
    value = answer.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value, re.ASCII):
        return float(value)
    until = _date(value)
    if until is None:
        return None
    now = _date(answer.headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _server_message(body: bytes) -> tuple[str, str]:
    """The message of an error in one line, and the one word for it, if there are any."""
    try:
        decoded = msgspec.json.decode(body, type=_ErrorBody)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "", ""
    error = decoded.error if isinstance(decoded.error, _ServerError) else _ServerError(decoded.error or decoded.message)
    word = str(error.code or error.type or "")
    message = " ".join("".join(sign if sign.isprintable() else " " for sign in error.message).split())
    return message[:MOST_CHARACTERS], word if PLAIN_WORD.fullmatch(word) else ""
