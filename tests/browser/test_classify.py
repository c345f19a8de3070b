"""Classifying in a real browser: by keys alone, by the mouse alone, zoomed, dark, on a phone."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.annotate.disputed import judged
from tests.browser.classify_page import SAVED, open_page, saved
from tests.browser.conftest import Picture, Served, Visit, until
from tests.browser.ledger import judgements, pairs, standing
from tests.browser.reports import STORM, put_storm
from tests.web.people import TEXTS

IN_SIGHT = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return Boolean(top?.closest(selector));
}"""
GAP = """() => {
  const box = (element) => element.getBoundingClientRect();
  const bottoms = [...document.querySelectorAll("#answers button")].map((button) => box(button).bottom);
  return box(document.getElementById("submit")).top - Math.max(...bottoms);
}"""
ABOVE_BARS = """(id) => {
  const field = document.getElementById(id).getBoundingClientRect();
  const sticky = ["answers", "finish", "keys"].map((name) => document.getElementById(name))
    .filter((bar) => getComputedStyle(bar).position === "sticky");
  const top = Math.min(...sticky.map((bar) => bar.getBoundingClientRect().top));
  return document.activeElement.id === id && 0 <= field.top && field.bottom <= top;
}"""
FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  return [one.id, box.top > 0 && box.bottom < document.getElementById("keys").getBoundingClientRect().top];
}"""


def test_a_whole_batch_by_keys_alone(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    for keys in (["4"], ["4", ">", "s"], ["s", "Enter"], ["3"], ["2"], ["1"], ["x"], ["4", "i", "i"]):
        for key in keys:
            page.keyboard.press(key)
        if keys[-1] != "Enter":
            page.keyboard.press("Enter")
        page.wait_for_selector("#work:not([hidden]), #nothing-title:not(:empty)")
    page.wait_for_selector("#nothing:not([hidden])")
    saved(page, served.folder, 8)
    values = ["4", "4>s", "4s", "3", "2", "1", "x", "4"]
    assert standing(served.folder, "anna") == {f"p{number}": value for number, value in enumerate(values)}
    first = judgements(served.folder, "anna")[0]
    assert (first.guideline, first.batch, first.context_shown) == ("turku@0", "first", False)
    assert first.seconds is not None
    page.keyboard.press("Escape")
    page.wait_for_url(served.address + "/")


def test_a_pair_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.get_by_role("button", name="in this context").click()
    page.get_by_role("button", name="Unsure").click()
    page.locator("#note").click()
    page.locator("#note").type("Is a ferry a boat?")
    page.get_by_role("button", name="Save and next").click()
    saved(page, served.folder, 1)
    (judgement,) = judgements(served.folder, "anna")
    assert (judgement.value, judgement.unsure, judgement.note) == ("3", True, "Is a ferry a boat?")


def test_numbers_of_the_number_pad_and_keys_in_fields(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.keyboard.press("Numpad3")
    page.keyboard.press("u")
    page.keyboard.type("4 and x are only text here")
    assert page.locator("#answers [aria-pressed=true]").inner_text().strip().endswith("in this context")
    page.keyboard.press("Escape")
    page.keyboard.press("NumpadEnter")
    saved(page, served.folder, 1)
    assert judgements(served.folder, "anna")[0].note == "4 and x are only text here"


def test_keys_are_left_alone_while_an_input_method_composes(visit: Visit) -> None:
    page = open_page(visit)
    composed = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '4', isComposing: true, bubbles: true}))"
    page.evaluate(composed)
    assert page.locator("#answers [aria-pressed=true]").count() == 0
    page.keyboard.press("4")
    assert page.locator("#answers [aria-pressed=true]").count() == 1


def test_texts_are_shown_as_they_are(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    for lang, text1, text2 in TEXTS:
        page.locator("#text1", has_text=text1).wait_for()
        assert page.locator("#text1").text_content() == text1
        assert page.locator("#text2").text_content() == text2
        assert page.locator("#text1").get_attribute("dir") == ("rtl" if lang == "ar" else "auto")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
    saved(page, served.folder, 8)


def test_rewriting(visit: Visit, served: Served, picture: Picture) -> None:
    page = open_page(visit)
    page.keyboard.press("4")
    page.keyboard.press("r")
    assert page.locator("#rewriting").is_hidden()
    assert page.locator("#why").inner_text().startswith("A pair with the label 4 is not rewritten")
    page.keyboard.press("2")
    page.keyboard.press("r")
    page.locator("#rewrite1").fill("The ferry was late again today.")
    assert page.locator("#diff1 ins").inner_text().strip() == "today"
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    assert "has to be a 4" in page.locator("#rewrite-why").inner_text()
    assert page.evaluate(FOCUSED) == ["rewrite-label", True]
    page.keyboard.press("Space")
    picture(page, "rewrite.png")
    page.keyboard.press("Enter")
    saved(page, served.folder, 1)
    (rewrite,) = pairs(served.folder, "rewrite")
    assert (rewrite.rewrite_of, rewrite.text1, rewrite.text2) == ("p0", "The ferry was late again today.", TEXTS[0][2])
    assert [judgement.value for judgement in judgements(served.folder, "anna")] == ["2", "4"]


@pytest.mark.parametrize(
    ("keys", "field", "times", "window"),
    [("3 r", "rewrite1", 1, {"width": 640, "height": 400}), ("4 u", "note", 9, {"width": 390, "height": 844})],
)
def test_the_field_that_one_writes_in_is_above_the_bars(
    visit: Visit, served: Served, keys: str, field: str, times: int, window: dict[str, int]
) -> None:
    texts = {f"text{side}": "The ferry was late again, and nobody on the quay knew why. " * times for side in (1, 2)}
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        connection.execute(update(schema.pairs).values(**texts))
    is_phone = window["width"] < 640
    page = open_page(visit, viewport=window, has_touch=is_phone, is_mobile=is_phone)
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_function(ABOVE_BARS, arg=field, timeout=5000)


def test_a_rewrite_is_confirmed_by_a_key_and_in_sight(visit: Visit, served: Served) -> None:
    page = open_page(visit, viewport={"width": 640, "height": 400})  # 200 % of 1280 × 800
    page.keyboard.press("r")  # before the label is chosen
    page.locator("#rewrite1").fill("The ferry was late again today.")
    assert page.evaluate(IN_SIGHT, "#rewrite-sure")
    page.keyboard.press("Control+Enter")
    assert page.locator("#why").inner_text() == "An answer is missing: choose one first."
    for key in ("Escape", "2", "=", "Enter"):
        page.keyboard.press(key)
    saved(page, served.folder, 1)
    assert [judgement.value for judgement in judgements(served.folder, "anna")] == ["2", "4"]


def test_a_rewrite_is_confirmed_by_the_mouse(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.get_by_role("button", name="related", exact=False).first.click()
    page.locator("#rewrite").click()
    page.locator("#rewrite2").fill("Today the ferry was late once more.")
    page.get_by_label("The rewrite is a 4").click()
    page.get_by_role("button", name="Save and next").click()
    saved(page, served.folder, 1)
    assert len(pairs(served.folder, "rewrite")) == 1


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [(1280, 600, "light"), (1280, 800, "dark"), (1280, 1400, "light"), (390, 844, "light"), (640, 400, "light")],
)
def test_answers_and_save_are_near_each_other(visit: Visit, width: int, height: int, scheme: str) -> None:
    page = open_page(visit, viewport={"width": width, "height": height}, color_scheme=scheme)
    for words in (6, 900):
        page.evaluate("(words) => (document.getElementById('text1').textContent = 'word '.repeat(words))", words)
        page.evaluate("scrollTo(0, 0)")
        if height < 600:  # in a low window one has to scroll, and then has both
            page.locator("#submit").scroll_into_view_if_needed()
        gap = page.evaluate(GAP)
        assert 0 <= gap <= 60, f"{gap} px between the last answer and Save after {words} words"
        assert page.evaluate(IN_SIGHT, "#submit")
        assert page.evaluate(IN_SIGHT, "#answers .flags button:last-child")
        assert height < 600 or page.evaluate(IN_SIGHT, "#answers .values button:first-child")


REFUSED = {
    "Enter": "An answer is missing: choose one first.",
    "Backspace": "There is nothing to undo.",
    "k": "There is nothing before this one.",
    "7": "“7” is not a key of this page; ? lists them all.",
    "<": "",  # which is a flag of a 4, and makes it one
}


@pytest.mark.parametrize("key", REFUSED)
def test_a_key_that_is_refused_says_why(visit: Visit, key: str) -> None:
    page = open_page(visit)
    page.keyboard.press(key)
    assert page.locator("#why").inner_text() == REFUSED[key]
    page.keyboard.press("3")
    assert page.locator("#why").inner_text() == ""


def test_a_click_that_is_refused_says_why(visit: Visit, served: Served) -> None:
    page = open_page(visit, batch="double")
    for button, reason in {
        "#submit": "An answer is missing",
        "#undo": "nothing to undo",
        "#back": "nothing before",
    }.items():
        page.locator(button).click(force=True)
        assert reason in page.locator("#why").inner_text()
    page.get_by_role("button", name="paraphrase").first.click()
    page.locator("#rewrite").click(force=True)
    assert "is not rewritten" in page.locator("#why").inner_text()
    assert judgements(served.folder, "anna") == []


def binary_batch(served: Served, undo: bool = True) -> None:
    items = [BatchItem(f"p{number}") for number in range(4)]
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "binary", items, scheme="binary-strict", rules=BatchRules(undo=undo))


def test_a_binary_judgement_is_one_key(visit: Visit, served: Served) -> None:
    binary_batch(served)
    page = open_page(visit, batch="binary")
    page.keyboard.press("o")
    assert page.locator("#one-key").is_checked()
    for key in ("1", "0", "1"):
        page.keyboard.press(key)
    saved(page, served.folder, 3)
    assert standing(served.folder, "anna") == {"p0": "yes", "p1": "no", "p2": "yes"}
    assert page.locator("#last").inner_text().split() == ["Saved", "before", "this:", "paraphrase"]
    page.keyboard.press("Backspace")  # undoing is one key, too
    until(lambda: standing(served.folder, "anna") == {"p0": "yes", "p1": "no"})
    page.keyboard.press("0")
    until(lambda: standing(served.folder, "anna") == {"p0": "yes", "p1": "no", "p2": "no"})
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator("#one-key").is_checked()  # it is their choice
    other = open_page(visit, "anna", "binary", color_scheme="dark")  # in another browser as well
    assert other.locator("#one-key").is_checked()
    assert not open_page(visit, "ben").locator("#one-key").is_checked()


def test_one_click_saves_where_that_is_chosen(visit: Visit, served: Served) -> None:
    binary_batch(served)
    page = open_page(visit, batch="binary")
    page.get_by_label("Save answers at once").check()
    page.get_by_role("button", name="no paraphrase").click()
    saved(page, served.folder, 1)
    page.get_by_label("Save answers at once").uncheck()
    page.get_by_role("button", name="no paraphrase").click()
    assert page.locator("#answers [aria-pressed=true]").count() == 1
    page.get_by_role("button", name="Save and next").click()
    saved(page, served.folder, 2)


def test_an_answer_that_can_have_flags_waits_for_them(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    for key in ("o", "4", "s", "Enter", "3"):
        page.keyboard.press(key)
    saved(page, served.folder, 2)
    for key in ("r", "Escape", "2"):  # nor is a pair saved that is being rewritten
        page.keyboard.press(key)
    assert page.locator("#rewriting").is_visible()
    assert standing(served.folder, "anna") == {"p0": "4s", "p1": "3"}


def test_where_answers_are_final_each_is_confirmed(visit: Visit, served: Served) -> None:
    binary_batch(served, undo=False)
    page = open_page(visit, batch="binary")
    assert page.locator("#one-key").count() == 0
    assert "Answers are final here" in page.locator("#finish").inner_text()
    for key in ("1", "Enter", "Backspace"):
        page.keyboard.press(key)
    assert page.locator("#why").inner_text() == "Answers of this batch are final."


def test_undo_and_going_back(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    for value in ("4", "3"):
        page.keyboard.press(value)
        page.keyboard.press("Enter")
    saved(page, served.folder, 2)
    page.keyboard.press("Control+z")
    until(lambda: standing(served.folder, "anna") == {"p0": "4"})
    assert page.locator("#text1").text_content() == TEXTS[1][1]
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    saved(page, served.folder, 2)
    page.keyboard.press("k")
    page.keyboard.press("k")
    assert page.locator("#text1").text_content() == TEXTS[0][1]
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    until(lambda: standing(served.folder, "anna") == {"p0": "1", "p1": "2"})
    history = judgements(served.folder, "anna")
    assert [judgement.value for judgement in history] == ["4", "3", None, "2", "1"]
    assert history[4].supersedes == history[0].id


def test_what_is_undone_before_it_is_saved_is_undone_when_it_is(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.context.route("**/api/v1/judgements", lambda route: route.abort())
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.wait_for_selector('#saved[data-state="waiting"]')
    page.keyboard.press("Backspace")
    assert "not saved yet" in (page.locator("#why").text_content() or "")
    page.context.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: [judgement.value for judgement in judgements(served.folder, "anna")] == ["4", None])
    assert page.locator("#text1").text_content() == TEXTS[0][1]


def test_a_pair_beside_the_reports_that_it_comes_from(visit: Visit, served: Served, picture: Picture) -> None:
    put_storm(served.folder)
    page = open_page(visit, batch="storm", reduced_motion="reduce")
    assert [page.locator(f"#text{side}").text_content() for side in (1, 2)] == list(STORM[0])
    for key in "dc4":
        page.keyboard.press(key)
    page.wait_for_selector("#context .context-document")
    passage = "import('/static/highlights.js').then((module) => module.marked('passage'))"
    assert page.evaluate(passage) == list(STORM[0])
    picture(page, "classify.png")


def test_differences_context_and_the_list_of_keys(visit: Visit, served: Served) -> None:
    page = open_page(visit, reduced_motion="reduce")
    page.keyboard.press("d")
    marked = "import('/static/highlights.js').then((module) => module.marked('different'))"
    assert page.evaluate(marked) == [
        "ferry was late again this morning",
        "Once more",
        "boat did not come on time today",
    ]
    page.keyboard.press("c")
    page.wait_for_selector("#context .context-document")
    passage = "import('/static/highlights.js').then((module) => module.marked('passage'))"
    assert page.evaluate(passage) == [TEXTS[0][1], TEXTS[0][2]]
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    assert judgements(served.folder, "anna")[0].context_shown is True
    page.keyboard.press("?")
    assert "Save and next" in page.locator("#all-keys").inner_text()
    listed = page.locator("#all-keys tbody kbd").all_inner_texts()
    assert sorted(set(listed)) == sorted(listed)
    assert "Go on" not in page.locator("#all-keys").inner_text()  # which is not on the page now
    page.keyboard.press("Escape")
    assert page.locator("#all-keys").count() == 0
    page.reload()
    page.wait_for_selector("#context .context-document")  # the panel is as it was left


def test_a_flag_does_not_change_a_chosen_label(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    for key in ("3", ">"):
        page.keyboard.press(key)
    assert page.locator(".refusal").inner_text() == "“>” belongs to 4 only: choose 4 first."
    page.keyboard.press("Enter")
    saved(page, served.folder, 1)
    for key in ("x", "s", "4", "s"):
        page.keyboard.press(key)
    assert page.locator(".refusal").inner_text() == ""
    page.keyboard.press("Enter")
    saved(page, served.folder, 2)
    assert standing(served.folder, "anna") == {"p0": "3", "p1": "4s"}


def test_ctrl_enter_saves_from_a_note_and_from_a_rewrite(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.keyboard.press("u")
    page.keyboard.type("a boat?")
    page.keyboard.press("Control+Enter")
    assert "An answer is missing" in page.locator("#why").inner_text()
    page.keyboard.press("3")
    page.locator("#note").focus()
    page.keyboard.press("Control+Enter")
    saved(page, served.folder, 1)
    assert [(judgement.value, judgement.note) for judgement in judgements(served.folder, "anna")] == [("3", "a boat?")]
    page.locator("#text1", has_text=TEXTS[1][1]).wait_for()
    page.keyboard.press("2")
    page.keyboard.press("r")
    page.locator("#rewrite2").fill("Nobody told her that there was a dinner.")
    page.keyboard.press("Meta+Enter")
    assert page.evaluate(FOCUSED) == ["rewrite-label", True]
    page.keyboard.press("Space")
    page.keyboard.press("Meta+Enter")  # where the focus was brought
    saved(page, served.folder, 2)
    assert len(pairs(served.folder, "rewrite")) == 1


def test_a_rewrite_is_there_again_when_the_label_allows_it(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    page.keyboard.press("2")
    page.keyboard.press("r")
    page.locator("#rewrite1").fill("The ferry was late again today.")
    page.locator("#rewrite-label").check()
    page.locator("#rewrite-label").blur()
    page.keyboard.press("4")
    assert page.locator("#rewriting").is_hidden()
    page.keyboard.press("s")
    assert page.locator("#rewriting").is_visible()
    page.keyboard.press("Enter")
    saved(page, served.folder, 1)
    assert [judgement.value for judgement in judgements(served.folder, "anna")] == ["4s", "4"]
    assert [pair.text1 for pair in pairs(served.folder, "rewrite")] == ["The ferry was late again today."]


def test_whose_progress_is_shown(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    assert page.locator(".bar .progress").inner_text().split() == ["first", "yours", "0/8"]
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        judged(connection, "first", "ben", {"p3": "4", "p4": "3"})
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator(".bar .progress").inner_text().split() == ["first", "yours", "0/6", "batch", "2/8"]
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    assert page.locator(".bar .progress").inner_text().split() == ["first", "yours", "1/6", "batch", "3/8"]


def test_a_batch_that_hides_documents(visit: Visit) -> None:
    page = open_page(visit, batch="double")
    assert page.locator('[data-panel="context"]').count() == 0


def test_talking_about_a_pair(visit: Visit, served: Served, picture: Picture) -> None:
    page = open_page(visit)
    page.keyboard.press("t")
    page.get_by_text("when you have judged").wait_for()
    page.get_by_text("k brings you back to this pair").wait_for()
    for number in range(3):  # the first two are in a batch whose judgements are not all in
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        saved(page, served.folder, number + 1)
    page.keyboard.press("k")
    page.get_by_text("Nobody has said anything").wait_for()
    page.locator("#remark-text").fill("Is this a 4? @carl <b>look</b>")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Is this a 4? @carl <b>look</b>").wait_for()
    picture(page, "discussion.png")


def test_what_is_typed_in_a_discussion_presses_no_buttons(visit: Visit, served: Served) -> None:
    assert "k brings you back to it and t opens" in visit("anna", "/discussions").locator(".empty").inner_text()
    page = open_page(visit)
    for number in range(3):
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        saved(page, served.folder, number + 1)
    page.keyboard.press("k")
    page.keyboard.press("t")
    page.keyboard.press("Control+Enter")
    assert page.locator("#remark-why").inner_text() == "Nothing is written yet."
    page.keyboard.type("rather 4>s, but unsure")
    assert page.locator("#remark-text").input_value() == "rather 4>s, but unsure"
    assert page.locator("#remark-why").inner_text() == ""
    page.keyboard.press("Tab")
    page.keyboard.type("2u")  # on the button that sends
    page.keyboard.press("Enter")
    page.locator("#thread .remark", has_text="rather 4>s, but unsure").wait_for()
    page.keyboard.type("2u")
    page.keyboard.press("Control+Enter")
    page.locator("#thread .remark", has_text="2u").wait_for()
    assert page.locator("#answers [aria-pressed=true]").inner_text().strip().endswith("in this context")
    assert page.locator("#unsure").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize(
    ("options", "shot"),
    [
        ({"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}, None),  # 200 % zoom of 1280 × 800
        ({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, "classify-phone.png"),
        ({"color_scheme": "dark"}, "classify-dark.png"),
    ],
)
def test_zoomed_on_a_phone_and_dark(
    visit: Visit, served: Served, options: dict[str, object], shot: str | None, picture: Picture
) -> None:
    page = open_page(visit, reduced_motion="reduce", **options)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#answers button").first.click()
    if shot:
        picture(page, shot)
    page.locator("#submit").click()
    saved(page, served.folder, 1)


def test_what_is_typed_while_an_answer_is_being_saved_stays(visit: Visit, served: Served) -> None:
    page = open_page(visit)
    waiting = []
    page.route(
        "**/api/v1/judgements", lambda route: route.continue_() if waiting else waiting.append(route)
    )  # the first is held back
    page.keyboard.press("3")
    with page.expect_request("**/api/v1/judgements"):
        page.keyboard.press("Enter")
    page.keyboard.press("k")
    page.keyboard.press("u")
    page.keyboard.type("a boat")
    assert page.locator("#saved").get_attribute("data-state") != "saved"
    waiting[0].continue_()
    page.wait_for_selector(SAVED)
    page.unroute("**/api/v1/judgements")  # nobody would answer a route while the ledger is waited for below
    page.keyboard.type(" or a ship")
    assert page.locator("#note").input_value() == "a boat or a ship"
    page.keyboard.press("Control+Enter")
    until(lambda: [judgement.note for judgement in judgements(served.folder, "anna")] == [None, "a boat or a ship"])
