"""RSS 2.0, RSS 1.0 and Atom files, read article by article.

An article is a row with the field names of news, as from a table, and its line. The title of the feed is the outlet.
The XML reader drops namespaces, so ``content:encoded`` is ``encoded`` and ``dc:date`` is ``date``.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from otherwords.sources.documents.news.html_bodies import heading_text
from otherwords.sources.documents.table_rows import Row
from otherwords.sources.io.xml_stream import elements_below
from otherwords.sources.source import Source

_ROOTS = ("rss", "RDF", "feed")
_ARTICLES = frozenset({"item", "entry"})
_NOT_THE_FEED = frozenset({"image", "textInput", "textinput", "author"})  # these have their own titles
_FIELDS = {
    "title": ("title",),
    "text": ("encoded", "content", "description", "summary"),
    "time": ("pubDate", "published", "issued", "date", "updated", "modified"),
}


def articles(source: Source) -> Iterator[tuple[int, Row]]:
    """The articles of a feed, with its title and language if these come before the articles."""
    outlet = None
    root, walk = elements_below(source, _ROOTS, _ARTICLES | _NOT_THE_FEED | {"title", "language"})
    lang = root.get("lang")
    for number, element in walk:
        if element.tag == "title":
            outlet = outlet or heading_text(_inner(element))
        elif element.tag == "language":
            lang = lang or element.text
        elif element.tag in _ARTICLES:
            article: Row = {field: _first(element, names) for field, names in _FIELDS.items()}
            article |= {"url": _address(element), "outlet": outlet, "lang": element.get("lang") or lang}
            yield number, article


def _first(element: Element, names: tuple[str, ...]) -> str | None:
    """The text of the first child that is not empty; ``media:content`` and similar have only attributes."""
    for name in names:
        for child in element.findall(name):
            if text := _inner(child).strip():
                return text
    return None


def _inner(element: Element) -> str:
    """The text of an element; elements inside it (the XHTML of Atom) stay as tags."""
    inside = "".join(tostring(child, encoding="unicode", method="html") for child in element)
    return (element.text or "") + inside


def _address(element: Element) -> str | None:
    links = element.findall("link")
    for link in links:
        if link.get("rel", "alternate") == "alternate" and (url := link.get("href") or (link.text or "").strip()):
            return url
    guid = element.find("guid")
    return guid.text if guid is not None and (guid.text or "").startswith("http") else None
