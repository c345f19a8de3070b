"""News articles from feeds (RSS, Atom) and tables (JSON Lines, JSON, CSV, TSV, Excel).

Each article is a document. Its text is the body without HTML; title, outlet and address go to ``meta``. K2 of the Turku
method pairs articles within a window of days, so an article without a date is kept and marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from otherwords.records import Document
from otherwords.sources.documents.file_walk import read_each_file
from otherwords.sources.documents.kind import FORMAT, Kind, KindOption, Options, document_id
from otherwords.sources.documents.news.feeds import articles
from otherwords.sources.documents.news.html_bodies import article_text, heading_text, is_html
from otherwords.sources.documents.table_rows import (
    COMMON_NAMES,
    TABLE_LOOKS,
    TABLE_NAMES,
    TABLES,
    Names,
    Row,
    cell_text,
    check_format,
    named_rows,
    row_language,
    row_time,
)
from otherwords.sources.format import Head
from otherwords.sources.io.json_stream import first_character
from otherwords.sources.source import Source
from otherwords.text.normalise import clean_text

NAMES: Names = {
    **COMMON_NAMES,
    "title": ("title", "headline", "heading"),
    "text": ("text", "body", "content", "article", "maintext", "description", "summary"),
    "outlet": ("outlet", "publication", "publisher", "newspaper", "site", "site_name", "domain"),
    "url": ("url", "link", "href"),
}
FORMATS = {"feed": "RSS or Atom, with the text of the articles in it", **TABLE_LOOKS}
_SUFFIXES = frozenset({".rss", ".atom", ".rdf", ".xml", *TABLES})
_NO_DATE = "no date: such articles are left out of time windows"
_NO_DATES = "no date in the whole file: none of its articles can be in a time window; name the column with --columns"
_TAGS = "HTML tags in the text: it speaks about HTML, or was escaped twice; look at it"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The articles of a file or folder."""
    check_format(options.get("format"), tuple(FORMATS))
    return read_each_file(source, _SUFFIXES, partial(_read_file, options=options))


def _read_file(source: Source, options: Options) -> Iterator[Document]:
    format = options.get("format")
    feed = format == "feed" or (format is None and first_character(Head("", source.head())) == "<")
    dated = undated = 0
    for number, row in articles(source) if feed else named_rows(source, NAMES, format):
        article = _article(source, options, number, row, "line" if feed else "row")
        if article is None:
            continue
        undated += article.time is None
        dated += article.time is not None
        yield article
    if undated and not dated:
        source.mark(_NO_DATES)
    elif undated:
        source.mark(_NO_DATE, undated)


def _article(source: Source, options: Options, number: int, row: Row, place: str) -> Document | None:
    body = row.get("text")
    text = (article_text(body) if options.get("html", True) else clean_text(body)) if isinstance(body, str) else ""
    if not text:
        source.reject(number, "the article has no text; if it is in another column, name it with --columns text=…", row)
        return None
    if options.get("html", True) and is_html(text):
        source.mark(_TAGS)
    title = heading_text(str(row["title"])) if cell_text(row, "title") else None
    outlet = options.get("outlet") or cell_text(row, "outlet")
    if not outlet:
        source.mark("no outlet: such articles cannot be paired across outlets; name it with --set outlet=NAME")
    time, url = row_time(source, row), cell_text(row, "url")
    meta = {"title": title, "outlet": outlet, "url": url, "file": source.name, place: number}
    return Document(
        id=document_id("news", outlet, url, title, time, text),
        text=text,
        lang=row_language(source, cell_text(row, "lang")),
        source=options.get("source") or "news",
        time=time,
        licence=cell_text(row, "licence"),
        consent=cell_text(row, "consent"),
        meta={name: value for name, value in meta.items() if value is not None},
    )


KIND = Kind(
    name="news",
    title="news articles: RSS and Atom feeds, JSON Lines, JSON, CSV, TSV and Excel",
    read=read,
    fields={
        "text": "the body without HTML, one paragraph per line",
        "time": "when it was published, ISO 8601, in UTC if the zone is known",
        "lang": "the language of the article or feed, else the one that the user named",
        "source": "news, or the option source",
        "licence": "the licence in the row",
        "consent": "the consent in the row",
        "meta.title": "the title, on one line",
        "meta.outlet": "the publisher: the option outlet, a column, or the title of the feed",
        "meta.url": "its address",
        "meta.file": "the file",
        "meta.line": "the line where the article starts in a feed",
        "meta.row": "the line where its row starts in a table",
    },
    options={
        "format": FORMAT,
        "source": KindOption(None, "a name", "the name of the source, instead of news"),
        "outlet": KindOption(None, "a name", "the publisher of all articles, whatever the files say"),
        "html": KindOption(True, "true or false", "remove HTML from the texts; false keeps them as they are"),
    },
    formats=FORMATS,
    columns=NAMES,
    names=TABLE_NAMES,
    needed=("text",),
    example="sources/news/courier.jsonl",
)
