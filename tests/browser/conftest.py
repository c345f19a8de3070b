"""Real pages in a real Chromium, served by ``otherwords serve`` from a process of its own."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherwords.project import create, opened
from otherwords.web.accounts import account_of
from otherwords.web.sessions import open_session
from tests.serving import Served
from tests.web.people import seat

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
Browser, BrowserContext, Page = sync_api.Browser, sync_api.BrowserContext, sync_api.Page
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SHOTS = Path(__file__).resolve().parents[2] / "docs" / "images"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A site with people, pairs and batches in it."""
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        seat(project)
    site = Served(tmp_path / "corpus")
    site.start()
    yield site
    site.stop()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Visit]:
    """A page of the site in somebody's own browser window; an error of its scripts fails the test."""
    with contextlib.ExitStack() as stack:
        windows: dict[str, BrowserContext] = {}
        errors: list[str] = []

        def open_page(name: str | None, path: str, **wishes: object) -> Page:
            if name not in windows or wishes:
                windows[name or ""] = stack.enter_context(_window(browser, served, name, wishes))
            page = windows[name or ""].new_page()
            page.on("pageerror", lambda problem: errors.append(str(problem)))
            page.on(
                "console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None
            )
            page.goto(served.address + path)
            return page

        yield open_page
        assert errors == []


@contextlib.contextmanager
def _window(browser: Browser, served: Served, name: str | None, wishes: dict[str, object]) -> Iterator[BrowserContext]:
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **wishes})
    context.set_default_timeout(30_000)
    if name:
        with opened(served.folder) as project, project.ledger.writing() as connection:
            secret, _ = open_session(connection, account_of(connection, name))
        cookie = {"name": "otherwords", "value": secret, "url": served.address, "httpOnly": True, "sameSite": "Lax"}
        context.add_cookies([cookie])
    yield context
    context.close()


def until(happens: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is so, looking again and again; fail if it never is."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
