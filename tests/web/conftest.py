"""A site of a small project on both databases, asked in the process, with people who are logged in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.project import open_project
from otherwords.web.app import make_app
from tests.web.people import PEOPLE, Person, logged_in, seat


@pytest.fixture
def filled(folder: Path) -> Path:
    """The project with people and pairs in it."""
    with open_project(folder) as project:
        seat(project)
    return folder


@pytest.fixture
def client(filled: Path) -> Iterator[TestClient]:
    """The running site, asked by nobody in particular."""
    app = make_app(filled, address="http://testserver")
    with TestClient(app, base_url="http://testserver", follow_redirects=False) as client:
        yield client


@pytest.fixture
def person(client: TestClient) -> Callable[[str], Person]:
    """Somebody of PEOPLE, logged in."""
    known: dict[str, Person] = {}

    def log_in(name: str) -> Person:
        if name not in known:
            assert name in PEOPLE
            known[name] = logged_in(client, name)
        return known[name]

    return log_in
