"""The whole way to a real provider and back: its discovery document, its pages, its codes and its signatures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from otherwords.project import create_project
from otherwords.web.app import make_app
from tests.web.oidc.real_provider import real_provider
from tests.web.oidc.test_sign_in import SITE, configure, invitation, linked
from tests.web.windows import Window

pytest.importorskip("oidc_provider_mock", reason="oidc-provider-mock is not installed")


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with real_provider() as running:
        yield running


def sign_in(window: Window, path: str, subject: str) -> Any:
    """Go to the provider, say there who one is, and come back."""
    address = window.client.get(path).headers["location"]
    answer = httpx.post(address, data={"sub": subject})
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(f"{SITE}/sign-in/callback?")
    return window.client.get(answer.headers["location"].removeprefix(SITE))


def test_there_and_back(tmp_path: Path, issuer: str) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    configure(tmp_path / "corpus", issuer, domain="lab.example")
    app = make_app(tmp_path / "corpus", address=SITE)
    with TestClient(app):
        maja, noor = Window(app), Window(app)
        done = sign_in(maja, "/sign-in?next=/account", "maja-77")
        assert (done.status_code, done.headers["location"]) == (303, "/account")
        assert maja.client.get("/api/v1/me").json()["name"] == "maja"
        assert sign_in(noor, "/sign-in", "noor-78").status_code == 403  # of another domain, and not invited
        assert sign_in(noor, f"{invitation(app)}/sign-in", "noor-78").status_code == 303
        assert sorted(linked(app)) == [("maja-77", "maja"), ("noor-78", "noor")]
        assert sign_in(Window(app), "/sign-in", "maja-77").status_code == 303
        assert len(linked(app)) == 2
