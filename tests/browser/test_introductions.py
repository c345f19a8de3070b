"""An introduction in a real browser: read and agreed to before the first pair, a code at the end, a curator's check."""

from __future__ import annotations

import pytest

from otherwords.annotate.crowd.introduction import agree_to, publish_introduction
from otherwords.annotate.work.completion import participants
from otherwords.project import open_project
from tests.browser.conftest import Page, Served, Visit, no_overflow, until
from tests.browser.ledger import judgements
from tests.browser.test_crowd import KEYS, answer, right
from tests.web.crowds import add_crowd

TEXT = """\
## What you do

You read two short sentences and say whether both say the same. It takes about twenty minutes.

## What is kept

Your answers and the time they take, under the name that you chose. You can stop at any time.
"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def introduce(served: Served, code_after: int | None = 0) -> None:
    add_crowd(served.folder, every=2)
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        publish_introduction(connection, "harbour", TEXT, code_after, "carl")


def agreed(served: Served) -> list[tuple[str, int]]:
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        return [(person.worker, person.version) for person in participants(connection, "harbour")]


def finish(page: Page, served: Served, name: str) -> None:
    """Answer all pairs as they are."""
    while page.locator("#work").is_visible():
        answer(page, served, name, right(page))
        page.wait_for_selector("#work:not([hidden]), #nothing:not([hidden])")


def test_by_keys_alone_from_the_introduction_to_the_code(visit: Visit, served: Served) -> None:
    introduce(served)
    page = visit("wim", "/classify/harbour", reduced_motion="reduce")
    page.wait_for_url("**/introduction/harbour")
    assert "twenty minutes" in page.locator(".guideline").inner_text()
    page.keyboard.press("Enter")  # a key that is pressed by habit agrees to nothing
    assert agreed(served) == []
    page.keyboard.press("a")
    page.wait_for_url("**/classify/harbour")
    assert agreed(served) == [("wim", 1)]
    page.wait_for_selector("#work:not([hidden])")
    finish(page, served, "wim")
    page.locator("#code-at-end").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/completion/harbour")
    code = page.get_by_label("Your completion code").input_value()
    page.keyboard.press("Escape")
    page.wait_for_url(served.address + "/")
    page.get_by_role("link", name="harbour").click()
    assert page.get_by_label("Your completion code").input_value() == code


def test_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    introduce(served, code_after=2)
    page = visit("wim", "/classify/harbour")
    page.get_by_role("button", name="I have read this and agree to take part").click()
    page.wait_for_selector("#work:not([hidden])")
    assert not page.locator("#code-earned").is_visible()
    for number in range(2):
        page.locator(f".answers button[data-key='{KEYS[right(page)]}']").click()
        page.get_by_role("button", name="Save and next").click()
        until(lambda number=number: len(judgements(served.folder, "wim")) == number + 1)
        page.wait_for_selector('#work[aria-busy="false"]')
    page.locator("#code-earned").click()  # although there is more to do
    code = page.get_by_label("Your completion code").input_value()
    curated = visit("carl", "/crowd/harbour")
    curated.get_by_label("A code that somebody handed in").fill(code.lower())
    curated.get_by_role("button", name="Check it").click()
    assert "is the code of wim" in curated.locator("#checked").inner_text()
    curated.get_by_label("A code that somebody handed in").fill("7KQ2M-X9T4B")
    curated.get_by_role("button", name="Check it").click()
    assert "no such code" in curated.locator("#checked").inner_text()


def test_a_new_version_is_read_before_the_next_pair(visit: Visit, served: Served) -> None:
    introduce(served)
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        agree_to(connection, "harbour", "wim", 1)
    page = visit("wim", "/classify/harbour")
    page.wait_for_selector("#work:not([hidden])")
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        publish_introduction(connection, "harbour", TEXT + "\nThe pay is higher now.", 0, "carl")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/introduction/harbour")
    assert len(judgements(served.folder, "wim")) == 1  # what was answered is saved
    page.keyboard.press("a")
    page.wait_for_selector("#work:not([hidden])")
    assert agreed(served) == [("wim", 1), ("wim", 2)]


def test_a_curator_writes_one(visit: Visit, served: Served) -> None:
    add_crowd(served.folder)
    page = visit("carl", "/crowd/harbour")
    page.get_by_role("link", name="Write one").click()
    page.get_by_label("Markdown").fill(TEXT)
    page.reload()  # what was not published is kept in the browser
    page.get_by_role("button", name="Put it back").click()
    page.get_by_label("After so many answers").check()
    page.get_by_label("Answers", exact=True).fill("25")
    page.get_by_role("button", name="Look at it").click()
    assert page.locator("#looks h3").first.inner_text() == "What you do"
    page.get_by_role("button", name="Publish version 1").click()
    page.wait_for_url("**/crowd/harbour")
    assert "comes after 25 answers" in page.locator("section[aria-labelledby=introduction]").inner_text()
    page.get_by_role("link", name="Read or change it").click()
    assert page.get_by_label("Markdown").input_value().strip() == TEXT.strip()
    assert not page.locator("#kept").is_visible()


@pytest.mark.parametrize(
    "options",
    [PHONE, {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}, {"color_scheme": "dark"}],
)
def test_the_pages_on_a_phone_zoomed_and_dark(visit: Visit, served: Served, options: dict[str, object]) -> None:
    introduce(served, code_after=1)
    page = visit("wim", "/classify/harbour", reduced_motion="reduce", **options)
    no_overflow(page)
    page.locator("#agree button").click()
    page.wait_for_selector("#work:not([hidden])")
    answer(page, served, "wim", right(page))
    page.goto(f"{served.address}/completion/harbour")
    no_overflow(page)
    assert page.get_by_label("Your completion code").is_visible()
    for path in ("/crowd/harbour", "/crowd/harbour/introduction"):
        curated = visit("carl", path, reduced_motion="reduce", **options)
        no_overflow(curated)
