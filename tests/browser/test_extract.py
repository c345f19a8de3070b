"""Extraction in a real browser: exact passages in any script, by keys and by the mouse alone, nothing lost."""

from __future__ import annotations

import random

import pytest

from otherwords.project import open_project
from otherwords.records import Document, DocumentPair
from tests.annotate.reading import put, row
from tests.browser.conftest import Picture, Served, Visit, until
from tests.browser.extract_page import DRAG, SAVED, chooses, chosen, drag, extracted, open_page, press, tab_to
from tests.browser.ledger import judgements
from tests.browser.reports import HARBOUR, ISLAND, SCRIPTS, put_news, put_scripts
from tests.browser.verbatim import verbatim_matches

THIRD_LEVEL = """() => document.dispatchEvent(
  new KeyboardEvent("keydown", { key: "}", code: "Digit0", ctrlKey: true, altKey: true, bubbles: true }))"""


def test_by_keys_alone_with_emoji_and_accents(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-en")
    tab_to(page, "text1")
    press(page, "ArrowRight", "ArrowRight", *["Shift+ArrowRight"] * 3)
    assert chosen(page)[0] == "They danced 👨‍👩‍👧‍👦"
    press(page, "}", "{")
    page.evaluate(THIRD_LEVEL)
    assert chosen(page)[0] == "They danced 👨‍👩‍👧‍👦 until"
    press(page, "[", "[", "]")
    assert chosen(page)[0] == ". They danced 👨‍👩‍👧‍👦 until"
    press(page, "]", "{", "Tab", *["Shift+ArrowRight"] * 4, "Enter")
    until(lambda: extracted(served) == [("They danced 👨‍👩‍👧‍👦", "The dancing went on")])
    assert page.evaluate("document.activeElement.id") == "text1"
    press(page, *["ArrowRight"] * 2, *["Shift+ArrowRight"] * 5, "Tab")
    press(page, "ArrowRight", *["Shift+ArrowRight"] * 5)
    chooses(page, "the café closed. Then 🇫🇮", "till the cafe\u0301 shut 🇫🇮")
    page.wait_for_selector(SAVED)
    press(page, "Enter")
    until(lambda: len(extracted(served)) == 2)
    page.wait_for_selector(SAVED)
    assert page.evaluate("['pair-1', 'pair-2'].map((name) => CSS.highlights.get(name).size)") == [2, 2]
    press(page, "Backspace")
    until(lambda: len(extracted(served)) == 1)
    press(page, "n")
    page.wait_for_url("**/extract/dp2?after=in-en")
    with open_project(served.folder) as project:
        assert row(project, DocumentPair, "in-en")["status"] == "finished"
    (judgement,) = judgements(served.folder, "anna")
    assert (judgement.value, judgement.seconds is not None and judgement.seconds > 0) == ("finished", True)


def test_a_key_that_can_do_nothing_yet_says_why(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-en")
    why = page.locator("#why")
    press(page, "n")
    assert why.inner_text().startswith("Nothing yet.")
    press(page, "Enter")
    assert why.inner_text() == "Select a passage of the first text"
    drag(page, "text1", "👨‍👩‍👧‍👦 until the café")
    assert why.inner_text() == ""
    press(page, "Enter")
    assert why.inner_text() == "Select a passage of the second text"
    assert extracted(served) == []


@pytest.mark.parametrize(("lang", "forwards"), [("ar", "ArrowLeft"), ("ja", "ArrowRight")])
def test_arabic_and_japanese(visit: Visit, served: Served, lang: str, forwards: str) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", f"in-{lang}")
    assert page.evaluate("getComputedStyle(document.getElementById('text1')).direction") == (
        "rtl" if lang == "ar" else "ltr"
    )
    for side in (1, 2):
        page.locator(f"#text{side}").focus()
        press(page, forwards, forwards, *[f"Shift+{forwards}"] * 3, "Shift+ArrowDown")
    selected = chosen(page)
    for text, whole in zip(selected, SCRIPTS[lang], strict=True):
        assert text in whole
        assert not whole.startswith(text)
        assert len(text) > 5
    press(page, "Enter")
    until(lambda: extracted(served) == [selected])


def test_what_is_faded_what_is_grey_and_what_the_documents_are_called(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    with open_project(served.folder) as project:
        named = {"group": "The Guest (1996)", "meta": {"version": "uusi"}}
        put(project, Document(id="subtitles-123e98", text="Come in, it is late.", **named))
        put(project, Document(id="news-77", text="It is late.", meta={"title": "Late", "outlet": "The Harbour"}))
        put(project, Document(id="plain-5", text=f"Nobody came.\n\n{'It was a long and quiet evening. ' * 9}"))
        put(project, DocumentPair(id="named", doc1="subtitles-123e98", doc2="news-77", status="candidate"))
        put(project, DocumentPair(id="plain", doc1="plain-5", doc2="news-77", status="candidate"))
    page = open_page(visit, "anna", "in-en")
    assert page.locator(".legend").inner_text() == "Faded: outside this piece."
    page.keyboard.press("m")
    assert "Grey: copied" in page.locator(".legend").inner_text()
    page.keyboard.press("m")
    page = open_page(visit, "anna", "named")
    assert page.locator(".legend").is_hidden()
    assert page.locator(".column h2").all_inner_texts() == ["The Guest (1996), uusi", "Late"]
    assert page.locator("#title1").get_attribute("title") == "The Guest (1996), uusi (subtitles-123e98)"
    assert "The Harbour" in page.locator(".column header").nth(1).inner_text()
    page = open_page(visit, "anna", "plain")
    assert page.locator("#title1").inner_text() == "Nobody came. It was a long and quiet evening. …"


def test_by_the_mouse_alone(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-en")
    button = page.get_by_role("button", name="Add the pair")
    drag(page, "text1", "👨‍👩‍👧‍👦 until the café")
    assert button.is_disabled()
    drag(page, "text2", "the cafe\u0301 shut 🇫🇮🇸🇪")
    chooses(page, "👨‍👩‍👧‍👦 until the café", "the cafe\u0301 shut 🇫🇮🇸🇪")
    page.get_by_role("button", name="Begin a word later").click()
    page.get_by_role("button", name="End a word later").click()
    button.click()
    first = ("👨‍👩‍👧‍👦 until the café", "cafe\u0301 shut 🇫🇮🇸🇪.")
    until(lambda: extracted(served) == [first])
    drag(page, "text2", "Nobody")
    page.get_by_text("That is outside the part to be read").wait_for()
    assert page.evaluate("getSelection().toString()") == ""
    chooses(page, "", "")
    page.locator("#pairs").get_by_role("button", name="Change").click()
    chooses(page, *first)
    drag(page, "text1", "until the café")
    page.get_by_role("button", name="Save the change").click()
    until(lambda: extracted(served) == [("until the café", first[1])])
    page.wait_for_selector(SAVED)
    page.locator("#pairs").get_by_role("button", name="Delete").click()
    until(lambda: extracted(served) == [])
    for count in (1, 1, 0):  # the deletion, the change, the pair itself
        page.get_by_role("button", name="Undo").click()
        until(lambda: len(extracted(served)) == count)  # noqa: B023 - called before the next one
        page.wait_for_selector(SAVED)
    page.get_by_role("button", name="Empty").click()
    page.wait_for_url("**after=in-en")


def test_a_drag_that_leaves_its_text_stays_in_it(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    left, top, _, _ = page.evaluate(DRAG, ["text1", "No ship has left"])
    page.mouse.click(left + 60, top, click_count=3)
    chooses(page, HARBOUR.split("\n")[2], "")
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(900, top, steps=5)
    until(lambda: chosen(page)[0].startswith("No ship has left") and len(chosen(page)[0]) < 80)
    page.mouse.move(300, 700, steps=5)
    until(lambda: chosen(page)[0].endswith("before the end of the week."))
    page.mouse.move(left + 60, 200)
    page.mouse.up()
    assert chosen(page)[1] == ""


def test_a_reload_in_the_middle_loses_nothing(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-en")
    page.context.route("**/api/v1/document-pairs/**", lambda route: route.abort())
    drag(page, "text1", "They danced")
    drag(page, "text2", "The dancing")
    press(page, "Enter")
    drag(page, "text1", "flags 👍🏽")
    drag(page, "text2", "🇫🇮🇸🇪")
    press(page, "Enter")
    page.wait_for_selector("#pairs li:nth-child(2) .state")
    drag(page, "text1", "until the café")
    page.wait_for_selector('#saved[data-state="waiting"]')
    press(page, "d")
    assert "not saved yet" in (page.locator("#why").text_content() or "")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_selector("#pairs li:nth-child(2) .state")
    assert page.locator("#pairs").get_by_text("not saved yet").count() == 2
    chooses(page, "until the café", "")
    assert extracted(served) == []
    page.context.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    both = [("They danced", "The dancing"), ("flags 👍🏽", "🇫🇮🇸🇪")]
    until(lambda: extracted(served) == both)
    page.wait_for_function("() => document.querySelectorAll('#pairs .state').length === 0")
    drag(page, "text2", "till the cafe\u0301 shut")
    press(page, "Enter")
    until(lambda: ("until the café", "till the cafe\u0301 shut") in extracted(served))
    page.wait_for_selector(SAVED)
    page.reload()
    page.wait_for_selector("#pairs li:nth-child(3)")
    press(page, "Backspace")
    until(lambda: extracted(served) == both)


def test_what_is_undone_before_it_is_saved_is_undone_when_it_is(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    page = open_page(visit, "anna", "in-en")
    page.context.route("**/api/v1/document-pairs/**", lambda route: route.abort())
    drag(page, "text1", "They danced")
    drag(page, "text2", "The dancing")
    press(page, "Enter")
    page.wait_for_selector('#saved[data-state="waiting"]')
    press(page, "Backspace")
    page.context.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("() => document.querySelectorAll('#pairs li').length === 0")
    page.wait_for_selector(SAVED)
    assert extracted(served) == []


def test_earlier_rounds_are_locked_and_a_refusal_is_told(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    assert "it was extracted in an earlier round" in (page.locator("#pairs li").text_content() or "")
    assert page.locator("#pairs").get_by_role("button", name="Delete").count() == 0
    press(page, "j")
    assert page.evaluate("document.getElementById('text1').scrollTop") > 0
    drag(page, "text1", "The island's only shop ran out of bread")
    drag(page, "text2", "There has been no bread at the village shop")
    press(page, "Enter")
    notice = page.locator(".refusal")
    notice.wait_for()
    assert "these two passages are a pair already" in (notice.text_content() or "")
    page.get_by_role("button", name="Select again").click()
    assert chosen(page)[0] == "The island's only shop ran out of bread"
    press(page, "Escape")
    chooses(page, "", "")
    assert [text1 for text1, _ in extracted(served)] == ["The island's only shop ran out of bread"]


def test_two_people_and_opening_again(visit: Visit, served: Served) -> None:
    put_scripts(served.folder)
    anna, ben = visit("anna", "/extract"), visit("ben", "/extract")
    assert anna.url != ben.url
    bens_page = open_page(visit, "ben", "dp2")
    assert "Somebody else works on this" in (bens_page.locator("#closed-why").text_content() or "")
    assert bens_page.locator("#empty").is_disabled()
    anna.wait_for_selector("#empty:not([disabled])")
    press(anna, "e")
    anna.wait_for_url("**after=dp2")
    anna.wait_for_selector("#empty:not([disabled])")
    press(anna, "b")
    anna.wait_for_selector("#reopen:not([hidden])")
    press(anna, "o")
    anna.wait_for_selector("#empty:not([disabled])")
    with open_project(served.folder) as project:
        assert row(project, DocumentPair, "dp2")["status"] == "candidate"


def test_scrolling_together_and_alone(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    lines = [f"Line number {number} of the film." for number in range(200)]
    slow = "\n".join(lines)
    fast = "\n".join(["Before the film."] * 100 + lines)
    meta = {"lines": [[number, number + 100] for number in range(200)]}
    with open_project(served.folder) as project:
        put(project, Document(id="slow", text=slow), Document(id="fast", text=fast))
        put(project, DocumentPair(id="film", doc1="slow", doc2="fast", method="subtitles", meta=meta))
    top = "(one) => one.scrollTop / (one.scrollHeight - one.clientHeight)"
    tops = f"() => [...document.querySelectorAll('.text')].map({top})"
    page = open_page(visit, "anna", "storm")
    page.locator("#text1").hover()
    page.mouse.wheel(0, 10_000)
    page.wait_for_function(f"() => ({tops})().every((top) => top > 0.99)")
    press(page, "y")
    page.mouse.wheel(0, -10_000)
    page.wait_for_function(f"() => ({tops})()[0] === 0")
    assert page.evaluate(tops)[1] > 0.99
    page = open_page(visit, "anna", "film")
    press(page, "y")
    page.locator("#text1").hover()
    page.mouse.wheel(0, 100)  # line 3 is aligned with the 103rd of the other
    placed = "first > 0 && first < 0.05 && second > 0.33"
    page.wait_for_function(f"() => {{ const [first, second] = ({tops})(); return {placed}; }}")


def test_what_is_the_same_is_grey_as_the_library_says(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    press(page, "m")
    text = "(one) => one.startContainer.data.slice(one.startOffset, one.endOffset)"
    greyed = f"() => [...CSS.highlights.get('verbatim')].map({text})"
    page.wait_for_function(f"() => ({greyed})().some((one) => one.trim() === '29 metres per second')")
    page.locator("#length").focus()
    press(page, "End")
    assert page.evaluate(greyed) == []
    matches = (
        "async ([text1, text2, shortest]) =>"
        " (await import('/static/verbatim.js')).verbatimMatches(text1, text2, shortest)"
    )
    chance = random.Random(7)
    for shortest in (1, 2, 3, 7):
        text1, text2 = ("".join(chance.choices("ab é😀\n\t\u00a0\x1c\ufeff", k=200)) for _ in range(2))
        expected = [_units(text1, text2, match) for match in verbatim_matches(text1, text2, shortest)]
        assert page.evaluate(matches, [text1, text2, shortest]) == expected
    whole = [HARBOUR, ISLAND, 15]
    assert page.evaluate(matches, whole) == [list(match) for match in verbatim_matches(HARBOUR, ISLAND, 15)]
    for filler in ("a" * 50_000, (HARBOUR * 30)[:50_000]):
        timed = f"const since = performance.now(); await ({matches})(texts); return performance.now() - since;"
        assert page.evaluate(f"async (texts) => {{ {timed} }}", [filler, (ISLAND * 30)[:50_000], 20]) < 3000


def _units(text1: str, text2: str, match: tuple[int, int, int, int]) -> list[int]:
    """Places in UTF-16 units, as a browser counts."""
    return [
        len(text[:place].encode("utf-16-le")) // 2
        for text, place in zip((text1, text1, text2, text2), match, strict=True)
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
        {"viewport": {"width": 390, "height": 800}, "has_touch": True},
    ],
)
def test_zoomed_and_narrow(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm", reduced_motion="reduce", **options)
    for side in (1, 2):
        page.locator(f"#text{side}").focus()
        press(page, "ArrowDown", "ArrowDown", *["Shift+ArrowRight"] * 4)
    press(page, "Enter")
    until(lambda: len(extracted(served)) == 2)
    press(page, "m", "g")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pictures(visit: Visit, served: Served, picture: Picture) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm", reduced_motion="reduce")
    for text1, text2 in (
        (
            "No ship has left Lintusaari since Monday morning",
            "Nothing has been able to leave the port of Lintusaari since the beginning of the week",
        ),
        ("most of them families on their winter holiday", "for the most part parents with children"),
    ):
        drag(page, "text1", text1)
        drag(page, "text2", text2)
        press(page, "Enter")
    page.wait_for_selector(SAVED)
    drag(page, "text1", "The municipality has opened the school's sports hall to those who could not find a room.")
    drag(page, "text2", "Those who found no bed elsewhere may spend the night in the gym of the local school.")
    press(page, "m")
    page.mouse.move(640, 40)
    picture(page, "extract.png")
