"""News articles from feeds (RSS, Atom) and tables (JSON Lines, JSON, CSV, TSV).

In goes a file or a folder of them, out comes a document an article: its text is the body, cleaned of
HTML; title, outlet and address are kept beside it. K2 of the Turku method pairs articles within a
window of days, so an article without a date is kept and marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from otherwords.records import Document
from otherwords.sources.documents.dates import is_ambiguous, iso_time
from otherwords.sources.documents.feeds import articles, looks_like_a_feed
from otherwords.sources.documents.html_bodies import article_text, heading_text, is_html
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.table_rows import (
    COMMON_NAMES,
    TABLES,
    Names,
    Row,
    chosen_format,
    clean,
    language_of,
    rows,
    word,
)
from otherwords.sources.documents.walking import documents_of
from otherwords.sources.format import Head
from otherwords.sources.source import Source

NAMES: Names = {
    **COMMON_NAMES,
    "title": ("title", "headline", "heading"),
    "text": ("text", "body", "content", "article", "maintext", "description", "summary"),
    "outlet": ("outlet", "publication", "publisher", "newspaper", "site", "site_name", "domain"),
    "url": ("url", "link", "href"),
}
FORMATS = ("feed", "jsonl", "json", "csv", "tsv")
_SUFFIXES = frozenset({".rss", ".atom", ".rdf", ".xml", *TABLES})
_NO_DATE = "no date: such articles are left out of time windows"
_NO_DATES = "no date in the whole file: none of its articles can be in a time window; name the column with --columns"

_TAGS = "HTML tags in the text: it speaks about HTML, or was escaped twice; look at it"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The articles of a file or folder."""
    chosen_format(options.get("format"), FORMATS)
    return documents_of(source, _SUFFIXES, partial(_read_file, options=options))


def _read_file(source: Source, options: Options) -> Iterator[Document]:
    wanted = options.get("format")
    feed = wanted == "feed" or (wanted is None and looks_like_a_feed(Head("", source.head())))
    dated = undated = 0
    for number, row in articles(source) if feed else rows(source, NAMES, wanted):
        article = _article(source, options, number, row, "line" if feed else "row")
        if article is None:
            continue
        undated += article.time is None
        dated += article.time is not None
        yield article
    if undated and not dated:
        source.mark(_NO_DATES)
    elif undated:
        source.account.marked[_NO_DATE] += undated


def _article(source: Source, options: Options, number: int, row: Row, place: str) -> Document | None:
    body = row.get("text")
    text = (article_text(body) if options.get("html", True) else clean(body)) if isinstance(body, str) else ""
    if not text:
        source.reject(number, "no body text; if another column has it, name it with --columns text=…", row)
        return None
    if options.get("html", True) and is_html(text):
        source.mark(_TAGS)
    title = heading_text(str(row["title"])) if word(row, "title") else None
    outlet = options.get("outlet") or word(row, "outlet")
    if not outlet:
        source.mark("no outlet: such articles cannot be paired across outlets; name it with --set outlet=NAME")
    time, url = _time(source, row), word(row, "url")
    meta = {"title": title, "outlet": outlet, "url": url, "file": source.name, place: number}
    return Document(
        id=document_id("news", outlet, url, title, time, text),
        text=text,
        lang=language_of(source, word(row, "lang")),
        source=options.get("source") or "news",
        time=time,
        licence=word(row, "licence"),
        consent=word(row, "consent"),
        meta={name: value for name, value in meta.items() if value is not None},
    )


def _time(source: Source, row: Row) -> str | None:
    said = row.get("time")
    time = iso_time(said)
    if said is not None and time is None:
        source.mark("a date that cannot be read, left out")
    elif is_ambiguous(said):
        source.mark("a date whose day and month could change places, read day first")
    return time


KIND = Kind(
    name="news",
    title="news articles: RSS and Atom feeds, JSON Lines, JSON, CSV and TSV",
    read=read,
    fields={
        "text": "the body, without HTML, a paragraph a line",
        "time": "when it was published, ISO 8601, in UTC where the zone is known",
        "lang": "as the article or feed says, else as given",
        "source": "news",
        "licence": "as the row says",
        "consent": "as the row says",
        "meta.title": "the heading, on one line",
        "meta.outlet": "who published it: option, column, or title of the feed",
        "meta.url": "its address",
        "meta.file": "the file as named",
        "meta.line": "the line where the article starts in a feed",
        "meta.row": "the line where its row starts in a table",
    },
    options={"format": None, "source": None, "outlet": None, "html": True},
    formats=FORMATS,
    columns=NAMES,
)
