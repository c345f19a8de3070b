"""A new admin's list of first steps, in a real browser: it says what comes next, and goes when it is done or hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from otherwords.project import create_project
from otherwords.project.ledger import schema
from otherwords.project.project import now
from tests.browser.conftest import Page, Served, Visit, no_overflow
from tests.browser.filled_project import execute, insert_pairs, judgement_row
from tests.browser.test_contrast import faint
from tests.serving import ForkedSite
from tests.web.people import corpus

SIZES = [
    {"viewport": {"width": 1280, "height": 800}},
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The site of a new project, of which ada is the admin."""
    create_project(tmp_path / "corpus", "en", "turku")
    execute(tmp_path / "corpus", account("ada", "admin"))
    site = ForkedSite(tmp_path / "corpus")
    site.start()
    yield site
    site.stop()


def account(name: str, role: str) -> object:
    fields = {"name": name, "role": role, "state": "active", "settings": {}, "created": now()}
    return insert(schema.accounts).values(**fields)


def next_step(page: Page) -> str:
    return page.locator(".first-steps [aria-current=step] h3").inner_text().split("\n")[0]


def test_the_list_leads_from_an_empty_project_to_the_first_judgement(visit: Visit, served: Served) -> None:
    page = visit("ada", "/")
    assert next_step(page) == "Bring in texts or pairs"
    assert "otherwords import corpus" in page.locator("[aria-current=step]").inner_text()
    execute(served.folder, insert_pairs(*corpus()[1]))
    page.reload()
    assert next_step(page) == "Invite people"
    page.get_by_role("link", name="Make a link").click()
    page.wait_for_url("**/people")
    execute(served.folder, account("anna", "annotator"))
    page.goto(served.address)
    assert next_step(page) == "Make the first batch"
    page.get_by_role("link", name="Make a batch").first.click()
    page.wait_for_url("**/batches/new")
    page.get_by_label("Name of the batch").fill("first")
    page.get_by_role("button", name="Make the batch").click()
    page.wait_for_url("**/batches/first")
    page.goto(served.address)
    assert next_step(page) == "Judge a first pair"
    page.get_by_role("link", name="Continue: first").wait_for()
    execute(served.folder, judgement_row("p0", "4"))
    page.reload()
    page.wait_for_selector(".waiting")
    assert page.locator(".first-steps").count() == 0


def test_it_is_hidden_by_keys_and_comes_back_by_the_mouse(visit: Visit, served: Served) -> None:
    page = visit("ada", "/")
    page.get_by_role("button", name="Hide this list").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".waiting")
    assert page.locator(".first-steps").count() == 0
    page.reload()
    assert page.locator(".first-steps").count() == 0
    page.goto(f"{served.address}/account")
    page.get_by_role("button", name="Show the first steps again").click()
    page.get_by_role("heading", name="First steps").wait_for()


def test_only_an_admin_sees_it(visit: Visit, served: Served) -> None:
    execute(served.folder, account("carl", "curator"))
    assert visit("carl", "/").locator(".first-steps").count() == 0


@pytest.mark.parametrize("options", SIZES)
def test_how_it_looks(visit: Visit, served: Served, options: dict[str, object]) -> None:
    page = visit("ada", "/", **options)
    page.get_by_role("heading", name="First steps").wait_for()
    no_overflow(page)
    assert faint(page) == []
    mark, title = (page.locator(f".first-steps .next {part}").bounding_box() for part in (".mark", "h3"))
    assert mark is not None
    assert title is not None
    assert mark["x"] + mark["width"] <= title["x"]
    assert abs(mark["y"] + mark["height"] / 2 - (title["y"] + 14)) <= 8  # on the first line of its title
