"""A client of the site's API for programs: the same calls as the pages make, with types.

    with Client("http://127.0.0.1:8080", token="owt_…") as site:
        for task in site.take("first", 10):
            site.judge(task.slot, "4", seconds=2.0)

Tokens are made on the account page or with ``otherwords user token``. Every saving call has a key, so that it can be
repeated after a lost answer without saving twice.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

import msgspec

from otherwords.annotate.adjudication.case_queue import CaseQueue
from otherwords.annotate.adjudication.disagreements import CaseFilter, TeamDecision
from otherwords.annotate.crowd.introduction import Consent
from otherwords.annotate.crowd.practice import PracticeFeedback, PracticeReply
from otherwords.annotate.documents.extracted_pairs import ExtractedPair
from otherwords.annotate.documents.extraction import Outcome
from otherwords.annotate.documents.post_groups import PostGroup
from otherwords.annotate.documents.side_by_side import SideBySide
from otherwords.annotate.documents.triage import Decision as Triage
from otherwords.annotate.documents.triage import TriageTask
from otherwords.annotate.work.completion import CompletionCode
from otherwords.annotate.work.reservations import Reservation
from otherwords.annotate.work.tasks import Progress, Task
from otherwords.errors import OtherwordsError, UsageError
from otherwords.project.about import About

T = TypeVar("T")
Span = tuple[int, int]
API = "/api/v1"
TRIES = 5
SECONDS = 30.0


class Refusal(OtherwordsError):
    """The site refused a call; ``status`` is that of the answer, or 0 if there was none."""

    def __init__(self, status: int, reason: str, code: str = "refused-by-site") -> None:
        super().__init__(reason, code=code)
        self.status = status


class TokenOwner(msgspec.Struct, frozen=True):
    """The account that a token belongs to."""

    name: str
    role: str


class SavedJudgement(msgspec.Struct, frozen=True):
    """A judgement that is on the server's disk."""

    id: str
    batch: str | None
    value: Any
    time: str
    supersedes: str | None = None
    test: dict[str, Any] | None = None  # for a hidden test: whether the answer was right, the label and why


class SavedTriage(msgspec.Struct, frozen=True):
    """A decision about a document pair that is on the server's disk."""

    id: str
    document_pair: str
    value: str | None
    reason: str | None
    time: str | None
    supersedes: str | None


class SavedChoice(msgspec.Struct, frozen=True):
    """The seed of a group that is on the server's disk."""

    id: str
    group: str
    value: Any


class SavedRemark(msgspec.Struct, frozen=True):
    """A remark of a discussion that is on the server's disk."""

    id: str
    author: str | None
    text: str


class CorpusFacts(About, frozen=True, kw_only=True):
    """Who made the corpus, which entries are empty, and a name for this version of them."""

    empty_entries: list[str] = msgspec.field(name="empty")
    version: str


class Client:
    """One connection to a site; not to be shared by threads."""

    def __init__(self, address: str, token: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"{address!r} is not the address of a site; an address looks like http://127.0.0.1:8080"
            raise UsageError(message, code="invalid-address")
        connection_class = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = connection_class(parts.hostname, parts.port, timeout=SECONDS)
        self._path = parts.path.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}", "accept": "application/json"}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    def me(self) -> TokenOwner:
        """The account that the token belongs to."""
        return self._ask("GET", "/me", TokenOwner)

    def take(self, batch: str, count: int = 1) -> list[Task]:
        """Reserve the next pairs of a batch; those reserved already are among them."""
        return self._ask("POST", f"/batches/{quote(batch, safe='')}/take?count={count}", list[Task])

    def agree(self, batch: str, version: int, *, key: str | None = None) -> Consent:
        """Agree to a version of the introduction of a batch, without which nothing of it is given out."""
        return self._save(f"/batches/{quote(batch, safe='')}/consent", Consent, key, {"version": version})

    def practice(self, batch: str) -> PracticeReply:
        """How you do in the practice round of a batch, and the pairs that are left of it."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/practice", PracticeReply)

    def practise(self, batch: str, pair: str, value: Any) -> PracticeFeedback:
        """Answer a practice pair, and learn whether that was right."""
        path, body = f"/batches/{quote(batch, safe='')}/practice", {"pair": pair, "value": value}
        return self._ask("POST", path, PracticeFeedback, body)

    def completion(self, batch: str) -> CompletionCode:
        """Your completion code of a batch, if you have done what its introduction asks for."""
        return self._ask("POST", f"/batches/{quote(batch, safe='')}/completion", CompletionCode)

    def progress(self, batch: str) -> Progress:
        """Progress of a batch."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/progress", Progress)

    def recent(self, batch: str, count: int = 20) -> list[Task]:
        """Your latest answers in a batch."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/recent?count={count}", list[Task])

    def judge(self, slot: int, value: Any, *, key: str | None = None, **others: Any) -> SavedJudgement:
        """Answer a reserved pair; ``others`` are fields of an answer: note, unsure, rewrites, seconds …"""
        return self._save("/judgements", SavedJudgement, key, {"slot": slot, "value": value, **others})

    def undo(self, judgement: str, *, key: str | None = None) -> SavedJudgement:
        """Take a judgement back."""
        path = f"/judgements/{quote(judgement, safe='')}/undo?{urlencode({'key': key or str(uuid4())})}"
        return self._ask("POST", path, SavedJudgement)

    def renew(self, slot: int) -> Reservation:
        """Reserve a pair again whose reservation has expired."""
        return self._ask("POST", f"/slots/{slot}/renew", Reservation)

    def take_for_triage(self, count: int = 5) -> list[TriageTask]:
        """Reserve the next document pairs for triage."""
        return self._ask("POST", f"/triage/take?count={count}", list[TriageTask])

    def triage(self, document_pair: str, decision: Triage, *, key: str | None = None, **others: Any) -> SavedTriage:
        """Accept or reject a document pair, or undo that; ``others`` are a reason and the seconds it took."""
        return self._save(
            f"/triage/{quote(document_pair, safe='')}", SavedTriage, key, {"decision": decision, **others}
        )

    def take_groups(self, count: int = 3) -> list[PostGroup]:
        """Reserve the next groups of posts that have no seed yet."""
        return self._ask("POST", f"/seeds/take?count={count}", list[PostGroup])

    def pick_seed(
        self, group: str, choice: int | Literal["skip"] | None, *, key: str | None = None, **others: Any
    ) -> SavedChoice:
        """Pick the seed of a group by its rank, skip the group, or take that back; ``others`` are the seconds."""
        return self._save("/seeds", SavedChoice, key, {"group": group, "choice": choice, **others})

    def take_documents(self) -> SideBySide | None:
        """Reserve the document pair that you have begun, else the next one; None if there is none."""
        optional: Any = SideBySide | None
        documents: SideBySide | None = self._ask("POST", "/extract/take", optional)
        return documents

    def add_pair(
        self, document_pair: str, span1: Span, span2: Span, *, key: str | None = None, **others: Any
    ) -> ExtractedPair:
        """Save a passage of each document as a pair; spans are in code points of the documents, ends exclusive."""
        spans = {"start1": span1[0], "end1": span1[1], "start2": span2[0], "end2": span2[1]}
        return self._save(
            f"/document-pairs/{quote(document_pair, safe='')}/pairs", ExtractedPair, key, {**spans, **others}
        )

    def finish(self, document_pair: str, outcome: Outcome, *, key: str | None = None, **others: Any) -> SavedTriage:
        """Finish a document pair, with or without pairs; ``others`` are the seconds it took."""
        return self._save(
            f"/document-pairs/{quote(document_pair, safe='')}/finish", SavedTriage, key, {"outcome": outcome, **others}
        )

    def say(self, pair: str, text: str, *, key: str | None = None) -> SavedRemark:
        """Say something in the discussion of a pair, which opens when all that judge it have."""
        return self._save(f"/pairs/{quote(pair, safe='')}/remarks", SavedRemark, key, {"text": text})

    def disagreements(self, batch: str, show: CaseFilter = "disagreements") -> CaseQueue:
        """Disagreements in a batch, the worst first; the first page of them."""
        return self._ask("GET", f"/batches/{quote(batch, safe='')}/disagreements?show={show}", CaseQueue)

    def decide(
        self, batch: str, pair: str, value: Any, made_from: list[str], *, key: str | None = None, **others: Any
    ) -> TeamDecision:
        """Decide about a pair from its judgements; ``others``: adopted, note, seconds, supersedes."""
        return self._save(
            f"/pairs/{quote(pair, safe='')}/consensus",
            TeamDecision,
            key,
            {"batch": batch, "value": value, "made_from": made_from, **others},
        )

    def pairs(self, **filters: str) -> Iterator[dict[str, Any]]:
        """The pairs of the corpus that match some filters (those of the browse page), fetched page by page."""
        after: dict[str, str] = {}
        while True:
            pairs = self._ask("GET", f"/pairs?{urlencode({**filters, **after})}", dict[str, Any])
            yield from pairs["rows"]
            if pairs["next"] is None:
                return
            after = {"after": str(pairs["next"])}

    def about(self) -> CorpusFacts:
        """Who made the corpus, and what its readers should know."""
        return self._ask("GET", "/about", CorpusFacts)

    def change_about(self, about: About, *, after: str | None = None) -> CorpusFacts:
        """Replace all entries about the corpus; ``after`` is the version that was read, so that no change is lost."""
        entries = {name: msgspec.to_builtins(getattr(about, name)) for name in About.__struct_fields__}
        return self._ask("PUT", "/about", CorpusFacts, entries | {"after": after})

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a streamed export, such as ``/export/judgements.jsonl``."""
        self._connection.request("GET", self._path + API + path, headers=self._headers)
        response = self._connection.getresponse()
        if response.status >= 400:
            raise _refusal(response.status, response.read())
        yield from response

    def _save(self, path: str, kind: type[T], key: str | None, body: Mapping[str, object]) -> T:
        return self._ask("POST", path, kind, {"key": key or str(uuid4()), **body})

    def _ask(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        content = None if body is None else msgspec.json.encode(body)
        headers = self._headers | ({"content-type": "application/json"} if content else {})
        for left in range(TRIES - 1, -1, -1):
            try:
                self._connection.request(method, self._path + API + path, content, headers)
                response = self._connection.getresponse()
                answer = response.read()
            except (http.client.HTTPException, OSError) as problem:
                self._connection.close()
                if not left:
                    raise Refusal(0, f"the site does not answer: {problem}", code="site-unreachable") from None
                time.sleep(0.1 * 2 ** (TRIES - 1 - left))
                continue
            if response.status >= 400:
                raise _refusal(response.status, answer)
            return msgspec.json.decode(answer, type=kind)
        raise AssertionError


def _refusal(status: int, answer: bytes) -> Refusal:
    try:
        error = msgspec.json.decode(answer)
        return Refusal(status, str(error["error"]), code=str(error.get("code", "refused-by-site")))
    except (msgspec.DecodeError, KeyError, TypeError):
        return Refusal(status, f"the site answered {status}", code="refused-by-site")
