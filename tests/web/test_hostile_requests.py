"""Requests that no browser sends: each gets an answer with a code and the headers that keep browsers safe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.errors import LedgerError, ProjectError
from otherwords.web import site as site_module
from otherwords.web.app import make_app
from otherwords.web.guard import HEADERS
from tests.web.people import Person, logged_in

SAVE = "/api/v1/judgements"
ORIGINS = ["http://[bad", "http://[::1", "http://]", "http://\u2100.example", "null", "://", "http://testserver:99999x"]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("path", [SAVE, "/api/v1/batches/first/take?count=1", "/api/v1/batches/first/take", "/logout"])
def test_an_origin_that_is_no_address_is_another_site(person: Callable[[str], Person], path: str, origin: str) -> None:
    anna = person("anna")
    answer = anna.post(path, headers={"origin": origin.encode()}, data={"csrf": anna.csrf})
    assert answer.status_code == 403
    assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize(
    "body",
    [
        b'{"key": "k", "slot": 1, "value": "\xff"}',
        b'{"key": "\xff\xfe", "slot": 1, "value": "4"}',
        b'{"key": "k", "slot": 1, "value": "4", "note": "\xed\xa0\x80"}',
        b'{"key": "k", "slot": 1, "value": "4", "note": "\\ud800"}',
        b"\xff",
    ],
)
def test_an_answer_that_is_not_utf8_is_refused(person: Callable[[str], Person], body: bytes) -> None:
    answer = person("anna").post(SAVE, content=body)
    assert answer.status_code == 422
    assert answer.json()["code"] in ("invalid-request", "unstorable-text")


@pytest.mark.parametrize("version", ["9" * 6000, "٣", "99999999999", "-1", "1e3", ""])
def test_a_guideline_version_that_is_no_number_is_refused(person: Callable[[str], Person], version: str) -> None:
    anna = person("anna")
    [task] = anna.post("/api/v1/batches/first/take?count=1").json()
    answer = {"key": "k", "slot": task["slot"], "value": "4", "guideline": f"turku@{version}"}
    reply = anna.post(SAVE, json=answer)
    assert (reply.status_code, reply.json()["code"]) == (422, "no-such-guideline")


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "x", "1 2"])
def test_a_length_that_is_no_number_is_too_large(person: Callable[[str], Person], length: str) -> None:
    answer = person("anna").post(SAVE, headers={"content-length": length}, content=b"{}")
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.fixture
def failing(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Somebody on a site in which everything fails in a way that nobody thought of."""
    with TestClient(make_app(filled), raise_server_exceptions=False) as client:
        anna = logged_in(client, "anna")

        def fail(*arguments: object, **options: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("otherwords.web.accounts.auth.requester_of", fail)
        monkeypatch.setattr("otherwords.web.api.judgements.auth.credential_of", fail)
        yield anna


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", SAVE), ("POST", "/api/v1/batches/first/take?count=1"), ("GET", "/api/v1/me"), ("GET", "/")],
)
def test_an_unexpected_error_has_the_safety_headers(failing: Person, method: str, path: str) -> None:
    answer = failing.ask(method, path, headers={"accept": "text/html"})
    assert answer.status_code == 500
    assert HEADERS.items() <= dict(answer.headers).items()
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "problem",
    [
        LedgerError("the ledger sqlite:////srv/secret/ledger.db is full", code="ledger-unavailable"),
        ProjectError("/srv/secret/tables/search.db: the search index cannot be made", code="index-unwritable"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/login", "/browse", "/api/v1/me"])
def test_trouble_on_the_server_does_not_tell_its_paths(
    client: TestClient,
    person: Callable[[str], Person],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    problem: Exception,
    path: str,
) -> None:
    anna = person("anna")

    def fail(*arguments: object, **options: object) -> None:
        raise problem

    monkeypatch.setattr(site_module.Ledger, "reading", fail)
    for accept in ("text/html", "application/json"):
        answer = anna.get(path, headers={"accept": accept})
        if answer.status_code != 200:
            assert answer.status_code in (500, 503)
            assert "/srv/secret" not in answer.text
            assert "/srv/secret" in caplog.text


def test_the_host_header_does_not_reach_a_link(filled: Path) -> None:
    """A link that is sent to somebody leads to the configured address, whatever the request says."""
    with TestClient(make_app(filled, address="https://corpus.example"), base_url="http://testserver") as client:
        ada = logged_in(client, "ada")
        headers = {"host": "evil.example", "x-forwarded-host": "evil.example"}
        invited = ada.post("/api/v1/invitations", json={"role": "annotator"}, headers=headers)
        assert invited.status_code == 201, invited.text
        assert invited.json()["link"].startswith("https://corpus.example/join/")
        reset = ada.post("/api/v1/people/anna/reset", headers=headers)
        assert reset.json()["link"].startswith("https://corpus.example/reset/")
        page = ada.post("/people/invite", data={"csrf": ada.csrf, "role": "annotator"}, headers=headers)
        assert "https://corpus.example/join/" in page.text
        assert "evil.example" not in page.text
