"""Marking paraphrase types in a real browser: by keys or the mouse alone, in several scripts, zoomed and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair
from tests.annotate.disputed import judged
from tests.browser.conftest import Page, Picture, Served, Visit, until
from tests.browser.ledger import judgements
from tests.web.people import TEXTS

SAVED = '#saved[data-state="saved"]'
MARKED = "(name) => import('/static/highlights.js').then((module) => module.marked(name))"
PLACES = {"p0": 0, "ja": 3, "ar": 4, "emoji": 5, "house": 7}


@pytest.fixture(autouse=True)
def batches(served: Served) -> None:
    """A batch for each pair that a test looks at, one that measures agreement, and one of the simplified kind."""
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        for name, place in PLACES.items():
            insert_batch(connection, name, [BatchItem(f"p{place}")], scheme="vila", author="carl")
        insert_batch(connection, "simple", [BatchItem("p7")], scheme="vila-simplified", author="carl")
        rules = BatchRules(people=["anna", "ben"])
        items = [BatchItem("p7"), BatchItem("p6")]
        insert_batch(
            connection, "agree", items, scheme="vila", asked=2, purpose="agreement", rules=rules, author="carl"
        )


def open_page(visit: Visit, batch: str, **options: object) -> Page:
    page = visit("anna", f"/classify/{batch}", **options)
    page.wait_for_selector("#work:not([hidden])")
    return page


def begin_marking(visit: Visit, batch: str, **options: object) -> Page:
    """The page of a pair that was said to be a paraphrase."""
    page = open_page(visit, batch, **options)
    page.keyboard.press("1")
    page.wait_for_selector(".begun:has-text('Mark words')")
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def find(page: Page, letters: str) -> None:
    press(page, "/")
    page.keyboard.type(letters)
    press(page, "Enter")


def saved(page: Page, folder: Path, count: int = 1) -> list[dict[str, Any]]:
    """The phenomena of the last judgement, once the server has as many."""
    until(lambda: len(judgements(folder, "anna")) == count)
    page.wait_for_selector(SAVED)
    value: Any = judgements(folder, "anna")[-1].value
    return list(value["types"])


def words(phenomenon: dict[str, Any], place: int) -> tuple[list[str], list[str]]:
    _, text1, text2 = TEXTS[place]
    first, two = (
        [text[start:end] for start, end in phenomenon[scope]] for text, scope in ((text1, "scope1"), (text2, "scope2"))
    )
    return first, two


def point(page: Page, side: int, word: str) -> tuple[float, float]:
    """The middle of a word on the page."""
    box = page.evaluate(
        """([id, word]) => {
          const node = document.getElementById(id).firstChild;
          const range = document.createRange();
          range.setStart(node, node.data.indexOf(word));
          range.setEnd(node, node.data.indexOf(word) + word.length);
          const box = range.getClientRects()[0];
          return [box.left + box.width / 2, box.top + box.height / 2];
        }""",
        [f"text{side}", word],
    )
    return box[0], box[1]


def drag(page: Page, side: int, first: str, last: str) -> None:
    page.mouse.move(*point(page, side, first))
    page.mouse.down()
    page.mouse.move(*point(page, side, last), steps=4)
    page.mouse.up()


def test_by_keys_alone(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "house")  # He sold the house to his sister. / His sister bought the house from him.
    press(page, "ArrowRight", "ArrowRight", " ")
    press(page, "Tab", "ArrowRight", "ArrowRight", "ArrowRight", " ")
    find(page, "conv")
    press(page, "Enter")
    assert "say whether it is local or global" in page.locator(".why").inner_text()
    press(page, "p", "p", "Enter")
    assert page.locator(".phenomena li").count() == 1
    press(page, "Enter")
    (phenomenon,) = saved(page, served.folder)
    assert phenomenon["type"] == "lex_inverse"
    assert phenomenon["projection"] == "global"
    assert words(phenomenon, 7) == (["sold"], ["bought"])
    judgement = judgements(served.folder, "anna")[0]
    assert judgement.meta["tokeniser"] == "words"
    assert (judgement.guideline, judgement.scheme) == ("vila@0", "vila")


def test_by_the_mouse_alone(visit: Visit, served: Served, picture: Picture) -> None:
    page = open_page(visit, "house", reduced_motion="reduce")
    page.locator("#answers button", has_text="paraphrase").first.click()
    page.wait_for_selector(".begun:has-text('Mark words')")
    drag(page, 1, "He", "sister")
    drag(page, 2, "His", "him")
    page.locator('[data-tag="syn_diathesis"]').click()
    assert page.get_by_role("button", name="Projection").count() == 0
    page.get_by_role("button", name="Key elements").click()
    page.mouse.click(*point(page, 1, "sold"))
    page.mouse.click(*point(page, 2, "bought"))
    page.get_by_role("button", name="Commit").click()
    drag(page, 1, "the", "house")
    drag(page, 2, "the", "house")
    page.keyboard.down("Shift")
    page.mouse.click(*point(page, 1, "sister"))
    page.mouse.click(*point(page, 2, "sister"))
    page.keyboard.up("Shift")
    page.locator('[data-tag="identical"]').click()
    page.get_by_role("button", name="Commit").click()
    drag(page, 1, "sold", "sold")
    drag(page, 2, "bought", "bought")
    page.locator('[data-tag="lex_inverse"]').click()
    page.get_by_role("button", name="Projection").click()
    picture(page, "types.png")
    page.get_by_role("button", name="Commit").click()
    assert page.evaluate(MARKED, "type-shared") == ["sold", "the house", "sister", "sister", "bought", "the house"]
    page.get_by_role("button", name="Save and next").click()
    by_type = {phenomenon["type"]: phenomenon for phenomenon in saved(page, served.folder)}
    diathesis, same = by_type["syn_diathesis"], by_type["identical"]
    assert words(diathesis, 7) == (["He sold the house to his sister"], ["His sister bought the house from him"])
    assert (diathesis["key1"], diathesis["key2"]) == ([[3, 7]], [[11, 17]])
    assert words(same, 7) == (["the house", "sister"], ["sister", "the house"])
    assert words(by_type["lex_inverse"], 7) == (["sold"], ["bought"])
    assert by_type["lex_inverse"]["projection"] == "local"


def test_arabic_from_right_to_left(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "ar")
    press(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft")  # the second and the third word
    press(page, "Tab", "End", "ArrowRight", " ")
    find(page, "lex_same")
    press(page, "p", "Enter", "Enter")
    (phenomenon,) = saved(page, served.folder)
    first, second = words(phenomenon, 4)
    assert (first, second) == ([" ".join(TEXTS[4][1].split()[1:3])], [TEXTS[4][2].split()[-1].strip(".")])


def test_offsets_are_code_points(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "emoji")
    drag(page, 1, "👨‍👩‍👧‍👦", "until")
    drag(page, 2, "cafe\u0301", "🇫🇮")
    find(page, "semantics")
    press(page, "p", "Enter")
    press(page, "Shift+Tab", "End", "ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft")  # closed, café
    press(page, "Tab", "End", "ArrowLeft", " ")  # the flag
    find(page, "order")
    press(page, "p", "Enter", "Enter")
    by_type = {phenomenon["type"]: words(phenomenon, 5) for phenomenon in saved(page, served.folder)}
    assert by_type["semantic"] == (["👨‍👩‍👧‍👦 until"], ["cafe\u0301 shut its doors 🇫🇮"])
    assert by_type["order"] == (["café closed"], ["🇫🇮"])


def test_japanese_tokens_come_from_the_server(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "ja")
    tokeniser = page.evaluate(
        "fetch('/api/v1/slots/' + JSON.parse(document.getElementById('page').textContent)"
        ".tasks[0].slot + '/tokens').then((answer) => answer.json()).then((tokens) => tokens.tokeniser)"
    )
    page.mouse.click(*point(page, 1, "フェリー"))
    page.mouse.click(*point(page, 2, "フェリー"))
    press(page, "i")
    assert "beforehand" in page.locator(".phenomena").inner_text()
    find(page, "order")
    press(page, "p", "Enter", "Enter")
    by_type = {phenomenon["type"]: phenomenon for phenomenon in saved(page, served.folder)}
    judgement = judgements(served.folder, "anna")[0]
    assert judgement.meta["tokeniser"] == tokeniser
    if tokeniser == "ja-mecab":
        assert words(by_type["order"], 3) == (["フェリー"], ["フェリー"])
    assert by_type["identical"]["meta"] == {"pre": True}
    first, second = words(by_type["identical"], 3)
    assert "".join(first) == "".join(second)


def test_discontinuous_by_keys_then_edit_delete_and_undo(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "house")
    press(page, "ArrowRight", " ", "ArrowRight", "ArrowRight", " ", "Tab", " ")
    assert page.evaluate(MARKED, "type-chosen") == ["He", "the", "His"]
    find(page, "identical")
    press(page, "Enter", "]", "m")  # back into the editor
    assert page.evaluate(MARKED, "type-chosen") == ["He", "the", "His"]
    press(page, "Tab", "Home", "ArrowRight", " ")
    press(page, "Enter")
    assert page.evaluate(MARKED, "type-grey") == ["He sold the", "His"]
    press(page, "Delete")
    assert page.locator(".phenomena li").count() == 0
    press(page, "Control+z")
    assert page.locator(".phenomena li").count() == 1
    page.reload()  # what is not sent yet is kept
    page.wait_for_selector(".phenomena li")
    press(page, "Enter")
    (phenomenon,) = saved(page, served.folder)
    assert words(phenomenon, 7) == (["He sold the"], ["His"])


def test_what_is_begun_is_kept_and_not_saved(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "house")
    press(page, "ArrowRight", " ")
    assert page.locator("#submit").is_disabled()
    page.reload()
    page.wait_for_selector(".begun bdi:has-text('He')")
    press(page, "Escape")
    assert page.locator(".begun bdi").count() == 0
    press(page, "0", "Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    assert judgements(served.folder, "anna")[0].value == {"paraphrase": "no"}


def test_what_is_begun_stays_with_its_pair(visit: Visit) -> None:
    page = begin_marking(visit, "agree")
    page.wait_for_load_state("networkidle")  # the tokens of the next pair are here
    press(page, "End", " ", "j")  # a word that the shorter text of the next pair does not have
    assert page.locator("#text1").text_content() == TEXTS[6][1]
    press(page, "1")
    page.wait_for_selector(".begun:has-text('Mark words')")
    press(page, "k")
    page.wait_for_selector(".begun bdi:has-text('.')")


def test_undo_goes_back_a_step_and_not_to_the_pair_before(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "agree")
    press(page, "0", "Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    press(page, "1")
    page.wait_for_selector(".begun:has-text('Mark words')")
    for _ in range(2):
        press(page, "ArrowRight", " ")
        find(page, "order")
        press(page, "Control+z")
        assert page.locator(".begun bdi").count() == 0
        assert page.locator("#text1").text_content() == TEXTS[6][1]
    press(page, "Home", " ")
    page.reload()  # the steps are gone, what is begun is not
    page.wait_for_selector(".begun bdi:has-text('It')")
    press(page, "Control+z")
    assert page.locator(".begun bdi").count() == 0
    assert [judgement.value for judgement in judgements(served.folder, "anna")] == [{"paraphrase": "no"}]


def test_what_is_marked_outlives_a_slip_to_no(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "house")
    press(page, "i", "0")
    assert not page.locator(".types-editor").is_visible()
    assert page.evaluate(MARKED, "type-grey") == []
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    press(page, "1")
    page.wait_for_selector(".phenomena li")
    press(page, "0", "Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    assert judgements(served.folder, "anna")[0].value == {"paraphrase": "no"}


def test_long_texts_leave_room_for_the_rest(visit: Visit, served: Served) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        about = {"import_id": None, "step": None, "step_key": None, "state": None}
        connection.execute(insert(schema.pairs), [row_of(Pair(id="long", text1=text, text2=text, lang="en"), **about)])
        insert_batch(connection, "long", [BatchItem("long")], scheme="vila", author="carl")
    page = begin_marking(visit, "long")
    for _ in range(2):
        press(page, "ArrowRight", "End", " ")
        _, middle = point(page, 1 if page.evaluate("document.activeElement.id") == "text1" else 2, "word299")
        frame = page.locator("#pair").bounding_box()
        assert frame is not None
        assert frame["y"] < middle < frame["y"] + frame["height"] <= 0.6 * 800  # the cursor is in sight
        press(page, "Tab")
    page.locator('[data-tag="order"]').click(timeout=5000)  # not under the texts
    page.get_by_role("button", name="Projection").click(timeout=5000)
    page.get_by_role("button", name="Commit").click(timeout=5000)
    press(page, "Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    value: Any = judgements(served.folder, "anna")[0].value
    assert [text[start:end] for start, end in value["types"][0]["scope2"]] == ["word299"]


def test_one_key_does_one_thing(visit: Visit) -> None:
    page = begin_marking(visit, "house")
    assert page.locator('[data-key="/"]').count() == 1
    page = visit("anna", "/classify/first")
    assert page.locator('[data-key="/"]').count() == 1


def test_the_simplified_mode_has_no_overlap(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "simple")
    assert page.locator('[data-tag="non_paraphrases"]').count() == 0
    for name in ("converse", "same polarity"):
        page.mouse.click(*point(page, 1, "sold"))
        page.mouse.click(*point(page, 2, "bought"))
        find(page, name)
        assert page.get_by_role("button", name="Projection").count() == 0
        assert page.get_by_role("button", name="Key elements").count() == 0
        press(page, "Enter")
    assert "each word belongs to one phenomenon" in page.locator(".why").inner_text()
    press(page, "Escape", "Enter")
    (phenomenon,) = saved(page, served.folder)
    assert phenomenon == {"type": "lex_inverse", "scope1": [[3, 7]], "scope2": [[11, 17]]}


def test_nothing_is_marked_beforehand_where_agreement_is_measured(visit: Visit) -> None:
    page = begin_marking(visit, "agree")
    assert page.get_by_role("button", name="Mark what is identical").count() == 0
    page = begin_marking(visit, "house")
    assert page.get_by_role("button", name="Mark what is identical").count() == 1


def test_an_addition_in_one_text_and_the_next_pair(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "agree")
    page.mouse.click(*point(page, 1, "house"))
    find(page, "addition")
    press(page, "p", "Enter", "Enter")
    (phenomenon,) = saved(page, served.folder)
    assert (phenomenon["scope1"], phenomenon["scope2"]) == ([[12, 17]], [])
    assert page.locator("#text1").text_content() == TEXTS[6][1]
    assert page.evaluate(MARKED, "type-green") == []
    press(page, "k")
    page.wait_for_selector(".phenomena li")
    assert page.evaluate(MARKED, "type-green") == ["house"]


def test_a_tag_set_of_one_s_own_without_the_first_step(visit: Visit, served: Served) -> None:
    own = 'name = "own"\ntitle = "Which?"\nkind = "types"\n[[types]]\ntag = "swap"\n[[types]]\ntag = "other"\n'
    (served.folder / "schemes").mkdir(exist_ok=True)
    (served.folder / "schemes" / "own.toml").write_text(own, encoding="utf-8")
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "mine", [BatchItem("p7")], scheme="own", author="carl")
    page = open_page(visit, "mine")
    page.wait_for_selector(".begun:has-text('Mark words')")
    press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Tab", " ", "/")
    page.keyboard.type("swap")
    press(page, "Enter", "Enter", "Enter")
    until(lambda: len(judgements(served.folder, "anna")) == 1)
    assert judgements(served.folder, "anna")[0].value == [{"type": "swap", "scope1": [[0, 7]], "scope2": [[0, 3]]}]


def test_found_by_type_and_read_on_the_page_of_the_pair(visit: Visit, served: Served) -> None:
    page = begin_marking(visit, "emoji")
    drag(page, 1, "until", "until")
    drag(page, 2, "till", "till")
    find(page, "same")
    press(page, "p", "Enter", "Enter")
    saved(page, served.folder)
    page = visit("anna", "/browse?type=lex_same_polarity")
    assert page.locator("#type-names option[value=lex_same_polarity]").count() == 1
    assert page.locator("a.permalink").all_inner_texts() == ["p5"]
    page.locator("a.permalink").click()
    row = page.locator(".found-phenomena li")
    row.wait_for()
    assert " ".join(row.inner_text().split()) == "lex_same_polarity until → till local"
    row.hover()
    assert page.evaluate(MARKED, "other") == ["until", "till"]
    page = visit("anna", "/browse?type=order")
    assert page.locator("a.permalink").count() == 0


def test_deciding_about_types(visit: Visit, served: Served) -> None:
    own = [{"type": "identical", "scope1": [[8, 17]], "scope2": [[18, 27]]}]
    theirs = [*own, {"type": "order", "scope1": [[25, 31]], "scope2": [[4, 10]], "projection": "local"}]
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        for name, types in (("anna", own), ("ben", theirs)):
            judged(connection, "agree", name, {"p7": {"paraphrase": "yes", "types": types}})
    page = visit("carl", "/adjudicate/agree")
    page.wait_for_selector(".opinion")
    page.locator(".opinion", has_text="order").locator("button").first.click()
    page.wait_for_selector(".phenomena li:nth-child(2)")
    page.wait_for_selector(".begun:has-text('Mark words')")
    press(page, "[", "[", "Delete")  # away with the first
    page.mouse.click(*point(page, 1, "sold"))
    page.mouse.click(*point(page, 2, "bought"))
    find(page, "converse")
    press(page, "p", "Enter", "Enter")
    until(lambda: len(judgements(served.folder, "carl")) == 1)
    (decision,) = judgements(served.folder, "carl")
    assert (decision.kind, decision.meta["adopted"], decision.meta["tokeniser"]) == ("consensus", None, "words")
    assert {phenomenon["type"] for phenomenon in decision.value["types"]} == {"order", "lex_inverse"}


@pytest.mark.parametrize(
    ("options", "shot"),
    [
        ({"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}, None),
        ({"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, "types-phone.png"),
        ({"color_scheme": "dark"}, None),
    ],
)
def test_zoomed_by_touch_and_dark(
    visit: Visit, served: Served, options: dict[str, object], shot: str | None, picture: Picture
) -> None:
    page = begin_marking(visit, "house", reduced_motion="reduce", **options)
    press(page, "i")
    pressed = page.touchscreen.tap if "has_touch" in options else page.mouse.click
    pressed(*point(page, 1, "sold"))
    pressed(*point(page, 2, "bought"))
    page.locator('[data-tag="lex_inverse"]').click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if shot:
        picture(page, shot)
    page.get_by_role("button", name="Projection").click()
    page.get_by_role("button", name="Commit").click()
    page.get_by_role("button", name="Save and next").click()
    assert {phenomenon["type"] for phenomenon in saved(page, served.folder)} == {"lex_inverse", "identical"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_word_under_the_cursor_is_not_underlined_like_a_mistake(visit: Visit, scheme: str) -> None:
    page = begin_marking(visit, "house", color_scheme=scheme)
    press(page, "ArrowRight")
    assert page.evaluate(MARKED, "type-cursor") == ["He"]
    style = page.evaluate(
        "() => { const style = getComputedStyle(document.getElementById('text1'), '::highlight(type-cursor)');"
        " return [style.textDecorationStyle, style.textDecorationLine, style.backgroundColor]; }"
    )
    assert style[0] == "solid"
    assert style[1] == "underline"
    assert style[2] != "rgba(0, 0, 0, 0)"


def test_in_a_low_window_the_answers_do_not_cover_the_texts(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/house", viewport={"width": 640, "height": 400})  # a desk at 200 %
    page.wait_for_selector("#work:not([hidden])")
    text, answers = (page.locator(selector).bounding_box() for selector in ("#text2", "#answers"))
    assert text is not None
    assert answers is not None
    assert text["y"] + text["height"] <= answers["y"]
