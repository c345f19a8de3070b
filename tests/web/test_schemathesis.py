"""The API, asked whatever its own OpenAPI document allows and more: never a 500."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from starlette.testclient import TestClient

from otherwords.project import create_project, open_project
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.tokens import make_token
from otherwords.web.app import API, make_app
from tests.web.people import seat

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")


@pytest.fixture(scope="module")
def requested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, str]]:
    """A site and the token of somebody who may do everything."""
    folder: Path = tmp_path_factory.mktemp("api") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        seat(project)
        with project.ledger.writing() as connection:
            scopes = ["read", "annotate", "curate", "admin"]
            secret = make_token(connection, account_of(connection, "ada"), "all", scopes, None)
    with TestClient(make_app(folder), raise_server_exceptions=False) as client:
        yield client, secret


def sweep(client: TestClient, secret: str, examples: int) -> int:
    """So many requests of every operation, valid ones and not; how many operations that were."""
    schema = schemathesis.openapi.from_dict(client.get(f"{API}/openapi.json").json())
    operations = [result.ok() for result in schema.get_all_operations()]
    for operation in operations:
        if not operation.path.endswith("/logout-everywhere"):
            for mode in schemathesis.GenerationMode:
                many(client, secret, operation, mode, examples)
    return len(operations)


def many(client: TestClient, secret: str, operation: Any, mode: Any, examples: int) -> None:
    """So many requests; how each was answered is printed, for the figures of the long form."""
    statuses: Counter[int] = Counter()
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    phases = (Phase.explicit, Phase.generate)

    @settings(max_examples=examples, phases=phases, suppress_health_check=checks, database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        arguments = case.as_transport_kwargs(base_url="http://testserver")
        arguments["headers"] = {**(arguments.get("headers") or {}), "authorization": f"Bearer {secret}"}
        used = {name: value for name, value in arguments.items() if name in WANTED}
        if isinstance(arguments.get("data"), bytes | str):
            used["content"] = arguments["data"]
        try:
            answer = client.request(**used)
        except (UnicodeError, httpx.InvalidURL):  # no client can send such a request
            return
        statuses[answer.status_code] += 1
        assert answer.status_code < 500, (operation.label, answer.status_code, answer.text[:300])

    with contextlib.suppress(Unsatisfiable):  # there is no request of this operation that is not valid
        ask()
    print(f"{operation.label}, {mode.value}: {statuses.total()} requests, {dict(statuses)}", flush=True)


WANTED = ("method", "url", "headers", "params", "json", "content")


def test_no_request_breaks_it(requested: tuple[TestClient, str]) -> None:
    assert sweep(*requested, examples=3) > 25


@pytest.mark.soak
def test_no_request_of_many_breaks_it(requested: tuple[TestClient, str]) -> None:
    assert sweep(*requested, examples=200) > 25
