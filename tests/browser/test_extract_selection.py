"""Selections on the extraction page: whole words in any script, with Alt characters, by the mouse and by keys."""

from __future__ import annotations

import pytest

from otherwords.project import open_project
from otherwords.records import Document, DocumentPair
from tests.annotate.reading import put
from tests.browser.conftest import Served, Visit, until
from tests.browser.extract_page import SCREENS, chooses, chosen, drag, extracted, open_page, press, tab_to
from tests.browser.reports import put_news

THAI = "เรือมาถึงเช้านี้ ผู้คนรอที่ท่าเรือ"
JAPANESE = "今朝もフェリーが遅れました。人々は港で待ちました。"


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_a_drag_takes_whole_words(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm", reduced_motion="reduce", **options)
    drag(page, "text1", "ship has left Lintu")
    drag(page, "text2", "hing has been able to le")
    chooses(page, "ship has left Lintusaari", "Nothing has been able to leave")
    page.get_by_role("button", name="Add the pair").click()
    until(lambda: extracted(served)[1:] == [("ship has left Lintusaari", "Nothing has been able to leave")])


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_with_alt_it_takes_characters(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm", reduced_motion="reduce", **options)
    page.keyboard.down("Alt")
    drag(page, "text1", "ship has left Lintu")
    page.keyboard.up("Alt")
    drag(page, "text2", "able to le")
    chooses(page, "ship has left Lintu", "able to leave")
    begin = page.get_by_role("button", name="Begin a word earlier")
    begin.click(modifiers=["Alt"])
    chooses(page, "ship has left Lintu", "n able to leave")
    begin.click()
    chooses(page, "ship has left Lintu", "been able to leave")
    page.get_by_role("button", name="Add the pair").click()
    until(lambda: extracted(served)[1:] == [("ship has left Lintu", "been able to leave")])


@pytest.mark.parametrize("options", SCREENS.values(), ids=SCREENS)
def test_by_keys(visit: Visit, served: Served, options: dict[str, object]) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm", reduced_motion="reduce", **options)
    tab_to(page, "text1")
    press(page, "ArrowRight", *["Shift+ArrowRight"] * 2)
    assert chosen(page)[0] == "Storm closes"
    press(page, *["Alt+Shift+ArrowRight"] * 2)
    assert chosen(page)[0] == "Storm closes th"
    press(page, *["Alt+Shift+ArrowLeft"] * 3)
    assert chosen(page)[0] == "Storm close"
    press(page, "Shift+ArrowRight")
    assert chosen(page)[0] == "Storm closes the"
    press(page, "l", "L", "L", "H")
    assert chosen(page)[0] == "closes the harbour"
    press(page, "Tab", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Enter")
    until(lambda: extracted(served)[1:] == [("closes the harbour", "Four hundred")])


@pytest.mark.parametrize(("lang", "text", "part", "whole"), [
    ("th", THAI, "รือมาถึ", "เรือมาถึง"),
    ("ja", JAPANESE, "ェリーが遅", "フェリーが遅れ"),
    ("xx_YY!", "The ferry 🛥️ came.", "erry", "ferry"),
    (None, "A flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 flies.", "lag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 fl", "flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 flies"),
])  # fmt: skip
def test_words_of_any_language(
    visit: Visit, served: Served, lang: str | None, text: str, part: str, whole: str
) -> None:
    with open_project(served.folder) as project:
        put(project, Document(id="one", text=text, lang=lang), Document(id="two", text=text, lang=lang))
        put(project, DocumentPair(id="words", doc1="one", doc2="two", status="candidate"))
    page = open_page(visit, "anna", "words")
    for side in ("text1", "text2"):
        drag(page, side, part)
    chooses(page, whole, whole)
    press(page, "Enter")
    until(lambda: extracted(served) == [(whole, whole)])


def test_the_list_of_keys_has_the_keys_of_selecting(visit: Visit, served: Served) -> None:
    put_news(served.folder)
    page = open_page(visit, "anna", "storm")
    press(page, "?")
    rows = {
        row.locator("td").nth(1).inner_text(): row.locator("kbd").all_inner_texts()
        for row in page.locator("#all-keys tr").all()
    }
    assert rows["Select words"] == ["⇧+←", "⇧+→", "⇧+↑", "⇧+↓"]
    assert rows["In a text: from word to word"] == ["←", "→", "↑", "↓"]
    assert rows["Select by characters; so does the mouse with Alt"] == ["Alt+⇧+←", "Alt+⇧+→"]
    assert rows["To the first text, to the other one"] == ["Tab"]
    assert rows["Begin a word earlier"] == ["h", "[", "("]
