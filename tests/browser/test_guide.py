"""The guide in a real Chromium, opened from its folder: no page is too wide, search, copying and the theme work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Browser, Page, bound, sync_api
from tests.guide import built_guide

PHONE = {"viewport": {"width": 390, "height": 844}}
PAPER = "() => getComputedStyle(document.body).backgroundColor"
COPIED = "() => document.addEventListener('copy', (event) => { globalThis.copied = event.target.value; })"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_guide(tmp_path_factory)


@pytest.fixture
def look(browser: Browser, out: Path) -> Iterator[Open]:
    """Open a page of the guide; an error of its scripts or a request to another machine fails the test."""
    errors: list[str] = []
    requests: list[str] = []
    contexts = []

    def opened(name: str, **options: object) -> Page:
        contexts.append(bound(browser.new_context(**options)))
        shown = contexts[-1].new_page()
        shown.on("pageerror", lambda problem: errors.append(str(problem)))
        shown.on("request", lambda request: requests.append(request.url))
        shown.goto((out / name).as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []


def test_no_page_is_wider_than_a_telephone(look: Open, out: Path) -> None:
    shown = look("index.html", **PHONE)
    for path in sorted(out.glob("*.html")):
        shown.goto(path.as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path.name


def test_search_leads_to_a_place_on_another_page(look: Open) -> None:
    shown = look("tour.html")
    shown.keyboard.press("/")
    shown.keyboard.type("backups cron")
    shown.locator(".md-search-result__link", has_text="Backups by cron").first.click()
    shown.wait_for_url("**/fifty-annotators.html*#6-backups-by-cron")


def test_a_search_without_an_answer_says_so(look: Open) -> None:
    shown = look("tour.html")
    shown.keyboard.press("/")
    shown.keyboard.type("zzzz")
    shown.get_by_text("No matching documents").wait_for()


def test_commands_are_copied_without_their_prompt(look: Open) -> None:
    shown = look("tour.html")
    shown.evaluate(COPIED)
    shown.locator(".highlight").first.hover()
    shown.locator(".highlight [data-md-type=copy]").first.click()
    shown.wait_for_function("globalThis.copied")
    assert shown.evaluate("copied") == "otherwords examples\notherwords profile examples/pairs.jsonl"


def test_a_prompt_is_shown_and_not_selected(look: Open) -> None:
    shown = look("tour.html")
    assert shown.locator(".highlight .gp").first.inner_text().strip() == "$"
    shown.locator(".highlight code").first.evaluate("(code) => getSelection().selectAllChildren(code)")
    assert "$" not in shown.evaluate("String(getSelection())")


def test_the_theme_is_that_of_the_system_until_it_is_switched(look: Open) -> None:
    light, dark = (look("tour.html", color_scheme=scheme) for scheme in ("light", "dark"))
    paper, night = light.evaluate(PAPER), dark.evaluate(PAPER)
    assert paper != night
    dark.locator("label[title=Light]").click()
    assert dark.evaluate(PAPER) == paper
    dark.reload()
    assert dark.evaluate(PAPER) == paper
    dark.locator("label[title=Dark]").click()
    assert dark.evaluate(PAPER) == night


def test_the_list_of_pages_is_folded_on_a_telephone(look: Open) -> None:
    shown = look("tour.html", **PHONE)
    link = shown.locator(".md-sidebar--primary a", has_text="Install")
    sync_api.expect(link).not_to_be_in_viewport()
    shown.locator("label.md-header__button[for=__drawer]").click()
    link.click()
    assert shown.locator("h1").inner_text().startswith("Install")
