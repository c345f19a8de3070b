"""Nearest sentences in a real browser: by keys alone, by the mouse alone, and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from tests.browser.conftest import Page, Served, Visit, no_overflow, until

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
ZOOMED = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}  # as a window of 1280 px at 200 %
MARKED = (
    "name => [...(CSS.highlights.get(name) ?? [])]"
    ".map(one => one.startContainer.data.slice(one.startOffset, one.endOffset))"
)
FERRY = "The ferry was late this evening."


@pytest.fixture(scope="session")
def seated(seated: Path) -> Path:
    """The baseline is fast, and needs no model."""
    path = seated / CONFIG_FILE
    if "[nearest]" not in path.read_text(encoding="utf-8"):
        with path.open("a", encoding="utf-8") as stream:
            stream.write('\n[nearest]\nencoder = "tfidf"\n')
    return seated


def candidates(served: Served) -> list[tuple[str, str]]:
    pairs = schema.pairs.c
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        rows = connection.execute(select(pairs.text1, pairs.text2).where(pairs.method == "search"))
        return [(row.text1, row.text2) for row in rows]


def nearest_text(page: Page) -> str:
    return str(page.locator("#rows .reading").first.inner_text())


def test_by_keys_alone(visit: Visit, served: Served) -> None:
    page = visit("carl", "/nearest")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type(FERRY)
    page.keyboard.press("Enter")
    page.wait_for_selector("#rows")
    assert nearest_text(page) == "The ferry was late again this morning."
    assert page.evaluate(MARKED, "different")[:2] == ["again", "morning"]
    page.keyboard.press("j")
    assert page.evaluate(MARKED, "other") == ["evening"]
    page.keyboard.press("a")
    page.wait_for_selector("a.is-candidate")
    assert candidates(served) == [(FERRY, "The ferry was late again this morning.")]
    page.keyboard.press("d")
    assert page.evaluate(MARKED, "different") == []
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pairs/*")


def test_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    page = visit("carl", "/nearest?text=The+ferry+was+late+this+evening.")
    page.wait_for_selector("#rows")
    page.get_by_role("button", name="Add as candidate").first.click()
    page.wait_for_selector("a.is-candidate")
    until(lambda: len(candidates(served)) == 1)
    page.get_by_role("link", name="its nearest").first.click()
    page.wait_for_selector("text=the same sentence")
    assert page.locator("#sentence").inner_text() == "The ferry was late again this morning."
    page.get_by_role("link", name="candidate").first.wait_for()


@pytest.mark.parametrize("window", [PHONE, ZOOMED], ids=["phone", "zoomed"])
def test_nothing_is_wider_than_the_window(visit: Visit, window: dict[str, object]) -> None:
    page = visit("carl", "/nearest?text=The+ferry+was+late+this+evening.", **window)
    page.wait_for_selector("#rows")
    no_overflow(page)
    page.goto(page.url.partition("?")[0])
    no_overflow(page)
