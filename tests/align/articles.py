"""News articles and forum messages for the tests."""

from __future__ import annotations

from typing import Any

from otherwords.records import Document

FERRY = "The night ferry to the outer islands was cancelled on Monday because of a storm, the harbour office said."
FERRY_TOO = "Because of a storm the night ferry to the outer islands did not sail on Monday, says the harbour office."
BAKER = "A baker in the old town has won the county prize for rye bread with a recipe of her grandmother."
MARKET = "Prices of potatoes fell at the market for the third week, and farmers blame a mild spring."


def article(
    name: str, text: str = FERRY, outlet: str | None = "Gazette", time: str | None = "2021-03-01", **meta: Any
) -> Document:
    """One article; an outlet of None is left out."""
    stated = {} if outlet is None else {"outlet": outlet}
    return Document(id=name, text=text, source="news", time=time, meta={**stated, **meta})
