"""A client of the site's API for programs: the same calls as the pages make, with types.

    with Client("http://127.0.0.1:8080", token="owt_…") as site:
        for task in site.take("first", 10):
            site.judge(task.slot, "4", seconds=2.0)

A token is made on the account page or with ``otherwords user token``. Whatever is saved has a key, so that a call
that did not hear its answer is made again without saving twice.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

import msgspec

from otherwords.annotate.disagreements import Decision, Show
from otherwords.annotate.extracted import Extracted
from otherwords.annotate.extracting import Outcome
from otherwords.annotate.hearing import Hearing
from otherwords.annotate.side_by_side import SideBySide
from otherwords.annotate.taking import Taken
from otherwords.annotate.triaging import Decision as Triage
from otherwords.annotate.triaging import Undecided
from otherwords.annotate.working import Progress, Task
from otherwords.errors import OtherwordsError, UsageError

T = TypeVar("T")
API = "/api/v1"
TRIES = 5
SECONDS = 30.0


class Refusal(OtherwordsError):
    """The site refused; its sentence, and the status of the answer."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Me(msgspec.Struct, frozen=True):
    """Whose token it is."""

    name: str
    role: str


class Saved(msgspec.Struct, frozen=True):
    """A judgement that is on the server's disk."""

    id: str
    batch: str | None
    value: Any
    time: str
    supersedes: str | None = None
    test: dict[str, Any] | None = None  # of a hidden test: whether the answer was right, what is, and why


class Said(msgspec.Struct, frozen=True):
    """What was said of a document pair, on the server's disk."""

    id: str
    document_pair: str
    value: str | None
    reason: str | None
    time: str | None
    supersedes: str | None


class Client:
    """One connection to a site; not to be shared by threads."""

    def __init__(self, address: str, token: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{address!r} is not the address of a site; it looks like http://127.0.0.1:8080")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=SECONDS)
        self._path = parts.path.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}", "accept": "application/json"}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *ended: object) -> None:
        self._connection.close()

    def me(self) -> Me:
        """Whose token it is."""
        return self._ask("GET", "/me", Me)

    def take(self, batch: str, count: int = 1) -> list[Task]:
        """Reserve the next pairs of a batch, those held already among them."""
        return self._ask("POST", f"/batches/{quote(batch, safe='')}/take?count={count}", list[Task])

    def progress(self, batch: str) -> Progress:
        """How far a batch has come."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/progress", Progress)

    def recent(self, batch: str, count: int = 20) -> list[Task]:
        """What one answered last in a batch."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/recent?count={count}", list[Task])

    def judge(self, slot: int, value: Any, *, key: str | None = None, **others: Any) -> Saved:
        """Answer a pair that is held; ``others`` are the fields of an answer: note, unsure, rewrites, seconds …"""
        said = {"key": key or str(uuid4()), "slot": slot, "value": value, **others}
        return self._ask("POST", "/judgements", Saved, said)

    def undo(self, judgement: str, *, key: str | None = None) -> Saved:
        """Take a judgement back."""
        path = f"/judgements/{quote(judgement, safe='')}/undo?{urlencode({'key': key or str(uuid4())})}"
        return self._ask("POST", path, Saved)

    def renew(self, slot: int) -> Taken:
        """Reserve again what ran out."""
        return self._ask("POST", f"/slots/{slot}/renew", Taken)

    def take_for_triage(self, count: int = 5) -> list[Undecided]:
        """Hold the next document pairs that wait for a yes or no."""
        return self._ask("POST", f"/triage/take?count={count}", list[Undecided])

    def triage(self, document_pair: str, decision: Triage, *, key: str | None = None, **others: Any) -> Said:
        """Accept or reject a document pair, or take that back; ``others`` are a reason and the seconds it took."""
        said = {"key": key or str(uuid4()), "decision": decision, **others}
        return self._ask("POST", f"/triage/{quote(document_pair, safe='')}", Said, said)

    def take_documents(self) -> SideBySide | None:
        """Hold the document pair that one has begun to extract from, else the next one; None where none waits."""
        maybe: Any = SideBySide | None
        found: SideBySide | None = self._ask("POST", "/extract/take", maybe)
        return found

    def add_pair(
        self, document_pair: str, one: tuple[int, int], two: tuple[int, int], *, key: str | None = None, **others: Any
    ) -> Extracted:
        """Put down a passage of each document as a pair, in code points of the documents, ends exclusive."""
        spans = {"start1": one[0], "end1": one[1], "start2": two[0], "end2": two[1]}
        said = {"key": key or str(uuid4()), **spans, **others}
        return self._ask("POST", f"/document-pairs/{quote(document_pair, safe='')}/pairs", Extracted, said)

    def finish(self, document_pair: str, outcome: Outcome, *, key: str | None = None, **others: Any) -> Said:
        """Say that a document pair yields no more, or nothing at all; ``others`` are the seconds that it took."""
        said = {"key": key or str(uuid4()), "outcome": outcome, **others}
        return self._ask("POST", f"/document-pairs/{quote(document_pair, safe='')}/finish", Said, said)

    def disagreements(self, batch: str, show: Show = "disagreements") -> Hearing:
        """What people disagree about in a batch, the worst first, as many as come at once."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/disagreements?show={show}", Hearing)

    def decide(
        self, batch: str, pair: str, value: Any, made_from: list[str], *, key: str | None = None, **others: Any
    ) -> Decision:
        """Decide about a pair, from the judgements that were seen; ``others``: adopted, note, seconds, supersedes."""
        said = {"key": key or str(uuid4()), "batch": batch, "value": value, "made_from": made_from, **others}
        return self._ask("POST", f"/pairs/{quote(pair, safe='')}/consensus", Decision, said)

    def pairs(self, **filters: str) -> Iterator[dict[str, Any]]:
        """The pairs of the corpus that fit, page by page; the filters are those of the browse page."""
        after: dict[str, str] = {}
        while True:
            told = self._ask("GET", f"/pairs?{urlencode({**filters, **after})}", dict[str, Any])
            yield from told["rows"]
            if told["next"] is None:
                return
            after = {"after": str(told["next"])}

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a streamed export, such as ``/export/judgements.jsonl``."""
        self._connection.request("GET", self._path + API + path, headers=self._headers)
        response = self._connection.getresponse()
        if response.status >= 400:
            raise _refusal(response.status, response.read())
        yield from response

    def _ask(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        content = None if body is None else msgspec.json.encode(body)
        headers = self._headers | ({"content-type": "application/json"} if content else {})
        for left in range(TRIES - 1, -1, -1):
            try:
                self._connection.request(method, self._path + API + path, content, headers)
                response = self._connection.getresponse()
                told = response.read()
            except (http.client.HTTPException, OSError) as problem:
                self._connection.close()
                if not left:
                    raise Refusal(0, f"the site does not answer: {problem}") from None
                time.sleep(0.1 * 2 ** (TRIES - 1 - left))
                continue
            if response.status >= 400:
                raise _refusal(response.status, told)
            return msgspec.json.decode(told, type=kind)
        raise AssertionError


def _refusal(status: int, told: bytes) -> Refusal:
    try:
        reason = str(msgspec.json.decode(told)["error"])
    except (msgspec.DecodeError, KeyError, TypeError):
        reason = f"the site answered {status}"
    return Refusal(status, reason)
