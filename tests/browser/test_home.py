"""The home page in a real browser: one key to go on, and the state of everything for curators."""

from __future__ import annotations

import pytest

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import open_project
from tests.browser.conftest import Picture, Served, Visit, no_overflow, until
from tests.browser.ledger import standing
from tests.browser.week import put_week


def test_by_keys_alone_into_the_work(visit: Visit, served: Served) -> None:
    page = visit("anna", "/")
    assert page.get_by_role("heading", level=1).text_content() == "Waiting for you"
    page.keyboard.press("Enter")
    page.wait_for_url("**/classify/first")
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    until(lambda: standing(served.folder, "anna") == {"p0": "3"})
    page.goto(served.address)
    page.keyboard.press("2")
    page.wait_for_url("**/classify/double")
    for _ in range(2):
        page.wait_for_selector("#work:not([hidden])")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
    page.wait_for_selector("#nothing:not([hidden])")
    until(lambda: len(standing(served.folder, "anna")) == 2)
    page.keyboard.press("Escape")  # back to the start
    page.wait_for_url(served.address + "/")
    assert "double" not in page.locator(".waiting").text_content()
    assert page.locator(".pace .count").last.text_content() == "3"
    page.keyboard.press("2")
    page.wait_for_url("**/triage")


def test_a_first_day_is_greeted_as_one(visit: Visit, served: Served) -> None:
    page = visit("anna", "/")
    assert page.locator(".greeting").inner_text().startswith("Welcome, anna: this is your first day here.")
    assert "What you do on each day will be here" in page.locator(".mine").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    until(lambda: len(standing(served.folder, "anna")) == 1)
    page.goto(served.address)
    assert page.locator(".greeting").count() == 0
    put_week(served.folder)
    assert visit("ben", "/").locator(".greeting").count() == 0


def test_a_batch_says_what_kind_of_work_it_is(visit: Visit, served: Served) -> None:
    named = [name.removeprefix("Continue: ") for name in visit("anna", "/").locator(".waiting .what").all_inner_texts()]
    assert {"first classify", "double classify · agreement"} <= set(named)


def test_many_batches_do_not_push_other_work_out_of_sight(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        for number in range(8):
            insert_batch(connection, f"more {number}", [BatchItem("p0")], scheme="turku", author="carl")
    page = visit("anna", "/")
    names = [name.split()[0] for name in page.locator(".waiting > ol .what").all_inner_texts()]
    assert names == ["Continue:", "double", "more", "more", "more", "more", "Triage", "Extract"]
    assert not page.get_by_role("link", name="more 7").is_visible()
    page.get_by_text("4 more batches").click()
    page.get_by_role("link", name="more 7").click()
    page.wait_for_url("**/classify/more%207")


def test_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    page = visit("wim", "/")
    page.get_by_role("link", name="Continue: first").click()
    page.wait_for_url("**/classify/first")


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_every_click_on_the_theme_shows_the_other_one(visit: Visit, served: Served, system: str, other: str) -> None:
    page = visit("anna", "/", color_scheme=system)
    shown = "getComputedStyle(document.documentElement).colorScheme"
    for theme in (other, system, other):
        page.click("#theme")
        assert page.evaluate(shown) == theme
    page.reload()
    assert page.evaluate(shown) == other


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("home", 1280, "light"), ("phone", 390, "light"), ("dark", 1280, "dark"), ("zoomed", 640, "light")],
)
def test_how_it_looks(visit: Visit, served: Served, name: str, width: int, scheme: str, picture: Picture) -> None:
    put_week(served.folder)
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = visit("anna", "/", **options)
    page.wait_for_selector(".waiting kbd")
    no_overflow(page)
    assert page.locator(".mine").text_content().count("%") == 1, "the same with and without flags is said once"
    curated = visit("carl", "/", **options)
    curated.wait_for_selector("#extraction")
    no_overflow(curated)
    rows = curated.locator("section[aria-labelledby=extraction] tbody tr")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["exams", "news", "subtitles"]
    if name == "home":
        picture(page, "home.png")
        picture(curated, "home-curator.png", full_page=True)


def test_an_error_is_said_in_a_sentence(visit: Visit, served: Served) -> None:
    page = visit("anna", "/pairs/nowhere")
    assert page.locator("main p").first.inner_text() == "There is no pair 'nowhere', or it was removed."
