"""What was extracted: numbers and colours in texts and list, the newest in sight, and texts that keep their room."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.project import open_project
from otherwords.records import DocumentPair
from tests.annotate.reading import put
from tests.browser.conftest import Page, Served, Visit, no_overflow, until
from tests.browser.extract_page import SAVED, SCREENS, extracted, is_seen, open_page, press
from tests.browser.reports import FILM, put_film, put_scripts

HEIGHTS = "() => [...document.querySelectorAll('.text')].map((text) => text.clientHeight)"
AREAS = "() => [...document.querySelectorAll('.text')].map((text) => text.clientHeight * text.clientWidth)"
SHADES = """() => [...document.querySelectorAll('.text')].map((text) =>
  [...text.querySelectorAll('.badge')].map((badge) => [badge.textContent, badge.dataset.shade]))"""
# Where numbers are drawn, against where their passages begin.
DISTANCES = """() => [...document.querySelectorAll('.text')].flatMap((text) => {
  const starts = [1, 2, 3, 4, 5, 6].flatMap((number) => [...CSS.highlights.get(`pair-${number}`)])
    .filter((range) => range.startContainer.parentElement === text).map((range) => {
      const first = document.createRange();
      first.setStart(range.startContainer, range.startOffset);
      first.setEnd(range.startContainer, range.startOffset + 1);
      return first.getBoundingClientRect();
    });
  const edge = (box) => (getComputedStyle(text).direction === 'rtl' ? box.right : box.left);
  return [...text.querySelectorAll('.badge')].map((badge) => badge.getBoundingClientRect()).map((box) =>
    Math.min(...starts.map((start) => Math.hypot(edge(box) - edge(start), box.top - start.top))));
})"""


def take_lines(page: Page, served: Served, count: int) -> None:
    for number in range(count):
        press(page, "a", "Enter")
        until(lambda: len(extracted(served)) == number + 1)  # noqa: B023 - called before the next one
    page.wait_for_selector(SAVED)


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_the_list_takes_no_room_from_the_texts(visit: Visit, served: Served, options: dict[str, Any]) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake", reduced_motion="reduce", **options)
    before, areas = page.evaluate(HEIGHTS), page.evaluate(AREAS)
    assert min(before) >= 180
    take_lines(page, served, 11)
    assert page.evaluate(HEIGHTS) == before
    assert is_seen(page, "#pairs [aria-current]")
    assert page.locator("#pair-count").inner_text() == "11 of 11"
    no_overflow(page)
    for folds in (1, 2):
        press(page, "p")
        assert page.evaluate(AREAS) >= areas
        assert folds == 1 or page.evaluate(HEIGHTS) == before
        assert is_seen(page, "#pairs [aria-current]")
        assert page.locator("#pairs [aria-current] .badge").inner_text() == "11"
        no_overflow(page)
    press(page, "k")
    assert page.locator("#pair-count").inner_text() == "10 of 11"
    assert is_seen(page, "#pairs [aria-current]")


def test_folding_is_remembered_and_can_be_done_by_the_mouse(visit: Visit, served: Served) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake")
    take_lines(page, served, 2)
    fold = page.get_by_role("button", name="Pairs")
    widths = "document.querySelector('#text1').clientWidth"
    beside = page.evaluate(widths)
    assert (page.locator("#pairs li:visible").count(), fold.get_attribute("aria-expanded")) == (2, "true")
    fold.click()
    assert page.locator("#pairs li:visible").count() == 1
    assert page.evaluate(widths) > beside
    page.reload()
    page.wait_for_selector("#pairs [aria-current]")
    assert (page.locator("#pairs li:visible").count(), fold.get_attribute("aria-expanded")) == (1, "false")
    fold.click()
    page.locator("#pairs li").first.click()
    assert page.locator("#pair-count").inner_text() == "1 of 2"
    page.get_by_role("button", name="Delete this pair").click()
    until(lambda: len(extracted(served)) == 1)


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_both_sides_of_a_pair_have_its_number_and_colour(visit: Visit, served: Served, options: dict[str, Any]) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake", reduced_motion="reduce", **options)
    text = page.evaluate("document.getElementById('text1').firstChild.data")
    take_lines(page, served, 7)
    numbered = [[str(number), f"pair-{(number - 1) % 6 + 1}"] for number in range(1, 8)]
    assert page.evaluate(SHADES) == [numbered, numbered]
    rows = "[...document.querySelectorAll('#pairs .badge')].map((badge) => [badge.textContent, badge.dataset.shade])"
    assert page.evaluate(rows) == numbered
    colours = "[1, 2, 3, 4, 5, 6].map((n) => getComputedStyle(document.querySelector(`[data-shade=pair-${n}]`)))"
    assert len(set(page.evaluate(f"{colours}.map((style) => style.backgroundColor)"))) == 6
    assert max(page.evaluate(DISTANCES)) < 16
    assert page.evaluate("document.getElementById('text1').firstChild.data") == text
    page.set_viewport_size({"width": 500, "height": 700})
    page.wait_for_function(f"() => ({DISTANCES})().every((distance) => distance < 16)")


def test_numbers_in_a_text_from_right_to_left(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-ar")
    for side in (1, 2):
        page.locator(f"#text{side}").focus()
        press(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft")
    assert page.locator("#edges").get_attribute("dir") == "rtl"
    press(page, "Enter")
    until(lambda: len(extracted(served)) == 1)
    assert max(page.evaluate(DISTANCES)) < 16


def test_how_far_one_is(visit: Visit, served: Served) -> None:
    put_film(served.folder)
    with open_project(served.folder) as project:
        about = {"doc1": "subtitles-tv", "doc2": "subtitles-dvd", "method": "subtitles", "status": "candidate"}
        put(project, *(DocumentPair(id=f"more{number}", **about) for number in range(9)))
    page = open_page(visit, "anna", "lake")
    assert page.locator("#progress").inner_text() == "1 of 11"  # with the pair of news
    press(page, "e")
    page.wait_for_url("**after=lake")
    press(page, "e")
    page.wait_for_url("**after=dp2")
    assert page.locator("#progress").inner_text() == "3 of 11"
    page = open_page(visit, "anna", "lake")
    assert page.locator(".bar .progress").inner_text().endswith("finished 2 of 11")
    assert page.locator("#title1").inner_text() == "The Lake (1994), tv"
    assert len(FILM) > 10
    page = open_page(visit, "ben", "more8")
    assert page.locator("#progress").inner_text() == "1 of 8"
