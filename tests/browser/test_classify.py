from __future__ import annotations

from tests.browser.conftest import SHOTS, Served, Visit


def test_look(visit: Visit, served: Served) -> None:
    page = visit("anna", "/classify/first")
    page.wait_for_selector("#work:not([hidden])")
    page.keyboard.press("4")
    page.keyboard.press(">")
    page.keyboard.press("d")
    page.keyboard.press("g")
    page.screenshot(path="/tmp/classify.png")
    page.keyboard.press("Enter")
    page.wait_for_selector('#saved[data-state="saved"]')
    page.keyboard.press("3")
    page.keyboard.press("r")
    page.fill("#rewrite1", "Nobody had told her a thing about the dinner.")
    page.screenshot(path="/tmp/classify2.png")
