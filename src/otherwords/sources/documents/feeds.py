"""RSS 2.0, RSS 1.0 and Atom files, an article at a time.

In goes a source, out come rows under the field names of news, as a table would give them, with the
line of each article. The title of the feed is its outlet. Namespaces are dropped by the XML reader,
so ``content:encoded`` is ``encoded`` and ``dc:date`` is ``date``.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from otherwords.sources.documents.html_bodies import heading_text
from otherwords.sources.documents.table_rows import Row
from otherwords.sources.format import Head
from otherwords.sources.source import Source
from otherwords.sources.xml_stream import elements

_ROOTS = frozenset({"rss", "RDF", "feed"})
_ARTICLES = frozenset({"item", "entry"})
_NOT_THE_FEED = frozenset({"image", "textInput", "textinput", "author"})  # they have titles of their own
_BODY = ("encoded", "content", "description", "summary")
_TIME = ("pubDate", "published", "issued", "date", "updated", "modified")


def articles(source: Source) -> Iterator[tuple[int, Row]]:
    """The articles of a feed; the feed's own title and language are in the rows where they come before them."""
    outlet = lang = None
    walk = elements(source, _ARTICLES | _NOT_THE_FEED | {"title", "language"})
    _, root = next(walk)
    if root.tag not in _ROOTS:
        raise source.error(f"an RSS or Atom feed is expected, found <{root.tag}>")
    lang = root.get("lang")
    for number, element in walk:
        if element.tag == "title":
            outlet = outlet or heading_text(_inner(element))
        elif element.tag == "language":
            lang = lang or element.text
        elif element.tag in _ARTICLES:
            yield number, {**_article(element), "outlet": outlet, "lang": element.get("lang") or lang}


def looks_like_a_feed(head: Head) -> bool:
    """Whether a file starts as XML does."""
    return head.text.lstrip().startswith("<")


def _article(element: Element) -> Row:
    return {
        "title": _first(element, ("title",)),
        "text": _first(element, _BODY),
        "time": _first(element, _TIME),
        "url": _address(element),
    }


def _first(element: Element, names: tuple[str, ...]) -> str | None:
    """What the first child that has something says; ``media:content`` and its like have attributes only."""
    for name in names:
        for child in element.findall(name):
            if text := _inner(child).strip():
                return text
    return None


def _inner(element: Element) -> str:
    """The text of an element; where it holds elements (Atom's xhtml), they stay as tags."""
    inside = "".join(tostring(child, encoding="unicode", method="html") for child in element)
    return (element.text or "") + inside


def _address(element: Element) -> str | None:
    links = element.findall("link")
    for link in links:
        if link.get("rel", "alternate") == "alternate" and (found := link.get("href") or (link.text or "").strip()):
            return found
    guid = element.find("guid")
    return guid.text if guid is not None and (guid.text or "").startswith("http") else None
