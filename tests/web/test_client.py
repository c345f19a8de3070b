"""The typed client against a real server on a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.errors import UsageError
from otherwords.project import opened
from otherwords.web.accounts import account_of
from otherwords.web.client import Client, Refusal
from otherwords.web.tokens import make_token
from tests.serving import Served


@pytest.fixture
def site(filled: Path) -> Iterator[Served]:
    served = Served(filled)
    served.start()
    yield served
    served.stop()


def token(folder: Path, name: str, *scopes: str) -> str:
    with opened(folder) as project, project.ledger.writing() as connection:
        return make_token(connection, account_of(connection, name), "test", scopes, None)


def test_a_program_annotates(site: Served) -> None:
    with Client(site.address, token(site.folder, "anna", "read", "annotate")) as client:
        assert client.me().name == "anna"
        first, second = client.take("first", 2)
        saved = client.judge(first.slot, "4", key="k", seconds=1.0)
        assert client.judge(first.slot, "4", key="k", seconds=1.0) == saved
        assert client.progress("first").mine == 1
        assert client.undo(saved.id).value is None
        assert client.renew(second.slot).slot == second.slot
        site.kill()
        site.start()
        assert client.judge(first.slot, "3").value == "3"
        assert [task.judgement["value"] for task in client.recent("first") if task.judgement] == ["3"]


def test_a_token_is_for_what_it_says(site: Served) -> None:
    with Client(site.address, token(site.folder, "anna", "read")) as client:
        with pytest.raises(Refusal) as refused:
            client.take("first")
        assert refused.value.status == 403
    with Client(site.address, "owt_unknown") as client, pytest.raises(Refusal, match="not known") as refused:
        client.me()
    assert refused.value.status == 401


def test_an_address_that_is_none() -> None:
    with pytest.raises(UsageError, match="is not the address"):
        Client("127.0.0.1:8080", "owt_x")
    with Client("http://127.0.0.1:9", "owt_x") as client, pytest.raises(Refusal, match="does not answer"):
        client.me()
