"""What is answered before the router gets the same answers as the router gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx2 as httpx
import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.errors import LedgerError
from otherwords.project.ledger import schema
from otherwords.web.app import make_app
from otherwords.web.guard import HEADERS
from otherwords.web.site import Site
from otherwords.web.writer import Writer
from tests.web.people import Person, logged_in

FAST, BY_THE_ROUTER = "/api/v1/batches/{}/take?count=2", "/api/v1/batches/{}/take?count=2&"


def test_both_ways_give_the_same_pairs(person: Callable[[str], Person]) -> None:
    anna = person("anna")
    fast, slow = (anna.post(way.format("first")) for way in (FAST, BY_THE_ROUTER))
    assert (fast.status_code, slow.status_code) == (200, 200)
    same = ("slot", "position", "pair", "text1", "text2", "lang", "context", "judgement")
    assert [[task[name] for name in same] for task in fast.json()] == [
        [task[name] for name in same] for task in slow.json()
    ]
    assert len(fast.json()) == 2
    assert {name: fast.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("way", [FAST, BY_THE_ROUTER])
def test_both_ways_refuse_alike(way: str, client: TestClient, person: Callable[[str], Person]) -> None:
    anna, first = person("anna"), way.format("first")
    assert code_of(client.post(first)) == (401, "login-required")
    assert person("wim").post(way.format("double")).status_code == 403
    assert anna.post(way.format("missing")).status_code == 404
    assert code_of(anna.post(first, headers={"x-csrf-token": "no"})) == (403, "stale-page")
    elsewhere = {"origin": "https://elsewhere.example"}
    assert code_of(anna.post(first, headers=elsewhere)) == (403, "cross-site-request")


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("path", ["/api/v1/judgements", FAST.format("first"), BY_THE_ROUTER.format("first")])
def test_an_unexpected_error_is_answered_in_json(filled: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    with TestClient(make_app(filled), raise_server_exceptions=False) as client:
        anna = logged_in(client, "anna")
        for method in ("answer", "submit_joint", "do"):
            monkeypatch.setattr(Writer, method, fail)
        answer = anna.post(path, json={"key": "k", "slot": 1, "value": "4"})
    assert code_of(answer) == (500, "server-error")


def test_a_session_that_is_due_is_extended_on_the_way(client: TestClient, person: Callable[[str], Person]) -> None:
    anna, site = person("anna"), client.app.state.site  # type: ignore[attr-defined]
    ends = select(schema.sessions.c.until).where(schema.sessions.c.account == "anna")
    with site.ledger.writing() as connection:
        old = connection.execute(ends).scalar_one() - 7200
        connection.execute(schema.sessions.update().values(until=old))
    assert anna.post(FAST.format("first")).status_code == 200
    with site.ledger.reading() as connection:
        assert connection.execute(ends).scalar_one() > old + 7000


def test_trouble_with_the_ledger_is_said_as_such(
    client: TestClient, person: Callable[[str], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, site = person("anna"), client.app.state.site  # type: ignore[attr-defined]
    assert isinstance(site, Site)

    def broken(*arguments: object) -> None:
        raise LedgerError("the disk is full", code="disk-full")

    monkeypatch.setattr("otherwords.web.writer.save_answers", broken)
    body = {"key": "k", "slot": 1, "value": "4"}
    answer = anna.post("/api/v1/judgements", json=body)
    assert code_of(answer) == (503, "disk-full")


def test_an_answer_without_an_end_is_refused(person: Callable[[str], Person]) -> None:
    """Nested so deep that no reader follows."""
    body = b'{"key": "k", "slot": 1, "value": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    answer = person("anna").post("/api/v1/judgements", content=body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid-request"
