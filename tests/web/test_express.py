"""What is answered before the router gets the same answers as the router gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.errors import LedgerError
from otherwords.project import schema
from otherwords.web.security import HEADERS
from otherwords.web.site import Site
from tests.web.people import Person

ON_THE_WAY, BY_THE_ROUTER = "/api/v1/batches/{}/take?count=2", "/api/v1/batches/{}/take?count=2&"


def test_both_ways_give_the_same_pairs(person: Callable[[str], Person]) -> None:
    anna = person("anna")
    fast, slow = (anna.post(way.format("first")) for way in (ON_THE_WAY, BY_THE_ROUTER))
    assert (fast.status_code, slow.status_code) == (200, 200)
    same = ("slot", "position", "pair", "text1", "text2", "lang", "context", "judgement")
    assert [[one[name] for name in same] for one in fast.json()] == [
        [one[name] for name in same] for one in slow.json()
    ]
    assert len(fast.json()) == 2
    assert {name: fast.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("way", [ON_THE_WAY, BY_THE_ROUTER])
def test_both_ways_refuse_alike(way: str, client: TestClient, person: Callable[[str], Person]) -> None:
    assert client.post(way.format("first")).status_code == 401
    assert person("wim").post(way.format("double")).status_code == 403
    assert person("anna").post(way.format("missing")).status_code == 404
    assert person("anna").post(way.format("first"), headers={"x-csrf-token": "no"}).status_code == 403
    assert person("anna").post(way.format("first"), headers={"origin": "https://elsewhere.example"}).status_code == 403


def test_a_session_that_is_due_is_extended_on_the_way(client: TestClient, person: Callable[[str], Person]) -> None:
    anna, site = person("anna"), client.app.state.site  # type: ignore[attr-defined]
    ends = select(schema.sessions.c.until).where(schema.sessions.c.account == "anna")
    with site.ledger.writing() as connection:
        old = connection.execute(ends).scalar_one() - 7200
        connection.execute(schema.sessions.update().values(until=old))
    assert anna.post(ON_THE_WAY.format("first")).status_code == 200
    with site.ledger.reading() as connection:
        assert connection.execute(ends).scalar_one() > old + 7000


def test_trouble_with_the_ledger_is_said_as_such(
    client: TestClient, person: Callable[[str], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, site = person("anna"), client.app.state.site  # type: ignore[attr-defined]
    assert isinstance(site, Site)

    def broken(*given: object) -> None:
        raise LedgerError("the disk is full")

    monkeypatch.setattr("otherwords.web.writer.judge", broken)
    said = {"key": "k", "slot": 1, "value": "4"}
    answer = anna.post("/api/v1/judgements", json=said)
    assert (answer.status_code, answer.json()) == (503, {"error": "the disk is full"})


def test_an_answer_without_an_end_is_refused(person: Callable[[str], Person]) -> None:
    """Nested so deep that no reader follows."""
    body = b'{"key": "k", "slot": 1, "value": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    answer = person("anna").post("/api/v1/judgements", content=body)
    assert answer.status_code == 422
    assert "not an answer" in answer.json()["error"]
