"""Load for a site: annotators with a light client each, and a ledger with much in it.

A :class:`Line` speaks just as much HTTP as is needed, over one connection that it keeps, so that what is measured is
the server. The ledger is filled past the site, with what the site itself would have put there.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.digests import keyed_id
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import now
from otherwords.records import Judgement, Pair
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.sessions import open_session, session_cookie

BATCH = "load"
SCHEME = "turku"
TIMES_ASKED = 3  # that a pair is to be judged, where a test checks that it is not more
LABELS = ("4", "4>", "4s", "3", "2", "1", "4<i", "x")
ROWS_A_STATEMENT = 5_000
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CLOSES = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Login:
    """Somebody with a session."""

    name: str
    secret: str
    csrf: str
    cookie: str  # its name

    @property
    def headers(self) -> dict[str, str]:
        return {"cookie": f"{self.cookie}={self.secret}", "x-csrf-token": self.csrf}


class Line:
    """A kept connection to a server on this machine, and the headers that say who asks."""

    def __init__(self, port: int, headers: Mapping[str, str], media_type: str = "application/json") -> None:
        lines = {"host": f"127.0.0.1:{port}", "content-type": media_type, **headers}
        self._port = port
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes, bytes]:
        """The status, the headers and the body of the answer; a ConnectionError where none came."""
        head = f"{method} {path} HTTP/1.1\r\n{self._headers}content-length: {len(body)}\r\n\r\n"
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(head.encode() + body)
            headers = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(headers)
            content = await reader.readexactly(int(length[1]) if length else 0)
        except (OSError, asyncio.IncompleteReadError) as problem:
            self.hang_up()
            raise ConnectionError(str(problem)) from None
        if _CLOSES.search(headers):
            self.hang_up()
        return int(headers.split(b" ", 2)[1]), headers, content

    def hang_up(self) -> None:
        """Close the connection; the next question opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def take(line: Line, most: int) -> list[int]:
    """Reserve the next pairs of the batch; their slots."""
    status, _, content = await line.ask("POST", f"/api/v1/batches/{BATCH}/take?count={most}")
    assert status == 200, content
    return [task["slot"] for task in json.loads(content)]


def answer_to(slot: int, key: str) -> bytes:
    """What a page sends for a pair: a label that depends on the slot, so that what was saved can be checked."""
    body = {"key": key, "slot": slot, "value": label_of(slot), "seconds": 1.2, "guideline": f"{SCHEME}@0"}
    return json.dumps(body).encode()


def label_of(slot: int) -> str:
    return LABELS[slot % len(LABELS)]


async def save(line: Line, body: bytes) -> dict[str, Any]:
    """Send an answer; what the server says that it has saved."""
    status, _, content = await line.ask("POST", "/api/v1/judgements", body)
    assert status == 201, content
    saved: dict[str, Any] = json.loads(content)
    return saved


def fill(project: Project, pairs: int, asked: int, people: Mapping[str, str]) -> None:
    """People by role, pairs, and a batch of them for everybody in which each is to be judged so many times."""
    account: dict[str, Any] = {"password": None, "state": "active", "settings": {}, "created": now()}
    accounts = [{"name": name, "role": role, **account} for name, role in people.items()]
    about = {"import_id": None, "step": None, "step_key": None, "state": None}
    text1, text2 = "The ferry was late again this morning.", "Once more the boat did not come on time."
    rows = [row_of(Pair(id=f"p{number}", text1=text1, text2=text2, lang="en"), **about) for number in range(pairs)]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.accounts), accounts)
        for start in range(0, pairs, ROWS_A_STATEMENT):
            connection.execute(insert(schema.pairs), rows[start : start + ROWS_A_STATEMENT])
        insert_batch(connection, BATCH, [BatchItem(row["id"]) for row in rows], scheme=SCHEME, asked=asked)


def log_in(project: Project, people: Sequence[str]) -> list[Login]:
    """A session for each, without the login page."""
    with project.ledger.writing() as connection:
        sessions = [(name, open_session(connection, account_of(connection, name))) for name in people]
    return [Login(name, *session, session_cookie(project)) for name, session in sessions]


def add_history(project: Project, pairs: int, people: Sequence[str]) -> int:
    """Let people have judged the first pairs of the batch, each as often as asked; how many judgements that are."""
    columns, done = schema.slots.c, Counter[str]()
    first = select(columns.seq, columns.position, columns.number, columns.item).where(columns.position < pairs)
    with project.ledger.writing() as connection:
        slots = connection.execute(first.order_by(columns.seq)).all()
        for start in range(0, len(slots), ROWS_A_STATEMENT):
            judgements = [_judged(slot, people) for slot in slots[start : start + ROWS_A_STATEMENT]]
            connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in judgements])
            connection.execute(_ANSWERED, [_answered(judgement) for judgement in judgements])
            done.update(judgement.annotator or "" for judgement in judgements)
        takers = [{"batch": BATCH, "annotator": name, "position": pairs - 1, "done": done[name]} for name in people]
        connection.execute(insert(schema.takers), takers)
    return len(slots)


def _judged(slot: Any, people: Sequence[str]) -> Judgement:
    """As the site would have it; the people take turns, so that nobody has a pair twice."""
    name = people[(slot.position + slot.number) % len(people)]
    return Judgement(
        id=keyed_id("j", name, f"history-{slot.seq}"),
        pair=slot.item,
        annotator=name,
        scheme=SCHEME,
        batch=BATCH,
        value=label_of(slot.seq),
        seconds=1.2,
        time=now(),
        guideline=f"{SCHEME}@0",
        meta={"slot": slot.seq},
    )


_ANSWERED = update(schema.slots).where(schema.slots.c.seq == bindparam("slot"))
_ANSWERED = _ANSWERED.values(judgement=bindparam("said"), holder=bindparam("who"), until=0.0)


def _answered(judgement: Judgement) -> dict[str, Any]:
    return {"slot": judgement.meta["slot"], "said": judgement.id, "who": judgement.annotator}
