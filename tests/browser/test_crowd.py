"""A crowd in a real browser: a missed test is explained, a paused worker sees a notice, a curator decides by keys."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from otherwords.annotate.batches.batch import Gate
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.browser.conftest import Page, Picture, Served, Visit, until
from tests.browser.ledger import judgements
from tests.web.crowds import ANSWERS, TESTS, WHY, add_crowd

KEYS = {"yes": "1", "no": "0"}
WENT_ON = """(before) => document.getElementById("work").ariaBusy !== "true"
  && (!document.getElementById("missed").hidden || !document.getElementById("nothing").hidden
  || document.getElementById("text1").textContent !== before)"""
STRICT = Gate(window=4, fewest_tests=2, fewest_shared=4)


def open_page(visit: Visit, name: str, **options: object) -> Page:
    page = visit(name, "/classify/harbour", **options)
    page.wait_for_selector("#work:not([hidden])")
    return page


def right(page: Page) -> str:
    return ANSWERS[(page.locator("#text1").text_content() or "") + (page.locator("#text2").text_content() or "")]


def answer(page: Page, served: Served, name: str, value: str) -> bool:
    """Answer the pair that is shown, by keys; whether that missed a test."""
    before, shown = len(judgements(served.folder, name)), page.locator("#text1").text_content()
    page.keyboard.press(next(key for key in KEYS.values() if key == KEYS[value]))
    page.keyboard.press("Enter")
    until(lambda: len(judgements(served.folder, name)) == before + 1)
    until(lambda: page.evaluate(WENT_ON, shown))
    return judgements(served.folder, name)[-1].meta.get("test", {"right": True})["right"] is False


def test_a_missed_test_explains_itself_and_a_hit_does_not(visit: Visit, served: Served, picture: Picture) -> None:
    add_crowd(served.folder, every=2)
    page = open_page(visit, "wim", reduced_motion="reduce")
    assert page.locator("#undo").is_disabled()
    seen, misses = [], 0
    for _ in range(12):
        page.wait_for_selector("#work:not([hidden])")
        seen.append(page.locator("#text1").text_content())
        value = right(page)
        is_test = seen[-1] in {text1 for text1, _, _ in TESTS}
        if is_test and misses < 2:
            value = "no" if value == "yes" else "yes"
        missed = answer(page, served, "wim", value)
        assert missed is (is_test and misses < 2)
        if missed:
            page.get_by_role("heading", name="Look at this one again").wait_for()
            assert page.locator("#missed-why").inner_text() == WHY
            answers = ("paraphrase", "no paraphrase") if value == "yes" else ("no paraphrase", "paraphrase")
            assert page.locator("#missed-label").inner_text() == "You said {}, and it is {}.".format(*answers)
            assert page.locator("#missed1").text_content() == seen[-1]
            if misses == 0:
                picture(page, "crowd-missed.png")
                page.keyboard.press("1")  # nothing can be answered meanwhile
                page.keyboard.press("Enter")
            else:
                page.get_by_role("button", name="Go on").click()
            misses += 1
    page.wait_for_selector("#nothing:not([hidden])")
    assert misses == 2
    assert len(set(seen)) == 12  # no test comes twice
    assert sum(judgement.purpose == "gold" for judgement in judgements(served.folder, "wim")) == 4
    page.reload()
    page.wait_for_selector("#nothing:not([hidden])")
    page.keyboard.press("k")
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator("#text1").text_content() not in {text1 for text1, _, _ in TESTS}


def test_who_is_paused_is_told_at_once_and_on_coming_back(visit: Visit, served: Served) -> None:
    add_crowd(served.folder, every=2, gate=STRICT)
    page = open_page(visit, "wim")
    for _ in range(12):
        if answer(page, served, "wim", "no" if right(page) == "yes" else "yes"):
            page.keyboard.press("Enter")
        page.wait_for_selector("#work:not([hidden]), #nothing:not([hidden])")
        if page.locator("#nothing").is_visible():
            break
    page.get_by_role("heading", name="Paused").wait_for()
    assert "a curator looks at it" in page.locator("#nothing-text").inner_text()
    page.reload()
    page.get_by_role("heading", name="Paused").wait_for()
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        decide_on_worker(connection, "harbour", "wim", "resumed", "carl", "k")
    page.reload()
    page.wait_for_selector("#work:not([hidden])")


def test_what_ran_out_meanwhile_is_said_and_the_work_goes_on(visit: Visit, served: Served) -> None:
    add_crowd(served.folder, every=2, asked=1)
    page = open_page(visit, "wim")
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        connection.execute(update(schema.slots).where(schema.slots.c.holder == "wim").values(until=1.0))
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.locator("#why", has_text="not saved").wait_for()
    until(lambda: page.evaluate('document.getElementById("work").ariaBusy !== "true"'))
    assert judgements(served.folder, "wim") == []
    answer(page, served, "wim", right(page))


def crowd_of_three(served: Served, visit: Visit) -> None:
    """Two who take care and one who always says yes, the last paused by the gate."""
    gate = Gate(window=4, fewest_tests=3, fewest_shared=4)  # the first three tasks are never all tests
    add_crowd(served.folder, every=2, gate=gate)
    for name in ("anna", "ben", "wim"):
        page = open_page(visit, name)
        for _ in range(12):
            if answer(page, served, name, "yes" if name == "wim" else right(page)):
                page.keyboard.press("Enter")
            page.wait_for_selector("#work:not([hidden]), #nothing:not([hidden])")
            if page.locator("#nothing").is_visible():
                break
        page.close()


def test_a_curator_decides_by_keys_and_by_the_mouse(visit: Visit, served: Served, picture: Picture) -> None:
    crowd_of_three(served, visit)
    page = visit("carl", "/crowd/harbour", reduced_motion="reduce")
    page.get_by_role("heading", name="Crowd of harbour").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "crowd.png")
    for key in ("j", "j", "j", "v"):
        page.keyboard.press(key)
    page.wait_for_url("**#worker-wim")
    answers = [judgement for judgement in judgements(served.folder, "wim") if judgement.purpose != "gold"]
    assert len([judgement for judgement in answers if judgement.value is None]) == len(
        [judgement for judgement in answers if judgement.value is not None]
    )
    page.get_by_role("button", name="Let what wim said stand again").click()
    page.get_by_role("button", name="Void what wim said").wait_for()
    page.get_by_label("Reason, for the audit trail").fill("they wrote to us")
    page.get_by_role("button", name="Let wim go on").click()
    page.get_by_text("they wrote to us").wait_for()
    assert page.locator("#worker-wim .state").inner_text() == "active"
    page.keyboard.press("i")
    assert "/join/" in page.locator("#once").input_value()


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
        {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
        {"color_scheme": "dark"},
    ],
)
def test_the_page_on_a_phone_zoomed_and_dark(visit: Visit, served: Served, options: dict[str, object]) -> None:
    add_crowd(served.folder, every=2)
    worker = open_page(visit, "wim", reduced_motion="reduce", **options)
    answer(worker, served, "wim", right(worker))
    page = visit("carl", "/crowd/harbour", reduced_motion="reduce", **options)
    page.get_by_role("heading", name="Workers").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
