"""Triage and seeds in a real browser: by keys alone, by the mouse alone, and without a network for a while."""

from __future__ import annotations

import pytest

from otherwords.project import open_project
from otherwords.records import DocumentPair
from tests.annotate.reading import row
from tests.browser.conftest import Page, Picture, Served, Visit, until
from tests.browser.ledger import judgements, standing
from tests.browser.reports import POSTS, QUESTIONS, put_posts, put_questions

FORUM = ["dp1", "forum 0/1", "forum 1/1", "forum 2/1"]


def open_page(visit: Visit, served: Served, name: str = "anna", **options: object) -> Page:
    page = visit(name, "/triage", **options)
    page.wait_for_selector("#work:not([hidden])")
    return page


def title_is(page: Page, title: str) -> None:
    page.wait_for_function("title => document.getElementById('one-title').textContent === title", arg=title)


def states(served: Served) -> list[tuple[str, str | None]]:
    with open_project(served.folder) as project:
        rows = [row(project, DocumentPair, name) for name in FORUM]
    return [(stored["status"], stored["reason"]) for stored in rows]


def test_by_keys_alone_with_undo(visit: Visit, served: Served) -> None:
    put_questions(served.folder)
    page = open_page(visit, served)
    title_is(page, "Island diary")
    page.keyboard.press("a")
    title_is(page, QUESTIONS[0][0])
    assert QUESTIONS[0][1].startswith(page.locator("#one-text").text_content() or "-")
    page.keyboard.press("ArrowRight")
    title_is(page, QUESTIONS[1][0])
    page.keyboard.press("n")
    page.keyboard.type("a r 1 are letters in here")
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    title_is(page, QUESTIONS[2][0])
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#nothing:not([hidden])")
    reason = "they only share a topic: a r 1 are letters in here"
    until(lambda: states(served) == [("accepted", None)] * 2 + [("rejected", reason), ("rejected", None)])
    page.keyboard.press("Backspace")
    title_is(page, QUESTIONS[2][0])
    page.keyboard.press("Control+z")
    title_is(page, QUESTIONS[1][0])
    assert page.locator("#note").input_value() == "a r 1 are letters in here"
    page.keyboard.press("a")
    title_is(page, QUESTIONS[2][0])
    until(lambda: states(served)[2:] == [("accepted", "a r 1 are letters in here"), ("candidate", None)])
    page.reload()
    title_is(page, QUESTIONS[2][0])
    page.keyboard.press("Backspace")  # what was decided before the page was loaded again
    title_is(page, QUESTIONS[1][0])
    until(lambda: states(served)[2] == ("candidate", None))
    assert all(judgement.seconds is not None for judgement in judgements(served.folder, "anna") if judgement.value)


def test_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    put_questions(served.folder)
    page = open_page(visit, served)
    page.get_by_role("button", name="Accept").click()
    title_is(page, QUESTIONS[0][0])
    page.get_by_role("button", name="one is a copy").click()
    title_is(page, QUESTIONS[1][0])
    page.get_by_role("button", name="Undo").click()
    title_is(page, QUESTIONS[0][0])
    page.get_by_role("button", name="Reject", exact=True).click()
    title_is(page, QUESTIONS[1][0])
    until(lambda: states(served)[:2] == [("accepted", None), ("rejected", None)])


def test_two_people_never_see_the_same(visit: Visit, served: Served) -> None:
    put_questions(served.folder)
    anna = open_page(visit, served)
    ben = visit("ben", "/triage")
    ben.wait_for_selector("#nothing:not([hidden])")
    anna.keyboard.press("a")
    until(lambda: states(served)[0][0] == "accepted")
    ben.reload()
    ben.get_by_role("link", name="Go to extraction").wait_for()


def test_decisions_wait_for_the_network_and_are_not_offered_again(visit: Visit, served: Served) -> None:
    put_questions(served.folder)
    page = open_page(visit, served)
    served.kill()
    page.keyboard.press("a")
    page.keyboard.press("r")
    title_is(page, QUESTIONS[1][0])
    page.wait_for_selector('#saved[data-state="waiting"]')
    served.start()
    until(lambda: states(served)[:2] == [("accepted", None), ("rejected", None)], 30)
    page.wait_for_selector('#saved[data-state="saved"]')
    title_is(page, QUESTIONS[1][0])


def test_what_is_refused_is_told(visit: Visit, served: Served) -> None:
    page = open_page(visit, served)
    page.keyboard.press("a")
    page.wait_for_selector('#saved[data-state="saved"]')
    visit("ben", "/extract/dp1").wait_for_selector("#text1")
    page.keyboard.press("Backspace")
    notice = page.locator(".refusal")
    notice.wait_for()
    assert "somebody has begun to extract" in (notice.text_content() or "")
    page.get_by_role("button", name="Dismiss").click()
    notice.wait_for(state="detached")
    assert states_of(served, "dp1") == "accepted"


def states_of(served: Served, name: str) -> object:
    with open_project(served.folder) as project:
        return row(project, DocumentPair, name)["status"]


def test_seeds_by_keys_and_by_mouse(visit: Visit, served: Served) -> None:
    put_posts(served.folder)
    page = visit("anna", "/seeds")
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator("#sentences li").count() == 11
    assert "the best 11 of 12 sentences" in (page.locator("#where").text_content() or "")
    for key in ("3", "0", "e"):
        page.keyboard.press(key)
    assert page.locator("#sentences [aria-pressed=true]").text_content() == f"e{POSTS[10]}"
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#sentences li').length === 4")
    assert page.locator("#submit").is_disabled()
    page.keyboard.press("x")
    page.wait_for_selector("#nothing:not([hidden])")
    storm, cows = "https://news.example/storm", "https://news.example/cows"
    first = {"document": f"{storm}#1", "start": 0, "end": len(POSTS[0]), "rank": 1}
    until(lambda: standing(served.folder, "anna") == {storm: first, cows: "skip"})
    page.keyboard.press("Backspace")
    page.wait_for_selector("#work:not([hidden])")
    page.get_by_role("button", name="number 3").click()
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_selector("#nothing:not([hidden])")
    second = {"document": f"{cows}#3", "start": 0, "end": 29, "rank": 3}
    until(lambda: standing(served.folder, "anna") == {storm: first, cows: second})


@pytest.mark.parametrize("path", ["/triage", "/seeds"])
def test_nothing_is_wider_than_the_window(visit: Visit, served: Served, path: str) -> None:
    put_questions(served.folder)
    put_posts(served.folder)
    for options in (
        {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
        {"viewport": {"width": 390, "height": 800}},
    ):
        page = visit("anna", path, **options)
        page.wait_for_selector("#work:not([hidden])")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_both_documents_are_in_sight_at_200_percent(visit: Visit, served: Served) -> None:
    put_questions(served.folder)
    page = open_page(visit, served, viewport={"width": 640, "height": 400}, device_scale_factor=2)
    boxes = [page.locator(selector).bounding_box() for selector in ("#one-text", "#two-text", "#keys")]
    one, two, keys = [box for box in boxes if box]
    assert one["y"] == two["y"] < keys["y"] - 100
    assert one["x"] + one["width"] < two["x"]


def test_pictures(visit: Visit, served: Served, picture: Picture) -> None:
    put_questions(served.folder)
    put_posts(served.folder)
    page = open_page(visit, served, reduced_motion="reduce")
    page.keyboard.press("a")
    title_is(page, QUESTIONS[0][0])
    page.wait_for_selector('#saved[data-state="saved"]')
    picture(page, "triage.png")
    page = visit("anna", "/seeds", reduced_motion="reduce")
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("1")
    picture(page, "seeds.png")
