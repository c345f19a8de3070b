"""A practice round in a real browser: by keys and by mouse, with what one learns after each answer."""

from __future__ import annotations

from otherwords.annotate.batches.batch import BatchItem, BatchRules, Practice, insert_batch
from otherwords.project import open_project
from tests.browser.conftest import Page, Picture, Served, Visit, no_overflow
from tests.browser.ledger import judgements
from tests.browser.test_crowd import KEYS, right
from tests.web.crowds import TESTS, WHY, add_crowd

WRONG = {"yes": "no", "no": "yes"}
NAMES = {"yes": "paraphrase", "no": "no paraphrase"}  # as the buttons say it


def with_practice(served: Served) -> None:
    add_crowd(served.folder)
    rules = BatchRules(practice=Practice(pairs=[f"g{at}" for at in range(len(TESTS))], share=0.75))
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "quay", [BatchItem("c0")], scheme="binary-loose", rules=rules, author="carl")


def learn(page: Page, value: str) -> str:
    """Answer with the keys; what the page says of it."""
    page.keyboard.press(KEYS[value])
    page.keyboard.press("Enter")
    page.wait_for_selector("#feedback:not([hidden])")
    return page.inner_text("#feedback-title")


def test_fail_once_then_pass(visit: Visit, served: Served, picture: Picture) -> None:
    with_practice(served)
    page = visit("wim", "/classify/quay", reduced_motion="reduce")
    page.wait_for_url("**/practice/quay")
    page.wait_for_selector("#work:not([hidden])")
    no_overflow(page)
    for at in range(len(TESTS)):
        expected = right(page)
        given = WRONG[expected] if at < 2 else expected
        assert learn(page, given) == ("Not quite" if at < 2 else "Right")
        assert page.inner_text("#feedback-why") == WHY
        label = page.inner_text("#feedback-label")  # in the words of the buttons
        assert label == f"You said {NAMES[given]}" + (f", and it is {NAMES[expected]}." if at < 2 else ".")
        if at == 0:
            picture(page, "practice.png")
        page.keyboard.press("Enter")
    assert page.inner_text("#end-title") == "Not enough yet"
    assert page.inner_text("#end-text") == "You had 2 of 4 right; 3 are enough."
    page.goto(served.address + "/classify/quay")
    page.wait_for_url("**/practice/quay")  # no way around it
    page.wait_for_selector("#work:not([hidden])")
    for _ in TESTS:  # by the mouse
        page.locator(f".answers button[data-key='{KEYS[right(page)]}']").click()
        page.get_by_role("button", name="Answer").click()
        page.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Begin with quay").click()
    page.wait_for_url("**/classify/quay")
    page.wait_for_selector("#work:not([hidden])")
    assert judgements(served.folder, "wim") == []


def test_a_reload_in_the_middle(visit: Visit, served: Served) -> None:
    with_practice(served)
    page = visit("wim", "/practice/quay", viewport={"width": 390, "height": 844})
    page.wait_for_selector("#work:not([hidden])")
    no_overflow(page)
    learn(page, right(page))
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    assert page.inner_text("#count") == "practice 1/4"
