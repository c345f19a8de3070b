"""Opening the page on which pairs are classified, and waiting until answers are saved."""

from __future__ import annotations

from tests.browser.conftest import Page, Visit, until
from tests.browser.ledger import standing

SAVED = '#saved[data-state="saved"]'


def open_page(visit: Visit, name: str = "anna", batch: str = "first", **options: object) -> Page:
    page = visit(name, f"/classify/{batch}", **options)
    page.wait_for_selector("#work:not([hidden])")
    return page


def saved(page: Page, folder: object, count: int, name: str = "anna") -> None:
    until(lambda: len(standing(folder, name)) == count)  # type: ignore[arg-type]
    page.wait_for_selector(SAVED)
