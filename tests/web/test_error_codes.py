"""Every error that is answered in JSON has a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.people import Person

ERRORS: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("GET", "/api/v1/nothing", {}, 404, "no-such-page"),
    ("GET", "/nothing.json", {}, 404, "no-such-page"),
    ("DELETE", "/api/v1/me", {}, 405, "method-not-allowed"),
    ("GET", "/api/v1/people?count=0", {}, 422, "invalid-request"),
    ("GET", "/browse.json?most=0", {}, 422, "invalid-request"),
    ("POST", "/api/v1/seeds", {"json": {"key": "k"}}, 422, "invalid-request"),
    ("POST", "/api/v1/judgements", {"json": {"key": "k"}}, 422, "invalid-request"),
    ("POST", "/api/v1/judgements", {"content": b"{"}, 422, "invalid-request"),
    ("POST", "/api/v1/judgements", {"json": {"key": "", "slot": 1, "value": "4"}}, 422, "invalid-key"),
    ("POST", "/api/v1/judgements", {"json": {"key": "k", "slot": 1, "value": "a\0"}}, 422, "unstorable-text"),
    ("POST", "/api/v1/judgements", {"content": b" " * (2**20 + 1)}, 413, "too-large"),
    ("PATCH", "/api/v1/people/anna", {"json": {}}, 422, "empty-change"),
    ("PATCH", "/api/v1/people/nobody", {"json": {"state": "closed"}}, 404, "no-such-account"),
    ("GET", "/api/v1/guidelines/turkku", {}, 404, "no-such-scheme"),
]


@pytest.mark.parametrize(("method", "path", "options", "status", "code"), ERRORS)
def test_errors_have_codes(
    person: Callable[[str], Person], method: str, path: str, options: dict[str, Any], status: int, code: str
) -> None:
    answer = person("ada").ask(method, path, **options)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["error"]


def test_somebody_unknown_gets_a_code(client: TestClient) -> None:
    answer = client.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "login-required")
    answer = client.get("/api/v1/me", headers={"authorization": "Bearer owt_unknown"})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


def test_roles_and_scopes_have_codes(person: Callable[[str], Person]) -> None:
    for path in ("/api/v1/people", "/people.csv", "/api/v1/export/pairs.jsonl"):
        answer = person("anna").get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-role"), path
