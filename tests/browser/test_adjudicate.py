"""Adjudicating in a real browser: by keys alone, by the mouse alone, with names and without, two people at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from otherwords.annotate.batch_plans.create import create_batch
from otherwords.annotate.batch_plans.qa_round import choose_qa, plan_qa
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.schemes import load_scheme
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Judgement
from tests.annotate.disputed import judged
from tests.browser.conftest import Page, Picture, Served, Visit, until
from tests.browser.ledger import standing
from tests.web.people import TEXTS

ANNA = {"p0": "4>", "p1": "2", "p6": "4", "p7": "4"}
BEN = {"p0": "4", "p1": "4", "p6": "4", "p7": "3"}


@pytest.fixture
def disputed(served: Served) -> Served:
    """Anna and Ben differ about three of four pairs; of the fourth Ben is unsure."""
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(
            connection, "team", [BatchItem(name) for name in ANNA], scheme="turku", asked=2, purpose="agreement"
        )
        judged(connection, "double", "anna", {"p0": "4", "p1": "3"})
        judged(connection, "double", "ben", {"p0": "4", "p1": "3"})
        judged(connection, "team", "anna", ANNA, seconds=8.2)
        judged(connection, "team", "ben", {name: BEN[name] for name in ("p0", "p7")}, seconds=21.0)
        judged(connection, "team", "ben", {"p1": "4"}, seconds=14.0, unsure=True, note="Could the meal be a lunch?")
        judged(connection, "team", "ben", {"p6": "4"}, unsure=True, note="Is three days the same three days?")
    return served


def consensus(folder: Path) -> list[Judgement]:
    """All that was ever decided, in its order."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        return list(read_records(connection, Judgement, schema.judgements.c.kind == "consensus"))


def team(visit: Visit, name: str = "carl", query: str = "", **options: Any) -> Page:
    page = visit(name, f"/adjudicate/team{query}", **options)
    page.wait_for_selector("#work:not([hidden]), #nothing:not([hidden])")
    return page


def counts(page: Page) -> list[str]:
    """How many disagreements, pairs that somebody was unsure of, and decisions the page says that there are."""
    return page.locator(".shows .number").all_inner_texts()


def shows(page: Page, number: int) -> None:
    page.locator("#text1", has_text=TEXTS[number][1]).wait_for()


def test_all_of_it_by_keys_alone(visit: Visit, disputed: Served) -> None:
    page = visit("carl", "/adjudicate")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/adjudicate/team$"))
    shows(page, 1)  # 2 against 4 is worse than 4 against 3
    answers = page.locator(".opinion .said").all_inner_texts()
    page.keyboard.press("ab"[answers.index("4")])
    assert page.locator(".opinion.adopted .said").inner_text() == "4"
    page.keyboard.press("Enter")
    shows(page, 7)
    page.keyboard.press("2")
    page.keyboard.press("Control+m")
    page.keyboard.type("a sale is not a gift")
    page.keyboard.press("Control+Enter")
    shows(page, 0)
    page.keyboard.press("a")
    page.keyboard.press("3")  # the scheme's own keys make it another answer
    page.keyboard.press("i")  # which only a 4 can have
    assert "belongs to 4 only" in page.locator(".refusal").inner_text()
    page.keyboard.press("4")
    page.keyboard.press("i")
    assert page.locator(".opinion.adopted").count() == 0
    page.keyboard.press("Enter")
    page.locator("#nothing-text", has_text="3 of 3 are decided").wait_for()
    assert counts(page) == ["0", "1", "3"]
    until(lambda: len(consensus(disputed.folder)) == 3)
    first, second, third = consensus(disputed.folder)
    assert [(decision.pair, decision.value, decision.annotator) for decision in (first, second, third)] == [
        ("p1", "4", "carl"),
        ("p7", "2", "carl"),
        ("p0", "4i", "carl"),
    ]
    assert first.meta["adopted"] in first.meta["from"]
    assert (second.meta["adopted"], second.note, len(second.meta["from"])) == (None, "a sale is not a gift", 2)
    assert (second.batch, second.purpose, second.guideline) == ("team", "agreement", "turku@0")


def test_a_decision_by_the_mouse_alone_and_undo(visit: Visit, disputed: Served) -> None:
    page = visit("carl", "/adjudicate")
    page.get_by_role("link", name="team").click()
    shows(page, 1)
    page.locator('.opinion:has(.chip:text-is("2"))').get_by_role("button").click()
    page.get_by_role("button", name="Accept and next").click()
    shows(page, 7)
    until(lambda: len(consensus(disputed.folder)) == 1)
    page.wait_for_selector('#saved[data-state="saved"]')
    page.wait_for_selector("#undo:enabled")
    assert counts(page) == ["2", "1", "1"]
    page.get_by_role("button", name="Undo").click()
    shows(page, 1)
    assert counts(page) == ["3", "1", "0"]
    until(lambda: [decision.value for decision in consensus(disputed.folder)] == ["2", None])
    page.get_by_role("button", name="in this context").click()
    page.get_by_role("button", name="Note").click()
    page.locator("#note").type("only here")
    page.get_by_role("button", name="Accept and next").click()
    until(lambda: len(consensus(disputed.folder)) == 3)
    last = consensus(disputed.folder)[-1]
    assert (last.value, last.note, last.supersedes) == ("3", "only here", None)
    page.get_by_role("link", name=re.compile("^Decided")).click()
    page.locator("#where", has_text="Decided: 3").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator("#where", has_text="Decided").wait_for(state="hidden")
    assert counts(page) == ["3", "1", "0"]
    assert page.locator("#note").input_value() == "only here"  # to be said again, or changed


def test_names_are_hidden_until_a_curator_asks(visit: Visit, disputed: Served) -> None:
    page = team(visit)
    assert page.locator(".opinion header button").all_inner_texts() == ["a\nJudgement A", "b\nJudgement B"]
    assert "anna" not in page.content()
    assert page.locator("#panel-history").count() == 0
    page.keyboard.press("r")
    page.wait_for_url(re.compile("named=1"))
    page.locator(".opinion header button", has_text="anna").wait_for()
    page.keyboard.press("H")
    page.locator("#history li", has_text="ben").first.wait_for()
    page.goto(disputed.address + "/adjudicate/team")  # the choice is remembered
    page.locator(".opinion header button", has_text="anna").wait_for()
    page.get_by_role("button", name="Names").click()
    page.locator(".opinion header button", has_text="Judgement A").wait_for()
    anna = team(visit, "anna", "?named=1")
    anna.locator(".opinion header button", has_text="Judgement A").wait_for()
    assert anna.locator("#names").count() == 0
    assert '"ben"' not in anna.content()


def test_two_curators_at_once(visit: Visit, disputed: Served) -> None:
    carl, ada = team(visit), team(visit, "ada")
    for page in (carl, ada):
        shows(page, 1)
    carl.keyboard.press("3")
    carl.keyboard.press("Enter")
    until(lambda: len(consensus(disputed.folder)) == 1)
    ada.keyboard.press("1")
    ada.keyboard.press("Enter")
    ada.locator("#why", has_text="somebody else has decided").wait_for()
    shows(ada, 1)
    ada.locator("#where", has_text="Decided: 3").wait_for()
    assert len(consensus(disputed.folder)) == 1
    ada.keyboard.press("1")
    ada.keyboard.press("Enter")
    until(lambda: len(consensus(disputed.folder)) == 2)
    first, second = consensus(disputed.folder)
    assert (second.supersedes, second.value, second.annotator) == (first.id, "1", "ada")


def test_what_somebody_was_unsure_of_talk_and_guideline(visit: Visit, disputed: Served) -> None:
    page = team(visit, query="?show=unsure")
    shows(page, 6)
    assert "Is three days the same three days?" in page.locator("#opinions").inner_text()
    assert "unsure" in page.locator("#opinions").inner_text()
    page.keyboard.press("t")
    page.get_by_text("Nobody has said anything").wait_for()
    page.locator("#remark-text").fill("It is. @ben")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("It is. @ben").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.press("G")
    page.wait_for_selector("#panel-guideline:not([hidden])")
    page.keyboard.press("G")
    page.keyboard.press("C")
    page.wait_for_selector("#context .context-document")
    page.keyboard.press("C")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    until(lambda: [(decision.pair, decision.value) for decision in consensus(disputed.folder)] == [("p6", "4")])


def test_what_is_half_done_is_there_again(visit: Visit, disputed: Served) -> None:
    page = team(visit)
    shows(page, 1)
    page.keyboard.press("b")
    page.keyboard.press("Control+m")
    page.keyboard.type("let us see")
    page.reload()
    page.wait_for_selector(".opinion.adopted")
    assert page.locator("#note").input_value() == "let us see"
    assert consensus(disputed.folder) == []
    page.keyboard.press("j")
    shows(page, 7)
    page.keyboard.press("k")
    shows(page, 1)


def test_a_batch_without_disagreements_says_so(visit: Visit, disputed: Served) -> None:
    page = visit("carl", "/adjudicate/double")
    page.locator("#nothing-title", has_text="Nothing to decide").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_url(disputed.address + "/adjudicate")


def test_ratings_have_the_colours_of_their_scheme(visit: Visit, disputed: Served) -> None:
    with open_project(disputed.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "rated", [BatchItem("p6")], scheme="likert", asked=2, author="carl")
        for who, ratings in {"anna": "542", "ben": "312"}.items():
            value = dict(zip(("fluency", "similarity", "diversity"), ratings, strict=True))
            judged(connection, "rated", who, {"p6": value})
    page = visit("carl", "/adjudicate/rated")
    page.wait_for_selector(".opinion")
    chips = page.locator(".opinion .chip").evaluate_all("(chips) => chips.map((c) => c.textContent + c.dataset.tone)")
    assert sorted(chips) == ["1pale", "2pale", "2pale", "3soft", "4strong", "5deep"]


def test_a_round_of_quality_control(visit: Visit, disputed: Served) -> None:
    with open_project(disputed.folder) as project, project.ledger.writing() as connection:
        judged(connection, "first", "anna", {"p2": "4s", "p3": "4s"})
        chosen = choose_qa(connection, project, load_scheme("turku"), "4s")
        create_batch(connection, project, plan_qa("style", None), chosen)
    page = visit("ben", "/classify/style")
    page.locator("#where", has_text="Its label is 4s").wait_for()
    assert page.locator("#answers [aria-pressed=true]").count() == 2
    page.keyboard.press("Enter")  # accepted as it is
    page.locator("#text1", has_text=TEXTS[3][1]).wait_for()
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    until(lambda: standing(disputed.folder, "ben").get("p3") == "4")
    assert standing(disputed.folder, "ben")["p2"] == "4s"
    page_of_batch = visit("carl", "/batches/style")
    page_of_batch.get_by_text("2 of 2 pairs inspected, 1 changed").wait_for()


@pytest.mark.parametrize(
    ("options", "shot"),
    [
        ({}, "adjudicate.png"),
        ({"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}, None),  # 200 % zoom of 1280 × 800
        ({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, None),
        ({"color_scheme": "dark"}, None),
    ],
)
def test_light_dark_zoomed_and_on_a_phone(
    visit: Visit, disputed: Served, options: dict[str, object], shot: str | None, picture: Picture
) -> None:
    page = team(visit, query="?named=1", reduced_motion="reduce", **options)
    shows(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".opinion", has_text="anna").get_by_role("button").click()
    if shot:
        picture(page, shot)
    page.locator("#accept").click()
    until(lambda: len(consensus(disputed.folder)) == 1)


def test_a_label_has_the_words_of_its_button(visit: Visit, served: Served) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "machines", [BatchItem("p0")], scheme="suzuki", asked=2, purpose="agreement")
        judged(connection, "machines", "anna", {"p0": "Positive"})
        judged(connection, "machines", "ben", {"p0": "Unnatural"})
    page = visit("carl", "/adjudicate/machines")
    page.wait_for_selector(".opinion")
    assert sorted(page.locator(".opinion .said").all_inner_texts()) == ["Unnatural", "same meaning"]


def test_a_type_has_its_name_and_its_tag_is_seen_by_pointing_at_it(visit: Visit, served: Served) -> None:
    marked = [{"type": "lex_inverse", "scope1": [[0, 3]], "scope2": [[0, 3]], "projection": "local"}]
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "types", [BatchItem("p0")], scheme="vila", asked=2, purpose="agreement")
        judged(connection, "types", "anna", {"p0": {"paraphrase": "yes", "types": marked}})
        judged(connection, "types", "ben", {"p0": {"paraphrase": "no"}})
    page = visit("carl", "/adjudicate/types")
    assert page.locator(".opinion [title=lex_inverse]").inner_text() == "converse"
