"""What a split keeps together: pairs that share a group, a document, a text, or an original and its rewrite."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence

from tests.oracle.exported import Row

Links = Callable[[Row], Iterable[Hashable]]
APOSTROPHES = "'’ʼ＇`´"


def components(pairs: Sequence[Row], links: Links) -> list[set[str]]:
    """Sets of pairs that are connected by what they share, directly or through others."""
    holders: dict[Hashable, set[str]] = {}
    links_of: dict[str, list[Hashable]] = {}
    for pair in pairs:
        originals = [("pair", name) for name in (pair["id"], pair.get("rewrite_of")) if name]
        links_of[pair["id"]] = [*originals, *links(pair)]
        for link in links_of[pair["id"]]:
            holders.setdefault(link, set()).add(pair["id"])
    found, seen = [], set[str]()
    for start in links_of:
        if start in seen:
            continue
        unit, waiting = {start}, [start]
        while waiting:
            linked = {pair for link in links_of[waiting.pop()] for pair in holders[link]} - unit
            unit |= linked
            waiting += linked
        seen |= unit
        found.append(unit)
    return found


def by_group(pair: Row) -> list[Hashable]:
    """The group of a pair, if it has one."""
    return [("group", pair["group"])] if pair.get("group") else []


def by_document(pair: Row) -> list[Hashable]:
    """The documents of both texts, if they have any."""
    return [("document", pair[side]["id"]) for side in ("doc1", "doc2") if pair.get(side)]


def by_text(pair: Row) -> list[Hashable]:
    """Both texts, without case, punctuation and white space at the ends or twice."""
    return [("text", _plain(pair[side])) for side in ("text1", "text2")]


def _plain(text: str) -> str:
    kept = (
        "" if character in APOSTROPHES else " " if unicodedata.category(character)[0] == "P" else character
        for character in unicodedata.normalize("NFKC", text).casefold()
    )
    return " ".join("".join(kept).split()) or text
