"""Webhooks: what is told, how it is signed, what happens when nobody listens, and what is never told."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, update

import otherwords
from otherwords.annotate.batch_plans.create import change_batch_state
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.work.reservations import reserve
from otherwords.models.endpoints import web_url
from otherwords.project import Project, create_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.webhooks import deliver, outbox
from otherwords.project.webhooks.deliver import deliver_due
from otherwords.project.webhooks.outbox import list_deliveries, pause_after
from otherwords.project.webhooks.settings import read_webhooks
from otherwords.records import Pair
from tests.errors import raises

SECRET = "a secret of more than sixteen signs"
DOCS = Path(__file__).resolve().parents[3] / "docs" / "webhooks.md"


@dataclass
class Listener:
    """A program that is told something."""

    url: str = ""
    status: int = 204
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def events(self) -> list[tuple[str, dict[str, Any]]]:
        return [(content["event"], content["data"]) for content in (json.loads(body) for _, body in self.heard)]


@pytest.fixture
def listener() -> Iterator[Listener]:
    program = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            program.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(program.status)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        program.url = f"http://127.0.0.1:{server.server_port}/hook"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield program
        finally:
            server.shutdown()
            thread.join(30)


def configure(folder: Path, url: str, secret: str = SECRET, **more: Any) -> None:
    path = folder / "hook.secret"
    path.write_text(secret)
    path.chmod(0o600)
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in more.items())
    with (folder / CONFIG_FILE).open("a") as file:
        file.write(f'\n[webhooks]\nurl = "{url}"\nsecret_file = "hook.secret"\n{lines}')


def tell(project: Project) -> int:
    configured = read_webhooks(project.folder)
    assert configured is not None
    return deliver_due(project, *configured)


def states(project: Project) -> list[tuple[str, str, int, str | None]]:
    with project.ledger.reading() as connection:
        return [(row.event, row.state, row.tries, row.problem) for row in list_deliveries(connection)]


@pytest.fixture
def hooked(project: Project, listener: Listener) -> Project:
    """A project with a batch of one pair, of which a program is told."""
    configure(project.folder, listener.url)
    pair = row_of(Pair(id="p1", text1="Rain fell.", text2="It rained."), import_id=None, step=None, step_key=None)
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs).values(**pair))
        insert_batch(connection, "early", [BatchItem("p1")], scheme="turku")
        change_batch_state(connection, "early", "closed", "carl")
        insert_batch(connection, "monday", [BatchItem("p1")], scheme="turku")
        reserve(connection, "monday", "anna", 1)
    assert tell(project) == 0  # what was before is nobody's business
    return project


def test_what_happens_is_told_once(hooked: Project, listener: Listener) -> None:
    assert listener.heard == []
    with hooked.ledger.writing() as connection:
        decide_on_worker(connection, "monday", "anna", "paused", "carl", "k1", "for a reason that stays here")
        own = (schema.slots.c.batch == "monday",)
        connection.execute(update(schema.slots).where(*own).values(judgement="j1", holder="anna"))
        connection.execute(update(schema.takers).where(schema.takers.c.batch == "monday").values(done=1))
        change_batch_state(connection, "monday", "closed", "carl")
        released = {"version": "1.0", "time": "2026-01-01", "licence": None, "meta": {}}
        connection.execute(insert(schema.releases).values(**released))
        connection.execute(insert(schema.released_pairs).values(version="1.0", pair="p1", types=[]))
        step = {"name": "people", "kind": "classify", "key": "k", "parameters": {}, "inputs": {}, "version": 1}
        connection.execute(insert(schema.steps).values(**step, state="waiting", started="2026", counts={}))
    assert tell(hooked) == 5
    assert listener.events == [
        ("worker.paused", {"batch": "monday", "paused": 1}),
        ("batch.closed", {"batch": "monday"}),
        ("batch.finished", {"batch": "monday", "items": 1, "judgements": 1}),
        ("release.made", {"version": "1.0", "pairs": 1}),
        ("step.waiting", {"step": "people", "kind": "classify"}),
    ]
    everything = b"".join(body for _, body in listener.heard)
    for private in (b"anna", b"carl", b"Rain", b"for a reason"):
        assert private not in everything
    assert tell(hooked) == 0
    assert {state for _, state, _, _ in states(hooked)} == {"delivered"}


def test_the_recipe_of_the_documentation_verifies_a_signature(hooked: Project, listener: Listener) -> None:
    """Ten lines of Python that people copy: they accept what is sent, and nothing that was changed or is old."""
    (recipe,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(recipe, names)
    report = otherwords.webhooks(hooked.folder, test=True)
    assert report.test is not None
    assert (report.test.state, report.test.problem) == ("delivered", None)
    ((headers, body),) = listener.heard
    assert json.loads(body)["event"] == headers["x-otherwords-event"] == "test"
    assert json.loads(body)["id"] == headers["x-otherwords-id"] == report.test.id
    signature = headers["x-otherwords-signature"]
    assert names["is_genuine"](body, signature, SECRET)
    assert not names["is_genuine"](body + b" ", signature, SECRET)
    assert not names["is_genuine"](body, signature, "another secret of some signs")
    assert not names["is_genuine"](body, signature.replace("t=", "t=1"), SECRET)
    assert not names["is_genuine"](body, signature, SECRET, now=time.time() + 3600)
    assert not names["is_genuine"](body, "nonsense", SECRET)


def test_it_is_tried_again_later_and_given_up_in_the_end(
    hooked: Project, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (hooked.folder / CONFIG_FILE).read_text()
    (hooked.folder / CONFIG_FILE).write_text(text + "tries = 3\n")
    moment = time.time()
    monkeypatch.setattr(deliver.time, "time", lambda: moment)
    listener.status = 302  # nothing is followed
    with hooked.ledger.writing() as connection:
        change_batch_state(connection, "monday", "closed")
    assert tell(hooked) == 1
    assert states(hooked) == [("batch.closed", "waiting", 1, "the answer was 302")]
    assert tell(hooked) == 0  # not before its time
    listener.status = 500
    for tries in (2, 3):
        moment += pause_after(tries - 1) + 1
        assert tell(hooked) == 1
    assert states(hooked) == [("batch.closed", "failed", 3, "the answer was 500")]
    moment += 86_400
    assert tell(hooked) == 0
    assert [path for path, _ in listener.events] == ["batch.closed"] * 3
    assert len({headers["x-otherwords-id"] for headers, _ in listener.heard}) == 1
    listener.status = 200
    report = otherwords.webhooks(hooked.folder, again=True, deliver=True)
    assert [delivery.state for delivery in report.deliveries] == ["delivered"]
    assert [pause_after(tries) for tries in (1, 2, 3, 20)] == [30, 120, 480, 21_600]


def test_one_process_at_a_time(hooked: Project, listener: Listener) -> None:
    with hooked.ledger.writing() as connection:
        change_batch_state(connection, "monday", "closed")
    with deliver._alone(hooked.folder) as alone:
        assert alone
        assert tell(hooked) == 0
    with hooked.ledger.writing() as connection:
        settings = read_webhooks(hooked.folder)
        assert settings is not None
        outbox.collect(connection, settings[0])
        assert len(outbox.claim_due(connection, time.time())) == 1
        assert outbox.claim_due(connection, time.time()) == []  # somebody is sending it
    assert tell(hooked) == 0
    assert listener.heard == []


def test_only_what_is_asked_for(project: Project, listener: Listener) -> None:
    configure(project.folder, listener.url, events=["release.made"])
    tell(project)
    with project.ledger.writing() as connection:
        insert_batch(connection, "monday", [BatchItem("p1")], scheme="turku")
        change_batch_state(connection, "monday", "closed")
    assert tell(project) == 0


def test_a_name_that_stands_for_a_machine_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent to a private address, by whatever name, and a name is looked up once."""
    answers = iter([["10.0.0.7"], ["127.0.0.1"], ["93.184.216.34", "169.254.169.254"], ["::1"], ["::ffff:10.1.2.3"]])

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in next(answers)]

    monkeypatch.setattr(web_url.socket, "getaddrinfo", look_up)
    address = web_url.parse_web_url("https://hooks.example.org/")
    for _ in range(5):
        with raises("private-address"):
            web_url.public_ip(address)
    monkeypatch.setattr(web_url.socket, "getaddrinfo", lambda *_, **__: look_up_public())
    assert web_url.public_ip(address) == "93.184.216.34"
    with raises("private-address"):  # this machine is this machine only by its own name
        web_url.public_ip(web_url.parse_web_url("http://localhost:8080/"))


def look_up_public() -> list[Any]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]


@pytest.mark.parametrize(
    ("url", "secret", "more", "code"),
    [
        ("http://hooks.example.org/", SECRET, {}, "address-not-encrypted"),
        ("https://user:word@hooks.example.org/", SECRET, {}, "bad-address"),
        ("ftp://hooks.example.org/", SECRET, {}, "bad-address"),
        ("https://hooks.example.org/", "short", {}, "bad-secret"),
        ("https://hooks.example.org/", SECRET, {"events": ["batch.finishd"]}, "no-such-event"),
        ("https://hooks.example.org/", SECRET, {"tries": 0}, "bad-setting"),
        ("https://hooks.example.org/", SECRET, {"secrt": "x"}, "unknown-setting"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, url: str, secret: str, more: dict[str, Any], code: str) -> None:
    create_project(tmp_path / "corpus", "en")
    configure(tmp_path / "corpus", url, secret, **more)
    with raises(code):
        otherwords.webhooks(tmp_path / "corpus")


def test_a_project_without_webhooks(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    with raises("no-webhooks"), contextlib.nullcontext():
        otherwords.webhooks(tmp_path / "corpus")
