"""Real pages in a real Chromium, served by ``otherwords serve`` from a process of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.sessions import open_session, session_cookie
from tests.serving import ForkedSite, Served
from tests.web.people import seat

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
Browser, BrowserContext, Page = sync_api.Browser, sync_api.BrowserContext, sync_api.Page
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HEADLESS = shutil.which("chromium-headless-shell") or CHROMIUM  # without windows of its own a page costs a fifth
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SECONDS = 30.0  # that a page, a selector or a change in the ledger is waited for
PICTURES = "OTHERWORDS_PICTURES"  # the folder for pictures of the documentation; without it none are taken
Picture = Callable[..., None]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "pictures: takes pictures for the documentation, run by make pictures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "picture" in getattr(item, "fixturenames", ()):
            item.add_marker("pictures")


@pytest.fixture
def picture() -> Picture:
    """Save a picture of a page under a name, if the environment says into which folder."""
    folder = os.environ.get(PICTURES)

    def save(page: Page, name: str, **options: object) -> None:
        if folder:
            page.screenshot(path=Path(folder) / name, **options)

    return save


def bound(context: BrowserContext) -> BrowserContext:
    """The same window with a time limit on everything that is waited for."""
    context.set_default_timeout(1000 * SECONDS)
    context.set_default_navigation_timeout(1000 * SECONDS)
    return context


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    if HEADLESS is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=HEADLESS, args=ARGUMENTS, timeout=1000 * SECONDS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with people, pairs and batches in it, which tests get copies of."""
    folder = tmp_path_factory.mktemp("seated") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        seat(project)
    return folder


@pytest.fixture
def served(seated: Path, tmp_path: Path) -> Iterator[Served]:
    """A site with people, pairs and batches in it."""
    shutil.copytree(seated, tmp_path / "corpus")
    site = ForkedSite(tmp_path / "corpus")
    site.start()
    yield site
    site.stop()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, served: Served) -> Iterator[Visit]:
    """A page of the site in somebody's own browser window; an error of its scripts fails the test.

    With options that the window does not have they get another one.
    """
    with contextlib.ExitStack() as stack:
        windows: dict[str | None, tuple[BrowserContext, dict[str, object]]] = {}
        errors: list[str] = []

        def open_page(name: str | None, path: str, **options: object) -> Page:
            if name not in windows or options not in ({}, windows[name][1]):
                windows[name] = stack.enter_context(_window(browser, served, name, options)), options
            page = windows[name][0].new_page()
            page.on("pageerror", lambda problem: errors.append(str(problem)))
            page.on(
                "console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None
            )
            page.goto(served.address + path)
            return page

        yield open_page
        assert errors == []


@contextlib.contextmanager
def _window(browser: Browser, served: Served, name: str | None, options: dict[str, object]) -> Iterator[BrowserContext]:
    context = bound(browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **options}))
    if name:
        with open_project(served.folder) as project, project.ledger.writing() as connection:
            secret, _ = open_session(connection, account_of(connection, name))
        about = {"url": served.address, "httpOnly": True, "sameSite": "Lax"}
        context.add_cookies([{"name": cookie_of(served.folder), "value": secret, **about}])
    yield context
    context.close()


def cookie_of(folder: Path) -> str:
    """The name of the cookie of a session on the site of a project."""
    with open_project(folder) as project:
        return session_cookie(project)


def until(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until a condition holds; fail if it does not within the time limit."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"the condition did not hold within {seconds:g} seconds"
        time.sleep(0.02)


def no_overflow(page: Page) -> None:
    """Fail if a page is wider than its window."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{wide} px too wide"
