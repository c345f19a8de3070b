"""The guide: it builds, every page and every link in it is found, and what it quotes is what the program says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from otherwords.measures import measure
from otherwords.project.recipe import find_recipe, read_recipe
from otherwords.project.work import WORKS
from tests.conftest import ROOT
from tests.tools import tool

DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "otherwords"
QUOTED = re.compile(r"^### `(.+)`$", re.MULTILINE)
NOT_OURS = {"otherwords: command not found"}  # what a shell says
guide = tool("docs/guide.py")


class Read(HTMLParser):
    """The links, the anchors and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := told.get(name))]
        self.anchors |= {anchor for anchor in (told.get("id"),) if anchor}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guide") / "docs"
    assert guide.build(folder) == []
    return folder


@pytest.fixture(scope="module")
def built(out: Path) -> dict[str, Read]:
    """Every file of the site; of the pages, what is in them."""
    return {path.name: Read(path.read_text(encoding="utf-8")) for path in out.glob("*.html")} | {
        path.relative_to(out).as_posix(): Read("") for path in out.rglob("*.*") if path.suffix != ".html"
    }


def pages(built: dict[str, Read]) -> dict[str, Read]:
    return {name: page for name, page in built.items() if name.endswith(".html")}


def test_every_page_of_the_docs_is_built(built: dict[str, Read]) -> None:
    assert {f"{path.stem}.html" for path in DOCS.glob("*.md")} <= built.keys()


def test_every_page_leads_to_every_other(built: dict[str, Read]) -> None:
    names = pages(built).keys() - {"index.html"}
    for page in pages(built).values():
        assert names <= set(page.links)


def test_every_link_of_the_site_leads_somewhere(built: dict[str, Read]) -> None:
    for name, page in pages(built).items():
        for link in (one for one in page.links if "://" not in one):
            target, _, anchor = link.partition("#")
            assert not target or target in built, f"{name}: {link}"
            assert not anchor or anchor in built[target or name].anchors, f"{name}: {link}"


def test_a_prompt_is_drawn_and_not_copied(built: dict[str, Read]) -> None:
    assert "otherwords examples\n" in built["tour.html"].text
    assert "$ otherwords" not in built["tour.html"].text


def test_the_search_knows_every_page(out: Path) -> None:
    words = (out / "words.js").read_text(encoding="utf-8")
    assert all(f'"{path.stem}.html#' in words for path in DOCS.glob("*.md") if path.stem != "index")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a](nowhere.md)", "page.md: nowhere.md leads nowhere"),
        ("[a](index.md#nothing)", "page.md: index.md#nothing leads nowhere"),
        ("[a](#nothing)", "page.md: #nothing leads nowhere"),
        ("![a](images/none.png)", "page.md: images/none.png leads nowhere"),
        ("[a](index.md)", None),
        ("[a](#the-page)", None),
        ("[a](https://example.org/x#y)", None),
    ],
)
def test_what_leads_nowhere_is_named_and_nothing_is_built(text: str, problem: str | None, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Home\n\n## Pages\n\n- [page](page.md)\n", encoding="utf-8")
    (docs / "page.md").write_text(f"# The page\n\n{text}\n", encoding="utf-8")
    assert guide.build(tmp_path / "out", docs) == ([problem] if problem else [])
    assert (tmp_path / "out").exists() == (problem is None)


def test_a_page_that_the_index_forgot_is_named(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Home\n", encoding="utf-8")
    (docs / "lost.md").write_text("# Lost\n", encoding="utf-8")
    assert guide.build(tmp_path / "out", docs) == ["index.md does not name lost.md"]


def test_html_in_a_page_is_text(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# A <b>\n\n<script>x</script>\n\n```\n<i>\n```\n", encoding="utf-8")
    assert guide.build(tmp_path / "out", docs) == []
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<script>x" not in html
    assert "&lt;i&gt;" in html


def messages() -> Iterator[str]:
    """Every text in the source, with a gap where something is filled in."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def is_said(quoted: str, said: list[str]) -> bool:
    """Whether one message has all pieces of what is quoted, in their order."""
    pieces = [re.escape(piece.strip()) for piece in quoted.split("…") if piece.strip()]
    wanted = re.compile(".*".join(pieces), re.DOTALL)
    return any(wanted.search(one) for one in said)


def test_every_message_in_troubleshooting_is_one_of_ours() -> None:
    said = list(messages())
    quoted = set(QUOTED.findall((DOCS / "troubleshooting.md").read_text(encoding="utf-8")))
    assert len(quoted) > 40
    assert not is_said("there is no such … as this message", said)
    assert [one for one in sorted(quoted - NOT_OURS) if not is_said(one, said)] == []


def table(page: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins with that cell, without the line under the head."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def test_the_table_of_measures_is_what_they_give() -> None:
    text = (DOCS / "which-measure.md").read_text(encoding="utf-8")
    pairs = dict(re.findall(r'^    "(\w+)": \((".+?", ".+?")\),$', text, re.MULTILINE))
    head, *rows = table("which-measure.md", "pair")
    assert [row[0] for row in rows] == list(pairs)
    for column, name in enumerate(head[1:], 1):
        for row in rows:
            one, two = ast.literal_eval(f"({pairs[row[0]]})")
            assert row[column] == f"{measure(name.strip('`')).scores([one], [two])[0]:.2f}", (name, row[0])


@pytest.mark.parametrize("recipe", ["turku", "vila"])
def test_every_step_of_a_recipe_is_on_the_page_of_its_paper(recipe: str) -> None:
    named = {name for row in table(f"paper-{recipe}.md", "the paper") for name in re.findall(r"`([a-z-]+)`", row[1])}
    steps = {step.name for step in read_recipe(find_recipe(recipe))}
    assert steps - named <= {"texts", "pairs"}  # what has to be there before it begins
    assert named - steps <= {"vila"}  # the scheme of that name


def test_every_kind_of_step_is_in_the_docs() -> None:
    told = {name for row in table("projects.md", "`do`") for name in re.findall(r"`([A-Za-z-]+)`", row[0])}
    assert {name for name in WORKS if not name.startswith("align-")} <= told
    assert "align-METHOD" in told
