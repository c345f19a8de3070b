"""The classify page for every kind of answer, in a real browser: several questions, several values, counts, groups."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.annotate.batch_plans.outputs import Ask, SystemOutput, create_from_outputs
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair
from tests.browser.conftest import Page, Picture, Served, Visit, until
from tests.browser.ledger import judgements, standing
from tests.web.people import TEXTS
from tests.web.people import story as story_around

STEPS = """
name = "humour"
title = "Is it funny?"
[[questions]]
name = "funny"
title = "Is one of them funny?"
[[questions.values]]
value = "yes"
key = "1"
name = "yes"
[[questions.values]]
value = "no"
key = "0"
name = "no"
[[questions]]
name = "why"
title = "What makes it so?"
several = true
only_if = { funny = ["yes"] }
[[questions.values]]
value = "pun"
key = "1"
name = "a pun"
[[questions.values]]
value = "nonsense"
key = "2"
name = "nonsense"
"""
POSTS = [
    ("Ferry cancelled because of the storm.", "The storm stops the ferry."),
    ("No boat to the island today.", "The storm stops the ferry."),
]


def batch_of(served: Served, scheme: str, unit: Any = "pair", items: tuple[str, ...] = ("p0", "p1", "p6")) -> None:
    (served.folder / "schemes").mkdir(exist_ok=True)
    (served.folder / "schemes" / "humour.toml").write_text(STEPS, encoding="utf-8")
    about: dict[str, Any] = {"import_id": None, "step": None, "step_key": None, "state": None}
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        posts = [Pair(id=f"g{n}", text1=a, text2=b, lang="en", group="storm") for n, (a, b) in enumerate(POSTS)]
        connection.execute(insert(schema.pairs), [row_of(post, **about) for post in posts])
        insert_batch(connection, "work", [BatchItem(name) for name in items], scheme=scheme, unit=unit)


def open_page(
    visit: Visit, served: Served, scheme: str, options: dict[str, Any] | None = None, **batch_options: Any
) -> Page:
    batch_of(served, scheme, **batch_options)
    page = visit("anna", "/classify/work", **(options or {}))
    page.wait_for_selector("#work:not([hidden])")
    return page


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def saved(served: Served, value: dict[str, Any]) -> None:
    until(lambda: standing(served.folder, "anna") == value)


def test_two_criteria_by_keys(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "rupaws")
    press(page, "Enter")
    assert "has no answer yet" in page.locator("#why").inner_text()
    press(page, "1 Enter")
    assert "has no answer yet" in page.locator("#why").inner_text()
    press(page, "0 Enter")
    yes, no = {"well_formed": "yes", "paraphrase": "no"}, {"well_formed": "no", "paraphrase": "no"}
    saved(served, {"p0": yes})
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    press(page, "1 1 ArrowUp 0 ArrowDown 0 Enter")  # back to the first question, and on again
    saved(served, {"p0": yes, "p1": no})
    page.locator("#text1", has_text=TEXTS[6][1]).wait_for()
    press(page, "k")  # what was said is there again
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    assert page.locator("#answers [aria-pressed=true]").all_inner_texts() == ["0\nno", "0\nno"]


def test_the_next_question_is_in_sight_in_a_low_window(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "likert", {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2})
    top = page.locator("#keys").bounding_box()["y"]  # type: ignore[index]
    for key, question in (("5", 1), ("4", 2)):
        press(page, key)
        box = page.locator("fieldset").nth(question).bounding_box()
        assert box is not None
        assert 0 <= box["y"] < box["y"] + box["height"] <= top
    press(page, "2")
    pressed = page.locator("fieldset").nth(2).locator("[aria-pressed=true]").bounding_box()
    assert pressed is not None
    assert 0 <= pressed["y"] < pressed["y"] + pressed["height"] <= top


@pytest.mark.parametrize(
    ("scheme", "lowest"), [("binary-loose", "#submit"), ("machine-or-not", "#submit"), ("turku", ".answers .flags")]
)
def test_both_texts_and_all_answers_are_in_sight_at_200_percent(
    visit: Visit, served: Served, scheme: str, lowest: str
) -> None:
    page = open_page(visit, served, scheme, {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2})
    press(page, "1")
    boxes = [page.locator(selector).bounding_box() for selector in ("#text1", lowest, "#keys")]
    first, last, keys = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
    assert 0 <= first[0] < last[1] <= keys[0]


def test_one_key_saves_with_the_last_answer(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "rupaws")
    press(page, "o 1 0")
    saved(served, {"p0": {"well_formed": "yes", "paraphrase": "no"}})


def test_focus_chooses_the_question(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "likert")
    page.locator("fieldset").nth(2).locator("button").first.focus()
    press(page, "3")
    assert page.locator("fieldset").nth(2).locator("[aria-pressed=true]").inner_text() == "3\na word or two"
    assert page.locator("fieldset").nth(0).get_attribute("data-current") is None


def test_likert_by_keys_and_by_mouse(visit: Visit, served: Served, picture: Picture) -> None:
    page = open_page(visit, served, "likert", {"reduced_motion": "reduce"})
    press(page, "5 4 2")
    assert page.locator("fieldset .help").nth(1).inner_text().startswith("Close, but a small part")
    picture(page, "schemes-likert.png")
    press(page, "Enter")
    first = {"fluency": "5", "similarity": "4", "diversity": "2"}
    saved(served, {"p0": first})
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    for name in ("flawless", "all of it", "one real change"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Save and next").click()
    saved(served, {"p0": first, "p1": {"fluency": "5", "similarity": "5", "diversity": "4"}})


@pytest.mark.parametrize(
    "options",
    [
        {"color_scheme": "dark"},
        {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
        {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    ],
)
def test_likert_dark_on_a_phone_and_zoomed(visit: Visit, served: Served, options: dict[str, Any]) -> None:
    page = open_page(visit, served, "likert", options | {"reduced_motion": "reduce"})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("one slip", "nearly", "several"):
        page.get_by_role("button", name=name).click()
    page.locator("#submit").click()
    saved(served, {"p0": {"fluency": "4", "similarity": "4", "diversity": "5"}})


def test_counts(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "good-poor")
    press(page, "2 2 2 Shift+Digit2 4 6 Shift+Digit6 Shift+Digit6")
    word = page.locator(".counted", has_text="word for word")
    assert word.locator(".times").inner_text() == "2"
    page.get_by_role("button", name="phrase added").click()
    page.get_by_role("button", name="simplified", exact=False).first.click()
    page.get_by_role("button", name="One simplified fewer").click()
    press(page, "Enter")
    saved(served, {"p0": {"added": 1, "word": 2, "structure": 1}})


def test_several_values(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "suzuki-changes")
    press(page, "6 1 3 3 Enter")
    saved(served, {"p0": ["content-words", "order"]})
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    page.get_by_role("button", name="one follows from the other").click()
    page.get_by_role("button", name="Save and next").click()
    saved(served, {"p0": ["content-words", "order"], "p1": ["entailment"]})


def test_a_question_that_comes_only_after_an_answer(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "humour")
    why = page.locator("fieldset").nth(1)
    assert why.is_hidden()
    press(page, "1")
    assert why.is_visible()
    press(page, "1 2 1")  # the keys are those of the next question now
    page.reload()  # what is half done is still there
    page.wait_for_selector("#work:not([hidden])")
    assert why.locator("[aria-pressed=true]").inner_text() == "2\nnonsense"
    press(page, "Enter")
    saved(served, {"p0": {"funny": "yes", "why": ["nonsense"]}})
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    press(page, "1 1 ArrowUp 0")
    assert why.is_hidden()
    press(page, "Enter")
    saved(served, {"p0": {"funny": "yes", "why": ["nonsense"]}, "p1": {"funny": "no"}})


def test_the_topic_of_a_group(visit: Visit, served: Served) -> None:
    page = open_page(visit, served, "topic", unit="group", items=("storm",))
    assert page.locator("#group li").all_inner_texts() == [POSTS[0][0], POSTS[0][1], POSTS[1][0]]
    assert page.locator("#text1").is_hidden()
    assert page.locator('[data-panel="discussion"]').count() == 0
    press(page, "7 Enter")
    saved(served, {"storm": "event"})
    (judgement,) = judgements(served.folder, "anna")
    assert (judgement.unit, judgement.scheme, judgement.guideline) == ("group", "topic", "topic@0")
    page.wait_for_selector("#nothing:not([hidden])")


def outputs_of(served: Served, ask: Ask, systems: int) -> None:
    written = [SystemOutput(f"s{n}", POSTS[0][0], f"Storm {n}, no ferry.", "en") for n in range(systems)]
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        create_from_outputs(connection, project, "work", written, ask=ask, times=1)


def test_the_best_and_the_worst_of_three(visit: Visit, served: Served, picture: Picture) -> None:
    outputs_of(served, "best-worst", 3)
    page = visit("anna", "/classify/work", reduced_motion="reduce")
    page.wait_for_selector("#work:not([hidden])")
    shown = page.locator("#group li").all_inner_texts()
    assert [text.split()[0] for text in shown] == ["Source", "1", "2", "3"]
    assert POSTS[0][0] in shown[0]
    assert page.get_by_role("button", name="the fourth").count() == 0
    press(page, "4")
    assert page.locator("#answers [aria-pressed=true]").count() == 0
    press(page, "2 2 Enter")
    assert "chosen twice" in page.locator("#why").inner_text()
    press(page, "3")
    picture(page, "schemes-best-worst.png")
    press(page, "Enter")
    until(lambda: [found.value for found in judgements(served.folder, "anna")] == [{"best": "2", "worst": "3"}])


def test_preference_by_touch_on_a_phone(visit: Visit, served: Served) -> None:
    outputs_of(served, "preference", 2)
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visit("anna", "/classify/work", **phone, reduced_motion="reduce")
    page.wait_for_selector("#work:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="the second").tap()
    page.locator("#submit").tap()
    until(lambda: [found.value for found in judgements(served.folder, "anna")] == ["2"])


def test_the_beginnings_of_two_documents(visit: Visit, served: Served) -> None:
    story = STEPS.replace('title = "Is it funny?"', 'title = "Is it funny?"\nunit = "document_pair"')
    (served.folder / "schemes").mkdir()
    (served.folder / "schemes" / "story.toml").write_text(story.replace('"humour"', '"story"'), encoding="utf-8")
    page = open_page(visit, served, "story", unit="document_pair", items=("dp1",))
    assert page.locator("#text1").text_content() == story_around("0a")
    press(page, "0 Enter")
    saved(served, {"dp1": {"funny": "no"}})
