"""The pages of docs/ as a static site: Markdown in, linked HTML out, with what is wrong with the links.

``docs/index.md`` is the plan: its headings and the lists under them are the navigation, so that the site and a reader
of the plain files find the same pages in the same order. A link, an anchor or a picture that leads nowhere is a
problem, and so is a page that the index does not name. Colours and the switch for light and dark are those of the
annotation site. What is built needs no server: it is read from the folder as well.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STATIC = ROOT / "src" / "otherwords" / "web" / "static"
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")  # pages of the repository that belong to the guide
END_OF_COLOURS = "*, ::before"  # what comes before it in the site's style sheet is its colours and fonts
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A place within a page."""

    level: int
    text: str
    anchor: str


@dataclass(slots=True)
class Page:
    """One page on its way from Markdown to HTML."""

    path: Path
    name: str
    tokens: list[Token]
    headings: list[Heading] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.headings[0].text if self.headings else self.name


def markdown() -> MarkdownIt:
    """CommonMark with tables; HTML in a page is text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", lambda *_: '<div class="wide"><table>')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    reader.add_render_rule("fence", _fence)
    return reader


def _fence(self: RendererHTML, tokens: list[Token], place: int, *_: object) -> str:
    """A block of code; in a console, the prompt is drawn and never copied."""
    language, text = tokens[place].info.strip(), tokens[place].content
    if language == "console":
        shown = "\n".join(_console(line) for line in text.rstrip("\n").split("\n"))
    else:
        shown = str(escape(text.rstrip("\n")))
    return f'<div class="code"><pre tabindex="0"><code class="{escape(language)}">{shown}\n</code></pre></div>\n'


def _console(line: str) -> str:
    command = line.removeprefix("$ ")
    return str(escape(line)) if command == line else f'<span class="command">{escape(command)}</span>'


def read_pages(docs: Path, beside: list[Path]) -> dict[Path, Page]:
    """All pages by their path, each with the anchors of its headings."""
    reader = markdown()
    pages = {}
    for path in [*sorted(docs.glob("*.md")), *beside]:
        page = Page(path, f"{path.stem.lower()}.html", reader.parse(path.read_text(encoding="utf-8")))
        _find_headings(page)
        pages[path.resolve()] = page
    return pages


def _find_headings(page: Page) -> None:
    taken: dict[str, int] = {}
    for opening, inline in zip(page.tokens, page.tokens[1:], strict=False):
        if opening.type != "heading_open":
            continue
        text = _plain(inline)
        anchor = NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-")
        taken[anchor] = taken.get(anchor, -1) + 1
        if taken[anchor]:
            anchor = f"{anchor}-{taken[anchor]}"
        opening.attrSet("id", anchor)
        page.headings.append(Heading(int(opening.tag[1]), text, anchor))


def _plain(inline: Token) -> str:
    return "".join(" " if one.type == "softbreak" else one.content for one in inline.children or [])


def link_up(pages: dict[Path, Page]) -> tuple[dict[Path, str], list[str]]:
    """Let links lead to pages of the site; the pictures that are needed by their names there, and what is wrong."""
    pictures: dict[Path, str] = {}
    problems: list[str] = []
    for page in pages.values():
        for token in (child for inline in page.tokens for child in inline.children or []):
            name = {"link_open": "href", "image": "src"}.get(token.type)
            if name is None or "://" in (given := str(token.attrs[name])):
                continue
            target, _, anchor = unquote(given).partition("#")
            where = (page.path.parent / target).resolve() if target else page.path.resolve()
            if token.type == "image" and where.is_file():
                pictures[where] = f"images/{where.name}"
                token.attrSet("src", pictures[where])
                token.attrSet("loading", "lazy")
            elif where in pages and (not anchor or anchor in {one.anchor for one in pages[where].headings}):
                token.attrSet("href", pages[where].name * bool(target) + f"#{anchor}" * bool(anchor))
            else:
                problems.append(f"{page.path.name}: {given} leads nowhere")
    return pictures, problems


def navigation(pages: dict[Path, Page], index: Path) -> list[tuple[str, list[Page]]]:
    """The pages under each heading of the index, in its order."""
    sections: list[tuple[str, list[Page]]] = []
    by_name = {page.name: page for page in pages.values()}
    tokens = pages[index.resolve()].tokens
    depth = 0
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            sections.append((_plain(tokens[place + 1]), []))
        depth += (token.type == "bullet_list_open") - (token.type == "bullet_list_close")
        if token.type == "inline" and depth and sections:
            links = (str(child.attrs["href"]) for child in token.children or [] if child.type == "link_open")
            sections[-1][1].extend(by_name[link] for link in links if link in by_name)
    return [(heading, under) for heading, under in sections if under]


def found_by(page: Page) -> list[dict[str, str]]:
    """What the search knows of a page: a row for each heading, with the words under it."""
    rows: list[dict[str, str]] = []
    of = {one.anchor: one for one in page.headings}
    for place, token in enumerate(page.tokens):
        if token.type == "heading_open":
            heading = of[str(token.attrs["id"])]
            rows.append({"page": page.title, "at": f"{page.name}#{heading.anchor}", "head": heading.text, "text": ""})
        elif rows and token.type in ("inline", "fence") and page.tokens[place - 1].type != "heading_open":
            rows[-1]["text"] += " ".join((_plain(token) or token.content).split()) + " "
    return rows


def build(out: Path, docs: Path = ROOT / "docs") -> list[str]:
    """Write the site into a new folder; the problems that were found, and then nothing is written."""
    index = docs / "index.md"
    pages = read_pages(docs, [path for name in BESIDE if (path := docs.parent / name).is_file()])
    pictures, problems = link_up(pages)
    sections = navigation(pages, index)
    named = {page.name for _, under in sections for page in under} | {"index.html"}
    problems += [f"index.md does not name {page.path.name}" for page in pages.values() if page.name not in named]
    if problems:
        return problems
    shutil.rmtree(out, ignore_errors=True)
    (out / "images").mkdir(parents=True)
    template = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).get_template("page.html")
    reader = markdown()
    order = [page for _, under in sections for page in under]
    for page in pages.values():
        at = order.index(page) if page in order else -1
        shown = template.render(
            page=page,
            body=Markup(reader.renderer.render(page.tokens, reader.options, {})),  # from our own pages, HTML escaped
            sections=sections,
            before=order[at - 1] if at > 0 else None,
            after=order[at + 1] if at + 1 < len(order) else None,
        )
        (out / page.name).write_text(shown, encoding="utf-8")
    _write_beside(out, pictures, order)
    return []


def _write_beside(out: Path, pictures: dict[Path, str], order: list[Page]) -> None:
    """Pictures, style sheet, scripts, and what the search looks through."""
    for picture, name in pictures.items():
        shutil.copyfile(picture, out / name)
    colours = (STATIC / "site.css").read_text(encoding="utf-8").partition(END_OF_COLOURS)[0]
    (out / "guide.css").write_text(colours + (HERE / "guide.css").read_text(encoding="utf-8"), encoding="utf-8")
    for path in (STATIC / "theme.js", STATIC / "icon.svg", HERE / "guide.js"):
        shutil.copyfile(path, out / path.name)
    rows = [row for page in order for row in found_by(page)]
    # A script and not a JSON file, because a browser reads no JSON beside a page that was opened from a folder.
    (out / "words.js").write_text(f"globalThis.words = {json.dumps(rows, ensure_ascii=False)};\n", encoding="utf-8")
