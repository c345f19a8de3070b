"""Batches and guidelines in a real browser: made by the mouse alone or by keys alone, and what annotators then meet."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from otherwords.annotate.batches.batch import load_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.browser.conftest import Page, Picture, Served, Visit, no_overflow, until
from tests.browser.ledger import judgements, standing
from tests.browser.week import put_rewrites, put_week
from tests.web.crowds import add_crowd


def names(served: Served) -> list[str]:
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        return list(connection.execute(select(schema.batches.c.id).order_by(schema.batches.c.seq)).scalars())


def judge(page: Page, value: str) -> None:
    """Judge the pair that is shown, by keys."""
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press(value)
    page.keyboard.press("Enter")


def test_a_double_batch_by_the_mouse_and_two_people_who_see_nothing_of_each_other(visit: Visit, served: Served) -> None:
    carl = visit("carl", "/browse?lang=fi")
    carl.get_by_role("link", name="Make a batch of these").click()
    carl.wait_for_url("**/batches/new?lang=fi")
    assert carl.get_by_role("heading", name="1 pair fits").is_visible()
    assert carl.get_by_text("Lautta myöhästyi taas tänä aamuna.").is_visible()
    carl.get_by_label("Name of the batch").fill("finnish")
    carl.get_by_label("Times that each pair is judged").fill("2")
    carl.get_by_role("checkbox", name="anna").check()
    carl.get_by_role("checkbox", name="ben").check()
    carl.get_by_role("radio", name="agreement").check()
    carl.get_by_role("button", name="Make the batch").click()
    carl.wait_for_url("**/batches/finnish")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        created = load_batch(connection, "finnish")
    assert (created.asked, created.purpose, created.rules.people, created.author) == (
        2,
        "agreement",
        ["anna", "ben"],
        "carl",
    )

    pages = {name: visit(name, "/classify/finnish") for name in ("anna", "ben")}
    judge(pages["anna"], "4")
    until(lambda: standing(served.folder, "anna") == {"p2": "4"})
    seen = history(pages["anna"])
    assert "Others' judgements are shown when all judgements are in." in seen
    assert "ben" not in seen
    judge(pages["ben"], "2")
    until(lambda: standing(served.folder, "ben") == {"p2": "2"})
    pages["anna"].reload()
    seen = history(pages["anna"])
    assert all(word in seen for word in ("anna", "ben", "2", "4"))
    assert "Others" not in seen
    carl.reload()
    assert "2/2" in carl.locator(".far").first.text_content()


def history(page: Page) -> str:
    """What the history panel says of the pair that was judged last."""
    page.wait_for_selector("#nothing:not([hidden])")
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector("#work:not([hidden])")
    if page.locator("#panel-history").is_hidden():
        page.get_by_role("button", name="History").click()
    page.wait_for_selector("#history li")
    return page.locator("#history").text_content() or ""


def test_a_batch_by_keys_alone(visit: Visit, served: Served) -> None:
    page = visit("carl", "/batches")
    page.keyboard.press("n")
    page.wait_for_url("**/batches/new")
    page.locator("summary", has_text="Which pairs").first.focus()
    page.keyboard.press("Enter")
    page.get_by_label("Language").focus()
    page.keyboard.type("en")
    page.get_by_role("heading", name="5 pairs fit").wait_for()  # without being asked to
    page.keyboard.press("Enter")  # in a field: look again
    page.wait_for_url("**lang=en**")
    assert page.get_by_role("heading", name="5 pairs fit").is_visible()
    page.get_by_label("Name of the batch").focus()
    page.keyboard.type("english")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/batches/english")
    page.keyboard.press("Escape")
    page.wait_for_url("**/batches")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/batches/english")
    assert names(served) == ["first", "double", "english"]
    page.get_by_role("button", name="Close it").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Open it again").wait_for()
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        assert load_batch(connection, "english").state == "closed"


def test_a_refused_batch_keeps_what_was_filled_in(visit: Visit, served: Served) -> None:
    page = visit("carl", "/batches/new?lang=en")
    page.get_by_label("Name of the batch").fill("first")
    page.get_by_role("checkbox", name="anna").check()
    page.get_by_role("button", name="Make the batch").click()
    assert "There is a batch 'first' already" in (page.get_by_role("alert").text_content() or "")
    page.get_by_label("Name of the batch").fill("first!")
    page.get_by_role("button", name="Make the batch").click()
    page.get_by_role("alert").filter(has_text="A batch needs a name of up to 80 letters").wait_for()
    assert page.evaluate("document.activeElement.name") == "name"
    assert page.get_by_role("checkbox", name="anna").is_checked()
    assert page.get_by_label("Language").input_value() == "en"
    assert "csrf" not in page.url
    page.get_by_label("Times that each pair is judged").fill("2")
    page.wait_for_url("**person-anna=yes**")
    assert "csrf" not in page.url
    assert names(served) == ["first", "double"]


def test_pairs_judged_twice_from_what_is_wanted(visit: Visit, served: Served) -> None:
    put_week(served.folder)
    page = visit("carl", "/batches")
    page.keyboard.press("n")
    page.wait_for_url("**/batches/new")
    page.get_by_role("link", name="Judge pairs twice").click()
    page.wait_for_url("**start=double**")
    offered = page.locator("#source-names option").evaluate_all("(all) => all.map((one) => one.value)")
    assert {"news", "subtitles", "exams"} <= set(offered)
    page.get_by_role("combobox", name="Source").fill("news")
    page.get_by_label("A random sample of").fill("10")
    page.get_by_role("heading", name="10 are drawn").wait_for()
    summary = page.locator("#summary")
    summary.get_by_text("Each is judged twice, by different people: 20 judgements.").wait_for()
    assert "For agreement. Answers make labels as in production." in summary.inner_text()
    assert page.get_by_label("Random seed").is_hidden()  # all the rest is folded
    page.get_by_role("checkbox", name="anna").check()
    page.get_by_role("checkbox", name="ben").check()
    page.get_by_role("button", name="Make the batch").click()
    page.wait_for_url("**/batches/double-2")  # double-1 is there
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        made = load_batch(connection, "double-2")
    assert (made.asked, made.purpose, made.rules.people) == (2, "agreement", ["anna", "ben"])


def test_a_quality_round_and_a_crowd_by_keys_alone(visit: Visit, served: Served) -> None:
    put_week(served.folder)
    add_crowd(served.folder)
    page = visit("carl", "/batches/new")
    page.keyboard.press("5")
    page.wait_for_url("**start=quality**")
    page.get_by_label("Pairs with the label").focus()
    page.keyboard.type("4")
    page.get_by_role("heading", name=re.compile(r"\d+ pairs fit")).wait_for()
    assert "their answer is its label from then on" in page.locator("#summary").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/batches/quality-1")
    page.goto(f"{served.address}/batches/new")
    page.keyboard.press("4")
    page.wait_for_url("**start=crowd**")
    page.get_by_text("with a gold label are hidden among them as tests").wait_for()
    page.locator("select[name=scheme]").focus()
    page.keyboard.type("binary-loose")
    page.wait_for_url("**scheme=binary-loose**")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/batches/crowd-1")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        quality, crowd = load_batch(connection, "quality-1"), load_batch(connection, "crowd-1")
    assert quality.purpose == "qa"
    assert (crowd.asked, crowd.rules.gate is not None, crowd.rules.tests is not None) == (3, True, True)


def test_the_blind_check_by_one_button(visit: Visit, served: Served) -> None:
    put_rewrites(served.folder, "wim", 3)
    carl = visit("carl", "/batches/new")
    carl.get_by_role("link", name="Check the rewrites").click()
    carl.get_by_role("heading", name="3 rewrites so far").wait_for()
    assert "Answers make no labels" in carl.locator("#summary").inner_text()
    carl.get_by_role("button", name="Make the batch").click()
    carl.wait_for_url("**/batches/rewrites-1")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        created = load_batch(connection, "rewrites-1")
    assert (created.asked, created.purpose, created.rules.context, created.rules.own) == (2, "check", False, False)
    for name in ("anna", "ben"):
        page = visit(name, "/classify/rewrites-1")
        for _ in range(6):
            page.wait_for_selector("#work:not([hidden])")
            assert not re.search(r"j-[0-9a-f]{24}|rewrite_of", page.content())
            judge(page, "4")
        page.wait_for_selector("#nothing:not([hidden])")
        until(lambda name=name: len(standing(served.folder, name)) == 6)
    carl.reload()
    row = carl.get_by_role("row", name=re.compile("Rewrites"))
    assert (row.text_content() or "").split()[-2:] == ["100.0", "%"]


def test_a_published_guideline_is_what_the_next_judgement_carries(visit: Visit, served: Served) -> None:
    carl = visit("carl", "/guidelines")
    carl.keyboard.press("j")
    carl.get_by_role("link", name="turku").click()
    carl.wait_for_url("**/guidelines/turku")
    carl.keyboard.press("e")
    carl.wait_for_url("**edit=true")
    text = "# How we label\n\nA **4** holds *everywhere*.\n\n| label | when |\n|---|---|\n| 4 | always |\n"
    carl.get_by_label("Markdown").fill(text)
    carl.reload()
    carl.get_by_role("button", name="Put it back").click()
    carl.get_by_role("button", name="Look at it").click()
    carl.wait_for_url("**/preview")
    assert carl.locator("#looks strong").text_content() == "4"
    assert carl.locator("#looks table").is_visible()
    carl.get_by_role("button", name="Publish version 1").click()
    carl.wait_for_url("**/guidelines/turku")
    carl.get_by_role("heading", name="How we label").wait_for()
    anna = visit("anna", "/classify/first")
    judge(anna, "4")
    until(lambda: [judgement.guideline for judgement in judgements(served.folder, "anna")] == ["turku@1"])
    anna.goto(f"{served.address}/guidelines/turku")
    anna.get_by_role("link", name="turku@0").click()
    anna.wait_for_url("**version=0")
    assert anna.get_by_text("This is an earlier version").is_visible()
    carl.keyboard.press("e")
    carl.wait_for_selector("#text")
    assert carl.locator("#kept").is_hidden()  # nothing is left unpublished


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("light", 1280, "light"), ("phone", 390, "light"), ("dark", 1280, "dark"), ("zoomed", 640, "light")],
)
def test_how_they_look(visit: Visit, served: Served, name: str, width: int, scheme: str, picture: Picture) -> None:
    put_week(served.folder)
    put_rewrites(served.folder, "wim", 2)
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
    for path, shot in (
        ("/batches", "batches"),
        ("/batches/double-1", "batch"),
        ("/batches/new?start=double&source=news&sample=10&person-anna=yes&person-ben=yes", "new-batch"),
        *((f"/batches/new?start={start}", start) for start in ("pairs", "rewrites", "crowd", "quality", "")),
        ("/guidelines/turku", "guideline"),
        ("/guidelines", "guidelines"),
        ("/guidelines/turku?edit=true", "edit-guideline"),
    ):
        page = visit("carl", path, **options)
        page.wait_for_selector("main h1")
        no_overflow(page)
        if name == "light" and shot in ("batches", "batch", "new-batch", "guideline"):
            picture(page, f"{shot}.png")
