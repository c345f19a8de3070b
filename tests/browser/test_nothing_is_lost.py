"""A cut network, a killed server, a closed page, two windows: what was done is on the server once, and only once."""

from __future__ import annotations

from typing import Any

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.project import open_project
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


def test_offline_is_said_as_offline(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.context.set_offline(True)
    for _ in range(5):  # as many as were reserved ahead
        if page.locator("#nothing").is_hidden():
            page.keyboard.press("3")
            page.keyboard.press("Enter")
    page.get_by_role("heading", name="No connection").wait_for()
    text = page.locator("#nothing").inner_text()
    assert "answers of yours are kept in this browser until they can be sent" in text
    assert "others" not in text
    page.keyboard.press("Enter")
    page.keyboard.press("4")
    assert page.locator("#nothing-why").inner_text() == "There is no pair to judge now."
    page.context.set_offline(False)
    page.wait_for_selector("#work:not([hidden])")
    page.wait_for_selector(SAVED)
    assert set(standing(served.folder, "anna").values()) == {"3"}


def test_a_panel_says_that_there_is_no_connection(visit: Visit) -> None:
    page = open_page(visit)
    page.context.set_offline(True)
    page.keyboard.press("c")
    page.locator("#context", has_text="No connection to the server").wait_for()
    assert page.locator("#saved").inner_text() == "no connection"


def test_what_is_left_is_with_others_only_if_it_is(visit: Visit, served: Served) -> None:
    """anna judges what is hers of a double batch: first ben has not come, then he has both pairs open."""
    anna = open_page(visit, "anna", "double")
    for _ in range(2):
        anna.wait_for_selector("#work:not([hidden])")
        anna.keyboard.press("4")
        anna.keyboard.press("Enter")
    anna.locator("#nothing", has_text="what is left is for other people").wait_for()
    single = BatchRules(people=["anna", "ben"])
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "single", [BatchItem("p6"), BatchItem("p7")], scheme="turku", rules=single)
    ben = open_page(visit, "ben", "single")
    anna.goto(f"{served.address}/classify/single")
    anna.locator("#nothing", has_text="2 are with others").wait_for()
    for _ in range(2):
        ben.wait_for_selector("#work:not([hidden])")
        ben.keyboard.press("4")
        ben.keyboard.press("Enter")
    ben.locator("#nothing", has_text="All judgements of this batch are in").wait_for()
    anna.reload()
    anna.locator("#nothing", has_text="All judgements of this batch are in").wait_for()


def test_who_is_faster_than_the_server_is_told_nothing_that_is_not_known(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    held: list[Any] = []
    released: list[bool] = []
    page.route("**/api/v1/judgements", lambda route: route.continue_() if released else held.append(route))
    for number in range(8):
        page.wait_for_selector("#work:not([hidden])")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.get_by_text(f"yours {number + 1}/8").wait_for()
    page.wait_for_selector("#nothing:not([hidden])")
    assert page.locator("#nothing-text").inner_text() == "Your answers are being saved."
    released.append(True)
    for route in held:
        route.continue_()
    page.locator("#nothing", has_text="All judgements of this batch are in").wait_for()
    page.unroute("**/api/v1/judgements")  # nobody would answer a route while the ledger is waited for below
    saved(page, served.folder, 8)


def test_what_was_answered_and_not_saved_is_not_asked_for_again_after_a_reload(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    released: list[bool] = []
    page.route("**/api/v1/judgements", lambda route: route.continue_() if released else None)
    for number in range(4):  # more than a page gets at first
        page.wait_for_selector("#work:not([hidden])")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.get_by_text(f"yours {number + 1}/8").wait_for()
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    page.get_by_text("yours 4/8").wait_for()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.get_by_text("yours 5/8").wait_for()
    released.append(True)
    page.reload()  # what was held up is sent again
    page.wait_for_selector(SAVED)
    page.unroute("**/api/v1/judgements")
    saved(page, served.folder, 5)
    assert standing(served.folder, "anna") == {"p0": "3", "p1": "3", "p2": "3", "p3": "3", "p4": "4"}


def test_an_answer_that_is_sent_while_the_page_still_loads_is_not_asked_for_again(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    released: list[bool] = []
    scripts: list[Any] = []
    page.route("**/api/v1/judgements", lambda route: route.continue_() if released else None)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.get_by_text("yours 1/8").wait_for()
    page.route("**/static/classify.js", lambda route: scripts.append(route))
    released.append(True)
    page.reload(wait_until="commit")
    while not (scripts and standing(served.folder, "anna")):
        page.wait_for_timeout(20)
    page.unroute("**/api/v1/judgements")
    scripts[0].continue_()
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    saved(page, served.folder, 2)
    assert standing(served.folder, "anna") == {"p0": "3", "p1": "4"}


def test_nothing_is_shown_as_saved_while_answers_wait(visit: Visit) -> None:
    page = open_page(visit)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_selector(SAVED)
    page.route("**/api/v1/judgements", lambda route: None)
    page.evaluate("setInterval(() => dispatchEvent(new StorageEvent('storage')), 20)")  # as if much were sent
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_selector('#saved[data-state="saving"]:has-text("saving…")')


def test_triage_without_a_connection(visit: Visit, served: Served) -> None:
    page = visit("anna", "/triage")
    page.wait_for_selector("#work:not([hidden])")
    page.context.set_offline(True)
    page.keyboard.press("a")
    page.get_by_role("heading", name="No connection").wait_for()
    assert page.locator("#nothing").is_hidden()
    page.context.set_offline(False)
    page.wait_for_selector("#nothing:not([hidden])")


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
