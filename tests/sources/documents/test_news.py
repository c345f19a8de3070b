"""News from feeds and tables: what becomes of every article, good or bad."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path

import pytest

from otherwords.sources import source as source_module
from otherwords.sources.documents.news.html_bodies import body_text, heading_text
from tests.errors import raises
from tests.sources.documents.reading_documents import documents, read, rejected
from tests.sources.workbooks import workbook

NO_DATE = "no date: such articles are left out of time windows"
NO_DATES = "no date in the whole file: none of its articles can be in a time window; name the column with --columns"


@pytest.fixture
def news(fixtures: Path) -> Path:
    return fixtures / "documents" / "news"


def test_rss(news: Path) -> None:
    results, log = read("news", news / "harbour.rss")
    first, second, third = results
    assert first.text == "One ticket will do for the ferry and the tram.\nThe council agreed on it late on Sunday."
    assert first.time == "2024-05-06T05:30:00Z"
    assert (first.lang, first.source, first.group) == ("en", "news", None)
    assert first.meta == {
        "title": "Ferry & tram to share one ticket",
        "outlet": "The Harbour Gazette",
        "url": "https://harbour.example/a/1",
        "file": str(news / "harbour.rss"),
        "line": 8,
    }
    assert (second.time, second.meta["url"]) == ("2024-05-07", "https://harbour.example/a/2")
    assert third.time is None
    assert log.marked == {NO_DATE: 1}


def test_atom(news: Path) -> None:
    first, second = documents("news", news / "satama.atom")
    assert first.text == "Sama lippu kelpaa nyt lautalla ja raitiovaunussa.\nPäätös syntyi myöhään sunnuntaina."
    assert first.meta["title"] == "Lautta ja raitiovaunu samalla lipulla"
    assert first.meta["url"] == "https://satama.example/1"
    assert (first.time, first.lang, first.meta["outlet"]) == ("2024-05-06T06:15:00Z", "fi", "Sataman Sanomat")
    assert (second.time, second.meta["url"]) == ("2024-05-07T07:00:00Z", "https://satama.example/2")


def test_a_feed_with_no_dates_gives_one_mark(news: Path) -> None:
    results, log = read("news", news / "hamn.rdf", lang="sv")
    assert [(document.text, document.lang, document.time) for document in results] == [
        ("Hundratals måsar räknades på den gamla bryggan.", "sv", None)
    ]
    assert log.marked == {NO_DATES: 1}


def test_json_lines(news: Path, tmp_path: Path) -> None:
    results, log = read("news", news / "articles.jsonl")
    assert [(document.time, document.lang, document.meta["outlet"], document.meta["row"]) for document in results] == [
        ("2024-05-06T08:00:00Z", None, "Morning Post", 1),
        ("2024-05-06T12:00:00", "fi", "Aamuposti", 2),
        ("2024-04-03", None, "Morning Post", 5),
        (None, None, "Morning Post", 6),
    ]
    assert results[0].text == "The bridge will be closed for a week from Monday.\n\nBuses take another way."
    assert results[0].licence == "CC BY 4.0"
    assert "author" not in results[0].meta
    assert log.marked == {
        "a date whose day and month could change places, read day first": 1,
        "a date that cannot be read, left out": 1,
        NO_DATE: 1,
    }
    assert [
        (line, reason.split(";")[0]) for _, line, reason in rejected("news", news / "articles.jsonl", tmp_path)
    ] == [
        (4, "the article has no text"),
        (7, "a JSON object is expected, found a list"),
    ]


def test_columns_and_the_delimiter_of_other_countries(news: Path) -> None:
    columns = {"title": "Otsikko", "text": "Teksti", "time": "Pvm"}
    results, log = read("news", news / "tori.csv", columns=columns, outlet="Torilehti", source="uutiset")
    assert [
        (document.text, document.meta["title"], document.meta["outlet"], document.source) for document in results
    ] == [("Tori avataan lauantaina.\nAluksi myydään vain kukkia.", "Tori avataan; viimein", "Torilehti", "uutiset")]
    assert sum(log.skipped.values()) == 1


def test_an_unknown_column_is_named(news: Path) -> None:
    with raises("missing-column", match="no column 'Tekst', named for text; did you mean Teksti"):
        documents("news", news / "tori.csv", columns={"text": "Tekst"})


def test_whole_pages_and_plain_text(news: Path) -> None:
    page, plain = documents("news", news / "page.json")
    assert "The village has dug a new well behind the school" in page.text
    assert "eleven people" in page.text
    for other in ("All stories", "rights reserved", "color"):
        assert other not in page.text
    assert page.time == "2024-05-04T17:07:00"
    assert plain.text == "3 < 4 and R&D are plain text."


def test_a_folder_is_read_in_order_and_one_bad_file_does_not_end_it(news: Path, tmp_path: Path) -> None:
    for name in ("satama.atom", "hamn.rdf"):
        (tmp_path / name).write_bytes((news / name).read_bytes())
    (tmp_path / "broken.rss").write_text("<rss><channel><item>", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not news", encoding="utf-8")
    results, log = read("news", tmp_path)
    assert [Path(document.meta["file"]).name for document in results] == ["hamn.rdf", "satama.atom", "satama.atom"]
    assert log.skipped == {"the XML is cut short: an element is not closed": 1}
    assert log.marked["a file of another kind in the folder, not read (.txt)"] == 1


def test_a_folder_without_news(tmp_path: Path) -> None:
    with raises("missing-file", match=r"files ending in \.atom, \.csv"):
        documents("news", tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "title,text\n"),
        ("x.jsonl", "\n\n"),
        ("x.json", "[]"),
        ("x.rss", "<rss><channel/></rss>"),
        ("x.tsv", ""),
    ],
)
def test_a_file_with_nothing_in_it_is_not_passed_over(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    reason = "the file has no documents: it is empty, or has only a header"
    assert rejected("news", tmp_path / name, tmp_path) == [(name, None, reason)]


def test_other_xml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text("<html><item/></html>", encoding="utf-8")
    with raises("wrong-root"):
        documents("news", tmp_path / "x.xml")


def test_the_same_article_has_the_same_id_wherever_it_lies(news: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.rss"
    copy.write_bytes((news / "harbour.rss").read_bytes())
    ids = [document.id for document in documents("news", copy)]
    assert ids == [document.id for document in documents("news", news / "harbour.rss")]
    assert len(set(ids)) == 3


def test_an_unknown_format(news: Path) -> None:
    with raises("unknown-format", match="unknown format 'jsnol'; did you mean jsonl"):
        documents("news", news / "articles.jsonl", format="jsnol")


def test_a_huge_line_of_json_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_LINE", 2**20)
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as stream:
        stream.write(b'{"title": "')
        stream.truncate(2 * 2**30)  # sparse: it takes no room on disk
    with raises("line-too-long", match="line 1: the line is longer than 1 MB"):
        documents("news", huge)


def test_plain_text_does_not_need_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    file = tmp_path / "x.jsonl"
    row = {"title": "A", "text": "Plain & simple.", "date": "2024-05-06", "outlet": "B"}
    file.write_text(json.dumps(row), encoding="utf-8")
    assert documents("news", file)[0].text == "Plain & simple."
    file.write_text(json.dumps(row | {"text": "<p>Not plain</p>"}), encoding="utf-8")
    with raises("missing-extra", match=r"pip install 'otherwords\[news\]'"):
        documents("news", file)
    assert documents("news", file, html=False)[0].text == "<p>Not plain</p>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One.</p><p>Two.</p>", "One.\nTwo."),
        ("first line<br/>second&nbsp;line", "first line\nsecond line"),
        ("A <a href='x'>link</a>, then <em>more</em>.", "A link, then more."),
        ("<ul><li>bread</li><li>milk</li></ul>", "bread\nmilk"),
        ("<p>un<b>believ</b>able</p>", "unbelievable"),
        ("5 &lt; 6 &amp; AT&T", "5 < 6 & AT&T"),
        ("a < b and c > d", "a < b and c > d"),
        ("<p>cafe\u0301\x00</p>", "café"),
    ],
)
def test_fragments(html: str, text: str) -> None:
    assert body_text(html) == text


def test_headings() -> None:
    assert heading_text("A <b>bold</b>\n claim &quot;made&quot;") == 'A bold claim "made"'
    assert heading_text("if a<b then") == "if a<b then"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("&lt;p&gt;Ma&amp;ntilde;ana.&lt;/p&gt;&lt;p&gt;Tarde.&lt;/p&gt;", "Mañana.\nTarde."),
        ("&amp;lt;p&amp;gt;Hola, &amp;amp;aacute;rbol.&amp;lt;/p&amp;gt;", "Hola, árbol."),
        ("<div>&lt;p&gt;Hola.&lt;/p&gt;</div>", "Hola."),
        ("<pre><code>&lt;p&gt;Hola.&lt;/p&gt;</code></pre>", "<p>Hola.</p>"),
        ("The tag &lt;p&gt; opens a paragraph.", "The tag <p> opens a paragraph."),
        ("<p>&lt;b&gt; is bold, &lt;i&gt; is not.</p>", "<b> is bold, <i> is not."),
    ],
)
def test_html_that_was_escaped_twice(body: str, text: str, tmp_path: Path) -> None:
    row = {"title": "A", "text": body, "date": "2024-05-06", "outlet": "B"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (result,), log = read("news", tmp_path / "a.jsonl")
    assert result.text == text
    assert any(reason.startswith("HTML tags in the text") for reason in log.marked) == ("<" in text)


def test_a_missing_outlet_is_named_as_it_is_typed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "A.", "date": "2024-05-06"}', encoding="utf-8")
    (reason,) = read("news", tmp_path / "a.jsonl")[1].marked
    assert reason.endswith("name it with --set outlet=NAME")


def test_a_table_that_names_its_delimiter_or_has_no_header(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("sep=;\ntitle;text\nRain, again;It rained, and rained.\n", encoding="utf-8")
    [named] = documents("news", file)
    file.write_text("Rain again;It rained, and rained.;5\n", encoding="utf-8")
    [numbered] = documents("news", file, columns={"title": "1", "text": "2"})
    assert named.text == numbered.text


def test_a_workbook(tmp_path: Path) -> None:
    rows = [["Headline", "Body", "Published", "Outlet"], ["Rain", "It rained.", datetime(2024, 5, 1), "Courier"]]
    results, log = read("news", workbook(tmp_path / "news.xlsx", {"Tabelle1": rows}))
    assert [(document.text, document.time, document.meta["title"]) for document in results] == [
        ("It rained.", "2024-05-01", "Rain")
    ]
    assert not log.marked
