"""Keys on German, Finnish, Spanish and French keyboards: what needs a third level has another key, on every page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import Page, Served, Visit
from tests.browser.every_page import LOOKS, put_everything
from tests.browser.extract_page import chosen, drag, open_page
from tests.browser.layouts import ROWS, THIRD_LEVELS, Event, easy_keys, third_level
from tests.browser.reports import put_news

WORKED_ON = ("classify", "types", "extract", "triage", "seeds", "crowd", "adjudicate a batch", "browse", "discussions")
LISTED = """() => {
  const press = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
  press();
  const rows = [...document.querySelectorAll("#all-keys tr")].map((row) => [
    [...row.querySelectorAll("kbd")].map((key) => key.textContent), row.lastChild.textContent]);
  press();
  return rows;
}"""
# Which elements the events press, by their places on the page; nothing is done.
PRESSED = """(events) => {
  const all = [...document.querySelectorAll("[data-key]")];
  let found = null;
  const note = (event) => {
    found = all.indexOf(event.target.closest("[data-key]"));
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", note, true);
  const places = events.map((about) => {
    found = null;
    document.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...about }));
    return found;
  });
  document.removeEventListener("click", note, true);
  return places;
}"""
TYPED = "(about) => document.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...about }))"


def pressed(page: Page, events: list[Event]) -> list[int | None]:
    places: list[int | None] = page.evaluate(PRESSED, events)
    return places


def problems(page: Page) -> Iterator[str]:
    """Keys of a page that cannot be typed, or that do something else than on a US keyboard."""
    here: dict[str, Event] = easy_keys("US")
    rows = [(set(keys), what) for keys, what in page.evaluate(LISTED)]
    assert len(rows) > 3
    single = sorted({key for keys, _ in rows for key in keys if key in here})
    expected = dict(zip(single, pressed(page, [here[key] for key in single]), strict=True))
    for layout in ROWS:
        easy = easy_keys(layout)
        for keys, what in rows:
            if not any(len(key) > 1 or key not in here or key in easy for key in keys):
                yield f"{layout}: {what} needs a third level"
        levels = [easy, *(third_level(layout, how) for how in THIRD_LEVELS)]
        typed = [(key, level[key]) for level in levels for key in single if key in level]
        for (key, event), place in zip(typed, pressed(page, [event for _, event in typed]), strict=True):
            if place != expected[key]:
                yield f"{layout}: {key} by {event} presses {place}, not {expected[key]}"


@pytest.fixture
def filled(served: Served) -> Served:
    """A site with something on every page."""
    put_everything(served.folder)
    return served


def test_every_key_can_be_typed_on_every_layout(filled: Served, visit: Visit) -> None:
    found = []
    for name in WORKED_ON:
        look = LOOKS[name]
        page = visit(look.who, look.path)
        page.wait_for_selector(look.ready)
        for state in (None, *look.states[:1]):
            for key in (state or "").split():
                page.keyboard.press(key)
            page.wait_for_load_state("networkidle")
            found += [f"{name}: {problem}" for problem in problems(page)]
        page.close()
    assert not found, "\n".join(found)


def test_a_key_whose_button_is_disabled_does_nothing_else(filled: Served, visit: Visit) -> None:
    """Nothing is marked, so there is no next phenomenon; by its place, ) on a US keyboard would answer no."""
    page = visit("anna", "/classify/types")
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("1")
    page.wait_for_selector('.tools [data-key="]"]:disabled')
    assert pressed(page, [easy_keys("US")[")"]]) == [None]
    assert pressed(page, [easy_keys("US")["0"]]) != [None]


EDGES: list[tuple[str, str, str]] = [
    ("h", "[", "since Monday morning"),
    ("l", "]", "morning"),
    ("H", "{", "Monday"),
    ("L", "}", "Monday morning, as"),
]


@pytest.mark.parametrize("layout", ROWS)
def test_the_edges_of_a_selection(visit: Visit, served: Served, layout: str) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    for letter, sign, expected in EDGES:
        signs = [level[sign] for level in (easy_keys(layout), third_level(layout)) if sign in level]
        for event in [easy_keys(layout)[letter], *signs]:
            drag(page, "text1", "Monday morning")
            assert chosen(page)[0] == "Monday morning"
            times = 2 if sign == "}" else 1  # the comma is by itself
            for _ in range(times):
                page.evaluate(TYPED, event)
            assert chosen(page)[0] == expected, (letter, event)


def test_the_arrows_of_a_label(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first")
    page.wait_for_selector("#work:not([hidden])")
    for layout in ROWS:
        easy: dict[str, Any] = easy_keys(layout)
        for key, name in ((",", "<"), (".", ">"), ("<", "<"), (">", ">")):
            arrow = page.locator(f'#answers [data-key="{name}"]')
            for state in ("true", "false"):
                page.evaluate(TYPED, easy[key])
                assert arrow.get_attribute("aria-pressed") == state, (layout, key)
            page.keyboard.press("Backspace")


def test_a_key_of_another_character_does_nothing(visit: Visit, served: Served) -> None:
    """By their places, these keys would press other buttons: y and z, a and q change places, AltGr and 2 is @."""
    page = visit("anna", "/classify/first")
    page.wait_for_selector("#work:not([hidden])")
    (at,) = pressed(page, [third_level("Spanish")["@"]])
    (redo,) = pressed(page, [easy_keys("German")["y"] | {"ctrlKey": True}])
    assert (at, redo) == (None, None)
    e_acute, two, russian = pressed(
        page, [easy_keys("French")["é"], easy_keys("French")["2"], {"key": "г", "code": "KeyU"}]
    )
    assert e_acute == two is not None
    assert russian is not None
