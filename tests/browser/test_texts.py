"""Judging in one's own language in a real browser: the keys are the same, everything that is said is translated."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import open_project
from tests.browser.classify_page import open_page, saved
from tests.browser.conftest import Served, Visit, no_overflow
from tests.browser.ledger import judgements, standing
from tests.browser.test_contrast import misfits
from tests.browser.test_phone import PHONE


def test_a_pair_is_judged_in_japanese(visit: Visit, served: Served) -> None:
    page = open_page(visit, locale="ja-JP")
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.locator("#text1").get_attribute("lang") == "en"  # of the corpus, not of the site
    assert page.locator("#asked").inner_text() == "2つの文はどの程度同じ意味ですか？"
    page.keyboard.press("Enter")
    assert page.locator("#why").inner_text() == "答えがありません。まず選んでください。"
    for key in ("4", ">", "Enter"):
        page.keyboard.press(key)
    saved(page, served.folder, 1)
    assert page.locator("#saved").inner_text() == "保存済み ✓"
    assert standing(served.folder, "anna") == {"p0": "4>"}
    no_overflow(page)
    page.keyboard.press("?")
    assert "元に戻す" in page.locator("#all-keys").inner_text()


def test_russian_is_chosen_on_the_account_page_and_kept(visit: Visit, served: Served) -> None:
    account = visit("anna", "/account")
    account.get_by_role("button", name="Русский").click()
    account.wait_for_selector('html[lang="ru"]')
    page = open_page(visit)
    assert page.locator("#count").inner_text() == "ваши 0/8"
    for key in ("s", "KeyU"):  # the second by its place, as on a Russian keyboard
        page.keyboard.press(key)
    page.keyboard.type("Не уверена.")
    page.keyboard.press("Control+Enter")
    saved(page, served.folder, 1)
    (judgement,) = judgements(served.folder, "anna")
    assert (judgement.value, judgement.unsure, judgement.note) == ("4s", True, "Не уверена.")
    assert page.locator("#saved").inner_text() == "сохранено ✓"
    page.keyboard.press("k")
    assert page.locator("#where").inner_text() == "Вы уже оценили это; повторное сохранение изменит вашу оценку."
    page.keyboard.press("q")
    assert page.locator("#why").inner_text() == "«q» не используется на этой странице; ? покажет все клавиши."


def test_a_long_name_of_a_batch_is_cut_off_and_the_menu_is_not(visit: Visit, served: Served) -> None:
    name = "the second round of news pairs with little overlap and many names"
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, name, [BatchItem("p0"), BatchItem("p1")], scheme="turku", author="carl", asked=2)
    page = visit("ada", f"/classify/{quote(name)}", locale="ru-RU")
    page.wait_for_selector("#work:not([hidden])")
    assert page.locator(".batch-name").get_attribute("title") == name
    cut_off = "(element) => element.scrollWidth - element.clientWidth"
    assert page.locator(".batch-name").evaluate(cut_off) > 0
    assert page.locator(".bar nav").evaluate(cut_off) == 0
    no_overflow(page)


@pytest.mark.parametrize("locale", ["en-US", "ru-RU"])
def test_the_name_of_a_batch_has_room_and_a_bar_without_room_is_not_there(
    visit: Visit, served: Served, locale: str
) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        items = [BatchItem(f"p{number}") for number in range(8)]
        insert_batch(connection, "a long second round of pairs", items, scheme="turku", author="carl", asked=2)
    page = visit("ada", "/classify/a%20long%20second%20round%20of%20pairs", locale=locale)
    page.wait_for_selector("#work:not([hidden])")
    name, bar = page.locator(".batch-name").bounding_box(), page.locator("#bar").bounding_box()
    count, line = page.locator("#count").bounding_box(), page.locator("header .progress").bounding_box()
    assert name
    assert name["width"] >= 90  # px, about 12 digits
    assert bar
    assert line
    assert bar["width"] >= 40 or bar["y"] > line["y"] + line["height"]
    assert bar["y"] + bar["height"] <= line["y"] + line["height"] or bar["y"] >= line["y"] + line["height"]
    assert count
    assert count["y"] + count["height"] <= line["y"] + line["height"] + 1
    assert page.locator(".bar nav").evaluate("(element) => element.scrollWidth - element.clientWidth") == 0


@pytest.mark.parametrize("locale", ["fi-FI", "ja-JP", "ru-RU"])
@pytest.mark.parametrize("path", ["/nearest", "/browse", "/method", "/mining", "/batches/new", "/guidelines"])
def test_long_words_fit(visit: Visit, served: Served, path: str, locale: str) -> None:
    assert misfits(visit("carl", path, locale=locale)) == []


def test_a_japanese_word_is_not_broken_in_a_table(visit: Visit, served: Served) -> None:
    page = visit("carl", "/guidelines", locale="ja-JP", **PHONE)
    cells = page.locator(".guides td:last-child, .guides thead th").all()
    assert len(cells) > 4
    lines = (
        "(cell) => { const range = new Range(); range.selectNodeContents(cell); return range.getClientRects().length; }"
    )
    assert {cell.evaluate(lines) for cell in cells} == {1}


def test_the_languages_stand_under_the_middle_of_the_card(visit: Visit, served: Served) -> None:
    page = visit(None, "/login")
    card = page.locator(".card").bounding_box()
    first, *_, last = [button.bounding_box() for button in page.locator(".languages button").all()]
    assert card is not None
    assert first is not None
    assert last is not None
    assert abs((first["x"] + last["x"] + last["width"]) / 2 - (card["x"] + card["width"] / 2)) <= 1
