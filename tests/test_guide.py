"""The guide: it builds, every page and every link in it is found, and what it quotes is what the program says."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from otherwords.measures import measure
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.recipe import find_recipe, read_recipe
from tests.conftest import ROOT
from tests.guide import build_guide, built_guide
from tests.messages import QUOTED, is_quoted
from tests.tools import tool

DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "otherwords"
NOT_OURS = {"otherwords: command not found"}  # what a shell says
CSS_LINK = re.compile(r"url\(([^)]+)\)|@import\s+([^;]+)")
hooks = tool("docs/hooks.py")


class PageParser(HTMLParser):
    """The links and anchors of a page, and the addresses from which it loads something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a":
            self.links += [values["href"]] if "href" in values else []
        else:
            self.loaded += [values[name] for name in ("href", "src", "srcset", "data", "action") if name in values]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_guide(tmp_path_factory)


@pytest.fixture(scope="module")
def pages(out: Path) -> dict[str, PageParser]:
    """Every page of the site, by file name."""
    return {path.name: PageParser(path.read_text(encoding="utf-8")) for path in out.glob("*.html")}


def test_every_page_of_the_docs_is_built(pages: dict[str, PageParser]) -> None:
    outside = {Path(name).stem for name in hooks.OUTSIDE if name.endswith(".md")}
    assert outside == {"changelog", "contributing", "security"}
    assert {f"{name}.html" for name in outside | {path.stem for path in DOCS.glob("*.md")}} == pages.keys()


def test_every_page_leads_to_every_other(pages: dict[str, PageParser]) -> None:
    for page in pages.values():
        assert pages.keys() <= {*page.links, "index.html"}


def test_every_link_of_the_site_leads_somewhere(out: Path, pages: dict[str, PageParser]) -> None:
    for name, page in pages.items():
        for link in (link for link in page.links + page.loaded if "://" not in link):
            target, _, anchor = unquote(link).partition("#")
            assert (out / (target or name)).is_file(), f"{name}: {link}"
            if anchor and not anchor.startswith("__"):  # where the theme keeps its state
                assert anchor in pages[target or name].anchors, f"{name}: {link}"


def test_nothing_is_loaded_from_elsewhere(out: Path, pages: dict[str, PageParser]) -> None:
    assert [address for page in pages.values() for address in page.loaded if "//" in address] == []
    for sheet in out.rglob("*.css"):
        for found in CSS_LINK.finditer(sheet.read_text(encoding="utf-8")):
            assert found[0].startswith(("url(data:", 'url("data:', "url('data:")) or "//" not in found[0], sheet.name


def test_the_search_knows_every_page(out: Path, pages: dict[str, PageParser]) -> None:
    index = json.loads((out / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert pages.keys() == {entry["location"].partition("#")[0] for entry in index["docs"]}


def small_guide(root: Path, page: str, index: str = "# Home\n\n## Pages\n\n- [page](page.md)\n") -> Path:
    """Our configuration and hooks with two pages of their own."""
    for name in ("mkdocs.yml", "tools/docs/hooks.py", *hooks.OUTSIDE.values()):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, root / name)
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        (root / name).write_text(f"# {name}\n", encoding="utf-8")
        index += f"- [{name}](../{name})\n"
    (root / "docs").mkdir()
    (root / "docs" / "index.md").write_text(index, encoding="utf-8")
    (root / "docs" / "page.md").write_text(f"# The page\n\n{page}\n", encoding="utf-8")
    return root


def test_what_leads_nowhere_is_named(tmp_path: Path) -> None:
    links = ("nowhere.md", "index.md#nothing", "#absent", "images/none.png", "/page.md")
    text = "\n\n".join(f"[a]({link})" for link in links) + "\n\n![a](images/lost.png)"
    done = build_guide(tmp_path / "out", small_guide(tmp_path, text))
    assert done.returncode != 0
    for link in (*links, "images/lost.png"):
        assert f"'{link}'" in done.stderr, link
    assert done.stderr.count("WARNING -") == len(links) + 1


def test_a_page_that_the_index_forgot_is_named(tmp_path: Path) -> None:
    done = build_guide(tmp_path / "out", small_guide(tmp_path, "Forgotten.", "# Home\n\n## Pages\n\n"))
    assert done.returncode != 0
    assert "page.md" in done.stderr


def test_good_links_are_no_problem(tmp_path: Path) -> None:
    text = "[a](index.md) [b](#the-page) [c](index.md#pages) [d](../SECURITY.md) [e](https://example.org/x#y)"
    done = build_guide(tmp_path / "out", small_guide(tmp_path, text))
    assert done.returncode == 0, done.stderr


def test_the_navigation_follows_the_index(out: Path) -> None:
    html = (out / "index.html").read_text(encoding="utf-8")
    navigation = html[html.index("md-sidebar--primary") : html.index("md-sidebar--secondary")]
    shown = [link for link in PageParser(navigation).links if link.endswith(".html")]
    named = re.findall(
        r"\]\((?:\.\./)?([\w-]+)\.md\)", (DOCS / "index.md").read_text(encoding="utf-8").partition("\n## ")[2]
    )
    assert list(dict.fromkeys(shown))[-len(named) :] == [f"{name.lower()}.html" for name in named]


def messages() -> Iterator[str]:
    """Every text in the source, with a gap where something is filled in."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_message_in_troubleshooting_is_one_of_ours() -> None:
    texts = list(messages())
    quoted = set(QUOTED.findall((DOCS / "troubleshooting.md").read_text(encoding="utf-8")))
    assert len(quoted) > 40
    assert not any(is_quoted("there is no such … as this message", text) for text in texts)
    assert [each for each in sorted(quoted - NOT_OURS) if not any(is_quoted(each, text) for text in texts)] == []


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
            text1, text2 = ast.literal_eval(f"({pairs[row[0]]})")
            assert row[column] == f"{measure(name.strip('`')).scores([text1], [text2])[0]:.2f}", (name, row[0])


@pytest.mark.parametrize("recipe", ["multipit", "rupaws", "suzuki", "turku", "vila"])
def test_every_step_of_a_recipe_is_on_the_page_of_its_paper(recipe: str) -> None:
    named = {name for row in table(f"paper-{recipe}.md", "the paper") for name in re.findall(r"`([a-z-]+)`", row[1])}
    steps = {step.name for step in read_recipe(find_recipe(recipe))}
    assert steps - named <= {"texts", "pairs"}  # what has to be there before it begins
    assert named - steps <= {recipe}  # the scheme of that name


def test_every_kind_of_step_is_in_the_docs() -> None:
    documented = {name for row in table("projects.md", "`do`") for name in re.findall(r"`([A-Za-z-]+)`", row[0])}
    assert {name for name in STEP_KINDS if not name.startswith(("align-", "acquire-"))} <= documented
    assert {"align-METHOD", "acquire-METHOD"} <= documented
    methods = {row[0].strip("`") for row in table("candidates.md", "method")} - {"method"}
    assert methods == {name.removeprefix("acquire-") for name in STEP_KINDS if name.startswith("acquire-")}
