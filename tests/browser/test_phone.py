"""The site on a phone in a real browser: the menu in one row, nothing that jumps, no word of keys."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import update

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.browser.classify_page import SAVED
from tests.browser.conftest import Page, Served, Visit, no_overflow
from tests.browser.filled_project import fill_project
from tests.browser.reports import put_news

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PAGES = ["/", "/browse", "/batches", "/people", "/guidelines", "/guidelines/turku", "/account", "/classify/first"]
PAGES += ["/triage", "/extract", "/discussions", "/adjudicate", "/about", "/batches/new", "/batches/first"]
TOPS = "(selector) => new Set([...document.querySelectorAll(selector)].map((element) => element.offsetTop)).size"
SHIFTS = """() => { globalThis.shifts = []; new PerformanceObserver((list) => {
  const moved = (source) => source.node?.outerHTML?.slice(0, 80);
  for (const entry of list.getEntries()) shifts.push([entry.value, ...entry.sources.map(moved)]);
}).observe({ type: "layout-shift", buffered: true }); }"""
KEYS_IN_SIGHT = """() => [...document.querySelectorAll("kbd:not(.letter), .by-keys")]
  .filter((element) => element.checkVisibility()).map((element) => element.outerHTML)"""


def test_the_menu_is_one_row_and_the_bar_at_most_two(visit: Visit, served: Served) -> None:
    for path in PAGES:
        page = visit("ada", path, **PHONE)
        assert page.locator(".bar nav a").count() == 9, path
        assert page.evaluate(TOPS, ".bar nav a") == 1, path
        shown = ".bar > .home, .bar > .progress, .bar > .saved, .bar > #theme, .bar > .me"
        assert page.evaluate(TOPS, shown) <= 2, path
        box = page.locator(".bar").bounding_box()
        assert box is not None
        assert box["height"] <= 96, path
        no_overflow(page)
        page.close()


@pytest.mark.parametrize("width", [800, 1000, 1100, 1280])
def test_the_menu_is_one_row_beside_the_progress_too(visit: Visit, served: Served, width: int) -> None:
    page = visit("ada", "/classify/first", viewport={"width": width, "height": 800})
    page.wait_for_selector("#work:not([hidden])")
    assert page.evaluate(TOPS, ".bar nav a") == 1
    box = page.locator(".bar").bounding_box()
    assert box is not None
    assert box["height"] <= 48
    no_overflow(page)


def test_the_menu_moves_sideways_and_shows_where_one_is(visit: Visit, served: Served) -> None:
    page = visit("ada", "/people", **PHONE)
    page.wait_for_function("document.querySelector('.bar nav').scrollLeft > 0")
    current = page.locator(".bar nav [aria-current]").bounding_box()
    assert current is not None
    assert 0 <= current["x"] <= current["x"] + current["width"] <= 390
    page.locator(".bar nav a", has_text="Browse").tap()
    page.wait_for_url("**/browse")


def test_long_names_do_not_break_the_bar(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        name = "a batch with quite a long name that nobody shortened"
        insert_batch(connection, name, [BatchItem("p0"), BatchItem("p1")], scheme="turku", author="carl")
    page = visit("ada", "/classify/a%20batch%20with%20quite%20a%20long%20name%20that%20nobody%20shortened", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    box = page.locator(".bar").bounding_box()
    assert box is not None
    assert box["height"] <= 96
    no_overflow(page)
    assert page.locator("#count").bounding_box()["x"] < 390  # type: ignore[index]


def places_of(page: Page, selector: str) -> tuple[float, float]:
    """Where an element begins; of the count, which grows, where it ends."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return (box["x"] + box["width"] if selector == "#count" else box["x"]), box["y"]


def test_nothing_jumps_when_an_answer_is_saved(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    fixed = ("#work", "#text1", "#keys", ".bar nav", "#theme", ".bar .me", "#count")
    before = [places_of(page, selector) for selector in fixed]
    page.locator(".answers button").first.tap()
    page.locator("#submit").tap()
    page.wait_for_selector(SAVED)
    assert [places_of(page, selector) for selector in fixed] == before


def test_nothing_jumps_while_a_page_loads(visit: Visit, served: Served) -> None:
    for path in ("/", "/classify/first", "/browse", "/discussions", "/guidelines"):
        page = visit("ada", path, **PHONE)
        page.evaluate(SHIFTS)
        page.wait_for_load_state("networkidle")
        assert [shift for shift in page.evaluate("shifts") if shift[0] > 0.01] == [], path
        page.close()


WITH_KEYS = ["/", "/classify/first", "/classify/types", "/browse", "/discussions", "/triage", "/pairs/p0", "/batches"]


def test_keys_are_not_mentioned_where_fingers_do_the_work(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "types", [BatchItem("p0")], scheme="vila", author="carl")
    for path in WITH_KEYS:
        page = visit("ada", path, **PHONE)
        page.wait_for_load_state("networkidle")
        if path == "/classify/types":
            page.locator(".answers button").first.tap()
            page.get_by_text("Tap the words").wait_for()
        assert page.evaluate(KEYS_IN_SIGHT) == [], path
        desk = visit("carl", path)
        desk.wait_for_load_state("networkidle")
        if path != "/discussions":
            assert desk.evaluate(KEYS_IN_SIGHT) != [], path
        page.close()
        desk.close()


@pytest.mark.parametrize("path", ["/guidelines", "/discussions"])
def test_there_is_no_bar_of_keys_where_all_of_it_is_for_keys(visit: Visit, served: Served, path: str) -> None:
    fill_project(served.folder)
    assert not visit("ada", path, **PHONE).locator(".keys").is_visible()
    assert visit("carl", path).locator(".keys").is_visible()


def test_answers_do_not_jump_away_when_something_is_refused(visit: Visit, served: Served) -> None:
    long = {f"text{side}": "The ferry was late again, and nobody on the quay knew why. " * 9 for side in (1, 2)}
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p0").values(**long))
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector(".answers[data-docked]")
    page.locator(".answers button").first.tap()
    page.locator("#rewrite").dispatch_event("click")  # it is disabled in words only
    page.locator("#why", has_text="not rewritten").wait_for()
    page.wait_for_selector(".answers[data-docked]")


def test_a_letter_that_is_a_label_stays(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    shown = page.locator(".answers kbd").all_inner_texts()
    assert shown == ["4", "3", "2", "1", "x", "<", ">", "i", "s"]


def test_how_far_one_is_is_never_cut_off(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "wednesday evening", [BatchItem(f"p{n}") for n in range(8)], scheme="turku")
    page = visit("anna", "/classify/wednesday%20evening", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    page.locator(".answers button").first.tap()
    page.locator("#submit").tap()
    page.wait_for_selector(SAVED)
    assert page.locator("#count").inner_text() == "yours 1/8"
    assert page.evaluate(
        "() => { const count = document.getElementById('count'); return count.scrollWidth <= count.clientWidth; }"
    )


def test_what_is_not_saved_is_said_in_full(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    page.context.set_offline(True)
    page.locator(".answers button").first.tap()
    page.locator("#submit").tap()
    page.locator("#saved", has_text="1 not saved: no connection").wait_for()
    assert page.evaluate("saved.scrollWidth <= saved.clientWidth")
    box = page.locator(".bar").bounding_box()
    assert box is not None
    assert box["height"] <= 96
    page.context.set_offline(False)
    page.wait_for_selector(SAVED)
    assert page.locator("#count").is_visible()


def test_panels_come_up_one_at_a_time(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    for name in ("guideline", "history", "context"):
        page.evaluate("(name) => document.querySelector(`button[data-panel=${name}]`).click()", name)
        opened = [panel.get_attribute("id") for panel in page.locator(".panel:not([hidden])").all()]
        assert opened == [f"panel-{name}"]
    desk = visit("ben", "/classify/first")
    desk.wait_for_selector("#work:not([hidden])")
    for key in "gh":
        desk.keyboard.press(key)
    assert desk.locator(".panel:not([hidden])").count() == 2


@pytest.mark.parametrize("scheme", ["turku", "vila", "likert"])
@pytest.mark.parametrize("window", [PHONE, {"viewport": {"width": 1280, "height": 800}}])
def test_answers_stay_inside_their_card(visit: Visit, served: Served, scheme: str, window: dict[str, Any]) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, scheme, [BatchItem("p0")], scheme=scheme, author="carl")
    page = visit("anna", f"/classify/{scheme}", **window)
    page.wait_for_selector("#work:not([hidden])")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    card, finish = (page.locator(selector).bounding_box() for selector in ("#work", "#finish"))
    assert card is not None
    assert finish is not None
    assert finish["y"] + finish["height"] <= card["y"] + card["height"]


def test_answers_stand_in_columns(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first", **PHONE)
    page.wait_for_selector("#work:not([hidden])")
    boxes = [button.bounding_box() for button in page.locator(".answers button").all()]
    assert len({round(box["x"]) for box in boxes if box}) == 2
    assert len({round(box["width"]) for box in boxes if box}) == 1
    desk = visit("ben", "/classify/first")
    desk.wait_for_selector("#work:not([hidden])")
    assert desk.evaluate(TOPS, ".answers .flags button") == 1, "no flag is left over for a row of its own"


def test_both_texts_and_all_bars_of_extract_fit_a_phone(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = visit("anna", "/extract/storm", **PHONE)
    page.wait_for_selector("#text1")
    bars = [page.locator(selector).bounding_box() for selector in (".bar", ".above", ".columns", ".list", ".keys")]
    edges = [(box["y"], box["y"] + box["height"]) for box in bars if box]
    assert [round(end) <= round(start) for (_, end), (start, _) in pairwise(edges)] == [True] * 4
    assert edges[-1][1] <= 844


def test_work_and_documents_fit_a_phone(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        connection.execute(update(schema.document_pairs).values(group="a group of documents with a long name"))
    page = visit("anna", "/extract/storm", **PHONE)
    page.wait_for_selector("#text1")
    no_overflow(page)
    box = page.locator(".bar").bounding_box()
    assert box is not None
    assert box["height"] <= 96
