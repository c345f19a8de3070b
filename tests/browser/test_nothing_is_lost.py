"""A cut network, a killed server, a closed page, two windows: what was done is on the server once, and only once."""

from __future__ import annotations

from typing import Any

from tests.browser.classify_page import SAVED, open_page, saved
from tests.browser.conftest import Served, Visit, until
from tests.browser.ledger import judgements, standing


def test_a_cut_network(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.context.set_offline(True)
    for value in ("4", "3"):
        page.keyboard.press(value)
        page.keyboard.press("Enter")
    page.get_by_text("2 not saved: no connection").wait_for()
    assert judgements(served.folder, "anna") == []
    page.context.set_offline(False)
    saved(page, served.folder, 2)
    assert standing(served.folder, "anna") == {"p0": "4", "p1": "3"}


def test_a_killed_server_and_a_closed_page(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    served.kill()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.get_by_text("1 not saved").wait_for()
    page.close(run_before_unload=False)
    served.start()
    again = visit("anna", "/classify/first")
    again.wait_for_selector(SAVED)
    assert standing(served.folder, "anna") == {"p0": "4"}


def test_what_was_being_typed_is_still_there(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.keyboard.press("2")
    page.keyboard.press("u")
    page.keyboard.type("half a thought")
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator("#note").input_value() == "half a thought"
    assert page.locator("#answers [aria-pressed=true]").count() == 1
    assert judgements(served.folder, "anna") == []


def test_an_answer_whose_confirmation_was_lost_is_there_once(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    lost = []

    def swallow(route: object) -> None:
        if not lost:
            lost.append(route.fetch())  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    page.route("**/api/v1/judgements", swallow)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.wait_for_selector(SAVED)
    assert lost[0].status == 201
    assert [judgement.value for judgement in judgements(served.folder, "anna")] == ["4"]


def test_two_windows_of_one_person(visit: Visit, served: Served) -> None:
    first, second = open_page(visit), open_page(visit)
    first.keyboard.press("4")
    first.keyboard.press("Enter")
    saved(first, served.folder, 1)
    second.keyboard.press("3")
    second.keyboard.press("Enter")
    second.get_by_text("judged in another window").first.wait_for()
    assert standing(served.folder, "anna") == {"p0": "4"}


def test_two_people_at_once(visit: Visit, served: Served) -> None:
    pages = {name: open_page(visit, name) for name in ("anna", "ben")}
    for value in ("4", "3"):
        for page in pages.values():
            page.keyboard.press(value)
            page.keyboard.press("Enter")
    for name, page in pages.items():
        saved(page, served.folder, 2, name)
    assert not set(standing(served.folder, "anna")) & set(standing(served.folder, "ben"))


def test_nothing_of_the_other_is_seen_before_both_are_done(visit: Visit, served: Served) -> None:
    anna, ben = open_page(visit, "anna", "double"), open_page(visit, "ben", "double")
    anna.keyboard.press("4")
    anna.keyboard.press("Enter")
    saved(anna, served.folder, 1)
    anna.keyboard.press("k")
    anna.keyboard.press("h")
    anna.locator("#history .chip").first.wait_for()
    assert anna.locator("#history .chip").count() == 1
    ben.keyboard.press("h")
    ben.get_by_text("Others' judgements are shown when").wait_for()
    assert "No judgement yet" not in ben.locator("#history").inner_text()  # which is not so
    ben.keyboard.press("2")
    ben.keyboard.press("Enter")
    saved(ben, served.folder, 1, "ben")
    anna.keyboard.press("h")
    anna.keyboard.press("h")
    until(lambda: anna.locator("#history .chip").count() == 2)


def test_a_session_that_ended_keeps_the_work(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.get_by_text("1 not saved: log in again").wait_for()
    page.context.add_cookies(cookies)
    page.evaluate("dispatchEvent(new Event('focus'))")
    saved(page, served.folder, 1)


def test_an_answer_on_which_the_server_fails_holds_up_no_other(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    first: list[str] = []

    def fail_on_the_first(route: Any) -> None:
        key = route.request.post_data_json["key"]
        first.append(key)
        if key == first[0]:
            route.fulfill(status=500, json={"error": "something went wrong", "code": "server-error"})
        else:
            route.continue_()

    page.route("**/api/v1/judgements", fail_on_the_first)
    for value in ("4", "3", "2"):
        page.keyboard.press(value)
        page.keyboard.press("Enter")
    page.get_by_text("1 not saved: the server has a problem with 4 for “The ferry").wait_for()
    assert standing(served.folder, "anna") == {"p1": "3", "p2": "2"}
    page.unroute("**/api/v1/judgements")
    page.evaluate("dispatchEvent(new Event('focus'))")
    saved(page, served.folder, 3)
    assert standing(served.folder, "anna") == {"p0": "4", "p1": "3", "p2": "2"}
