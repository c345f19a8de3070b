"""Hooks of mkdocs: the navigation follows docs/index.md, and the guide has pages and files from outside docs/.

``docs/index.md`` is the plan of the guide: its headings and the links under them are the navigation, so that a reader
of the site and a reader of the plain files find the same pages in the same order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

OUTSIDE = {  # name in the guide → path in the repository
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "icon.svg": "src/otherwords/web/static/icon.svg",
    "guide.css": "tools/docs/guide.css",
    "iframe-worker.js": "tools/docs/iframe-worker.js",
}
LINK = re.compile(r"\]\(([^)\s:]+\.md)\b")
TABLE_ROW = re.compile(r"^\|.*", re.MULTILINE)
CODE = re.compile(r"`[^`]+`")


def on_config(config: MkDocsConfig) -> None:
    """Set the navigation; leave out the page 404, which only a server would use."""
    index = Path(config.docs_dir, "index.md").read_text(encoding="utf-8")
    _, *sections = re.split(r"^## ", index, flags=re.MULTILINE)
    nav: list[Any] = [{"Home": "index.md"}]
    for section in sections:
        title, _, text = section.partition("\n")
        nav.append({title: LINK.findall(_inside(text))})
    config.nav = nav
    config.theme.static_templates.discard("404.html")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add what lies outside docs/."""
    root = Path(config.config_file_path).parent
    for name, path in OUTSIDE.items():
        files.append(File.generated(config, name, abs_src_path=str(root / path)))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Adapt what GitHub reads otherwise: links across the edge of docs/, and ``\\|`` within code in a table."""
    if page.file.src_uri in OUTSIDE:
        markdown = markdown.replace("](docs/", "](")
    return TABLE_ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), _inside(markdown))


def _inside(markdown: str) -> str:
    """Let links from docs/ to pages outside it lead to their place in the guide."""
    for name, path in OUTSIDE.items():
        markdown = markdown.replace(f"](../{path}", f"]({name}")
    return markdown
