"""Guidelines keep every version, and their HTML holds nothing but what Markdown can express."""

from __future__ import annotations

import re
import threading
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text as sql

from otherwords.annotate import schemes
from otherwords.annotate.schemes import guidelines
from otherwords.annotate.schemes.guidelines import (
    Guideline,
    GuidelineEdition,
    as_html,
    current_guideline,
    publish_guideline,
    reference,
    versions,
)
from otherwords.errors import Conflict
from otherwords.project import Project
from tests.errors import raises
from tests.processes import join_all

TEXT = "# Our rules\n\nHerring is a fish.  \nSo is eel."


def test_the_shipped_text_is_version_0(project: Project) -> None:
    with project.ledger.reading() as connection:
        guideline = current_guideline(connection, "turku")
        assert (guideline.scheme, guideline.version, guideline.author, guideline.time) == ("turku", 0, None, None)
        assert guideline.text == (schemes.SHIPPED / "turku.md").read_text(encoding="utf-8").strip("\n")
        assert reference(guideline) == "turku@0"
        assert versions(connection, "turku") == [GuidelineEdition(0, len(guideline.text), None, None)]
        assert guidelines.version(connection, "turku", 0) == guideline


def test_a_text_that_is_published_is_the_next_version(project: Project) -> None:
    with project.ledger.writing() as connection:
        first = publish_guideline(connection, "turku", TEXT, "cleo")
        second = publish_guideline(connection, "turku", TEXT + "\n\nAnd so is plaice.\n", None)
        other = publish_guideline(connection, "extract", TEXT, "cleo")
    assert [reference(guideline) for guideline in (first, second, other)] == ["turku@1", "turku@2", "extract@1"]
    with project.ledger.reading() as connection:
        assert current_guideline(connection, "turku") == second
        assert guidelines.version(connection, "turku", 1) == first == Guideline("turku", 1, TEXT, "cleo", first.time)
        editions = versions(connection, "turku")
        assert [(edition.version, edition.characters, edition.author) for edition in editions[:2]] == [
            (2, len(second.text), None),
            (1, len(TEXT), "cleo"),
        ]
        assert editions[2].version == 0


def test_the_same_text_is_no_new_version(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert publish_guideline(connection, "turku", guidelines.shipped("turku").text + "\n", "cleo").version == 0
        first = publish_guideline(connection, "turku", TEXT, "cleo")
        assert publish_guideline(connection, "turku", "\n" + TEXT.replace("\n", "\r\n") + "\r\n", "dora") == first
        assert publish_guideline(connection, "turku", "Other words.", "dora").version == 2
        assert publish_guideline(connection, "turku", TEXT, "dora").version == 3, "only the current one counts"


def test_a_scheme_without_a_text_has_an_empty_one(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert current_guideline(connection, "our-own") == Guideline("our-own", 0, "")
        assert publish_guideline(connection, "our-own", "Be kind.", None).version == 1


UNFIT = [
    ("turku", "", "empty-text", ""),
    ("turku", " \n\t\n ", "empty-text", ""),
    ("turku", "x" * 200_001, "text-too-long", "200,001.*200,000"),
    ("turku", "a\0b", "control-character", r"U\+0000"),
    ("turku", "a\x1bb", "control-character", r"U\+001B"),
    ("turku", "a\rb", "control-character", r"U\+000D"),
    ("turku", "a\x85b", "control-character", r"U\+0085"),
    ("turku", "a\ud800b", "control-character", r"U\+D800"),
    ("../turku", "x", "bad-scheme-name", "'../turku'"),
    ("", "x", "bad-scheme-name", "''"),
]


def test_unfit_guidelines_are_refused(project: Project) -> None:
    with project.ledger.writing() as connection:
        for scheme, text, code, fact in UNFIT:
            with raises(code, match=fact):
                publish_guideline(connection, scheme, text, "cleo")
        assert current_guideline(connection, "turku").version == 0


def test_a_guideline_of_maximal_length_is_accepted(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert publish_guideline(connection, "turku", "ä" * guidelines.MAX_CHARACTERS, "cleo").version == 1


def test_an_unknown_version_is_not_found(project: Project) -> None:
    with project.ledger.reading() as connection, raises("no-such-version", match="'turku'.*7"):
        guidelines.version(connection, "turku", 7)


@pytest.mark.parametrize("name", ["../guidelines", "/etc/passwd", "..", "", "Turku", "turku.md", "a\0b"])
def test_only_names_of_schemes_lead_to_files(name: str) -> None:
    assert guidelines.shipped(name).text == ""


@pytest.mark.parametrize("kind", ["postgresql"])
def test_of_two_concurrent_publications_one_is_refused(project: Project) -> None:
    results: list[Guideline | Conflict] = []

    def dora() -> None:
        try:
            with project.ledger.engine.begin() as connection:
                results.append(publish_guideline(connection, "turku", "Dora's words.", "dora"))
        except Conflict as problem:
            results.append(problem)

    other = threading.Thread(target=dora)
    with project.ledger.engine.begin() as connection:
        published = publish_guideline(connection, "turku", "Cleo's words.", "cleo")
        other.start()
        while not connection.execute(sql("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar():
            assert other.is_alive()
    join_all([other])
    assert published.version == 1
    assert isinstance(results[0], Conflict)
    assert "version 1 just now" in str(results[0])


def test_every_shipped_text_can_be_read(project: Project) -> None:
    known = guidelines.guideline_subjects(project.folder)
    assert {"turku", "binary-loose", "extract", "triage", "seed"} <= set(known)
    for path in schemes.SHIPPED.glob("*.md"):
        assert as_html(path.read_text(encoding="utf-8")).startswith("<h2>")


def test_a_project_has_schemes_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "schemes").mkdir()
    (tmp_path / "schemes" / "humour.toml").touch()
    assert "humour" in guidelines.guideline_subjects(tmp_path)
    assert "humour" not in guidelines.guideline_subjects()
    (tmp_path / "schemes" / "humour.md").write_text("# Witze", encoding="utf-8")
    assert guidelines.shipped("humour", tmp_path) == Guideline("humour", 0, "# Witze"), "nobody knows its language"
    assert guidelines.shipped("turku", tmp_path).lang == "en"


def test_the_turku_guideline_is_of_a_readable_length() -> None:
    words = re.findall(r"[^\W_]+", guidelines.shipped("turku").text)
    assert 600 <= len(words) <= 950


RENDERED = {
    "# One\n\n## Two\n\n###### Six": "<h2>One</h2>\n<h3>Two</h3>\n<h6>Six</h6>\n",
    "One\n===": "<h2>One</h2>\n",
    "*a* **b** `c`": "<p><em>a</em> <strong>b</strong> <code>c</code></p>\n",
    "a  \nb": "<p>a<br />\nb</p>\n",
    "|a|\n|-:|": '<table>\n<thead>\n<tr>\n<th class="align-right">a</th>\n</tr>\n</thead>\n</table>\n',
    "|a|\n|-|\n|`4>`|": (
        "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n"
        "<tbody>\n<tr>\n<td><code>4&gt;</code></td>\n</tr>\n</tbody>\n</table>\n"
    ),
    "[a](/guidelines/turku?v=1#x)": '<p><a href="/guidelines/turku?v=1#x" rel="noopener noreferrer">a</a></p>\n',
    "[a](#below)": '<p><a href="#below" rel="noopener noreferrer">a</a></p>\n',
    '[a](HTTPS://x.example "b")': (
        '<p><a href="HTTPS://x.example" rel="noopener noreferrer" target="_blank">a</a></p>\n'
    ),
    "<mailto:a@x.example>": (
        '<p><a href="mailto:a@x.example" rel="noopener noreferrer" target="_blank">mailto:a@x.example</a></p>\n'
    ),
    "![a](//x.example/i.png)": ('<p><a href="//x.example/i.png" rel="noopener noreferrer" target="_blank">a</a></p>\n'),
    "![](i.png)": '<p><a href="i.png" rel="noopener noreferrer">i.png</a></p>\n',
    "[![a](i.png)](b.html)": '<p><a href="b.html" rel="noopener noreferrer">a</a></p>\n',
}


@pytest.mark.parametrize("text", RENDERED)
def test_rendered_markdown(text: str) -> None:
    assert as_html(text) == RENDERED[text]


class Seen(HTMLParser):
    """What a browser would make of it: tags, and the attributes that lead or do something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


HARMLESS = {
    *(
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "a",
        "em",
        "strong",
        "code",
        "pre",
        "br",
        "hr",
        "ul",
        "ol",
        "li",
        "blockquote",
    ),
    *("blockquote", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"href", "rel", "target", "class", "start"}
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<style>*{background:url(//x.example)}</style>",
    "<a href='javascript:alert(1)'>a</a>",
    "<!--><img src=x onerror=alert(1)>-->",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](<  javascript:alert(1)>)",
    "[a](java&#x0A;script:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](javascript&colon;alert(1))",
    "[a](&#1;javascript:alert(1))",
    "[a](\x01javascript:alert(1))",
    "[a](\u2028javascript:alert(1))",
    "[a](vbscript:msgbox(1))",
    "[a](file:///etc/passwd)",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](blob:https://x.example/1)",
    '[a](http://x.example "\\" onmouseover=alert(1) b=\\"")',
    '[a](http://x.example/"onmouseover=alert(1))',
    "[a]\n\n[a]: javascript:alert(1)",
    "[a]\n\n[a]: <data:text/html,x>",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![a](javascript:alert(1))",
    "![a](data:image/svg+xml;base64,PHN2Zz4=)",
    '![a" onerror="alert(1)](http://x.example)',
    "![<script>alert(1)</script>](http://x.example)",
    '```"><script>alert(1)</script>\nx\n```',
    "`<script>alert(1)</script>`",
    "# <img src=x onerror=alert(1)>",
    "|<b onclick=alert(1)>|\n|:-|\n|<script>|",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "[![a](javascript:alert(1))](javascript:alert(1))",
]


def check(text: str) -> None:
    seen = Seen()
    seen.feed(as_html(text))
    seen.close()
    assert seen.tags <= HARMLESS
    for name, value in seen.attributes:
        assert name in ATTRIBUTES
        if name == "href":
            assert re.fullmatch(r"(?i)(https?:|mailto:|[^:]*([/?#].*)?$).*", value or "", re.DOTALL), value


@pytest.mark.parametrize("text", PAYLOADS)
def test_active_content_is_removed(text: str) -> None:
    check(text)
    check(f"- > {text}")
    check(f"[a]: http://x.example\n\n*{text}* [{text}][a]")


@given(st.text(st.sampled_from("<>[]()!\"'`*_#&;:/\\ \n|-ajdpt:"), max_size=60))
def test_active_content_is_removed_from_any_text(text: str) -> None:
    check(text)


def test_harmless_links_stay() -> None:
    for address in ("http://x.example", "https://x.example", "mailto:a@x.example", "/a", "a/b:c", "?a=b:c", "#a:b"):
        assert f'href="{address}"' in as_html(f"[a]({address})")
