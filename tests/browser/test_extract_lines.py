"""Aligned lines on the extraction page: one key offers the partner of a selection, or the next lines of both texts."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Served, Visit, until
from tests.browser.extract_page import (
    SAVED,
    SCREENS,
    chooses,
    chosen,
    drag,
    extracted,
    is_seen,
    open_page,
    press,
    selections_are_seen,
)
from tests.browser.reports import film_pairs, put_film, put_news


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_ten_pairs_take_at_most_25_keys(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake", reduced_motion="reduce", **options)
    wanted = film_pairs()[:10]
    pressed = 0
    for pair in wanted:
        press(page, "a")
        assert chosen(page) == pair
        assert selections_are_seen(page)
        press(page, "Enter")
        pressed += 2
        assert page.locator("#pairs [aria-current] .extract-text").all_text_contents() == list(pair)
        assert is_seen(page, "#pairs [aria-current]")
    until(lambda: extracted(served) == wanted)
    assert pressed <= 25
    page.wait_for_selector(SAVED)
    press(page, "n")
    page.wait_for_url("**after=lake")


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_by_the_mouse_alone(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake", reduced_motion="reduce", **options)
    wanted = film_pairs()
    add, lines = page.get_by_role("button", name="Add the pair"), page.locator("#aligned")
    assert lines.inner_text().endswith("Next lines")
    lines.click()
    assert chosen(page) == wanted[0]
    add.click()
    drag(page, "text2", "chair")
    assert lines.inner_text().endswith("Partner line")
    lines.click()
    assert chosen(page) == ("Sit down.", "chair")
    add.click()
    until(lambda: extracted(served) == [wanted[0], ("Sit down.", "chair")])


def test_the_partner_of_a_selection_in_either_text(visit: Visit, served: Served) -> None:
    put_film(served.folder)
    page = open_page(visit, "anna", "lake")
    drag(page, "text1", "soup")
    press(page, "a")
    chooses(page, "soup", "I kept the soup warm,\nhour after hour.")
    drag(page, "text2", "looked after the hens")
    press(page, "a")
    chooses(page, "And who would have\nfed the hens?", "looked after the hens")
    press(page, "Escape")
    drag(page, "text1", "look after themselves")
    press(page, "a")
    assert "no line that belongs to this one" in page.locator("#why").inner_text()
    chooses(page, "look after themselves", "")


def test_what_is_next(visit: Visit, served: Served) -> None:
    """Copies and what was taken are passed over; pressed again, the key goes on; it begins where the cursor is."""
    put_film(served.folder)
    page = open_page(visit, "anna", "lake")
    wanted = film_pairs()
    for pair in wanted[:3]:
        press(page, "a")
        assert chosen(page) == pair
    press(page, "Enter", "a")
    assert chosen(page) == wanted[3]
    press(page, "Escape", "a")
    assert chosen(page) == wanted[3]
    page.locator("#text1").focus()
    press(page, *["ArrowUp"] * 2, "a")  # from its line over the one that was taken to the copy before it
    assert chosen(page) == wanted[3]
    press(page, *["ArrowUp"] * 5, "a")
    assert chosen(page) == wanted[0]
    press(page, "Escape", "Backspace")
    until(lambda: not extracted(served))
    page.wait_for_selector(SAVED)
    press(page, "a")
    press(page, *["a"] * (len(wanted) - 1))
    assert chosen(page) == wanted[-1]
    press(page, "a")
    assert "No more lines" in page.locator("#why").inner_text()
    assert chosen(page) == wanted[-1]


def test_without_an_alignment_there_is_no_such_key(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    assert page.locator("#aligned").is_hidden()
    press(page, "a")
    assert chosen(page) == ("", "")
