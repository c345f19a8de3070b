"""The guide in a real Chromium, opened from its folder: no page is too wide, search, copying and the theme work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Browser, Page
from tests.tools import tool

PHONE = {"viewport": {"width": 390, "height": 844}}
PAPER = "() => getComputedStyle(document.body).backgroundColor"
COPIED = "() => { navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; }"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("guide") / "docs"
    assert tool("docs/guide.py").build(folder) == []
    return folder


@pytest.fixture
def look(browser: Browser, out: Path) -> Iterator[Open]:
    """A page of the guide; an error of its script fails the test."""
    errors: list[str] = []
    contexts = []

    def opened(name: str, **wishes: object) -> Page:
        contexts.append(browser.new_context(**wishes))
        shown = contexts[-1].new_page()
        shown.on("pageerror", lambda problem: errors.append(str(problem)))
        shown.goto((out / name).as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def test_no_page_is_wider_than_a_telephone(look: Open, out: Path) -> None:
    shown = look("index.html", **PHONE)
    for path in sorted(out.glob("*.html")):
        shown.goto(path.as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path.name


def test_search_leads_to_a_place_on_another_page(look: Open) -> None:
    shown = look("tour.html")
    shown.keyboard.press("/")
    shown.keyboard.type("backups cron")
    shown.locator("#found a").first.click()
    shown.wait_for_url("**/fifty-annotators.html#6-backups-by-cron")


def test_a_search_without_an_answer_says_so(look: Open) -> None:
    shown = look("tour.html")
    shown.fill("#search", "zzzz")
    shown.wait_for_selector("#found .none")
    assert shown.locator("#found").inner_text() == "Nothing was found; try fewer words."


def test_commands_are_copied_without_their_prompt(look: Open) -> None:
    shown = look("tour.html")
    shown.evaluate(COPIED)
    shown.locator(".code").first.hover()
    shown.locator(".copy").first.click()
    assert shown.evaluate("copied") == "otherwords examples\notherwords profile examples/pairs.jsonl\n"


def test_the_theme_is_that_of_the_system_until_it_is_switched(look: Open) -> None:
    light, dark = (look("tour.html", color_scheme=scheme) for scheme in ("light", "dark"))
    assert light.evaluate(PAPER) != dark.evaluate(PAPER)
    light.click("#theme")
    assert light.evaluate(PAPER) == dark.evaluate(PAPER)
    light.reload()
    assert light.evaluate(PAPER) == dark.evaluate(PAPER)


def test_the_list_of_pages_is_folded_on_a_telephone(look: Open) -> None:
    shown = look("tour.html", **PHONE)
    assert not shown.locator(".pages nav").is_visible()
    shown.click("summary")
    shown.click("text=Which measure when")
    assert shown.locator("h1").inner_text() == "Which measure when"
