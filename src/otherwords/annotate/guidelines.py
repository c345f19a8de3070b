"""Guidelines: what annotators are told, in Markdown, version after version.

A scheme comes with a text of its own, shipped or beside the project's own scheme, which is version 0. What a project
publishes instead is version 1 and up; nothing is overwritten, and every judgement says by which version it was made
(``turku@3``). People of the project write these texts and others read them on the site, so the HTML of one holds
nothing but what Markdown can say.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from sqlalchemy import Connection, desc, func, select

from otherwords.annotate import schemes
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.project.project import now

MOST_CHARACTERS = 200_000
ADDRESSES = ("http", "https", "mailto")
_SCHEME = re.compile(r"[a-z0-9][a-z0-9-]*")
_ADDRESS = re.compile(r"([^/?#]*?):")  # what stands before the first colon, if no path has begun by then
_SMALLEST_HEADING = 6


@dataclass(frozen=True, slots=True)
class Guideline:
    """One version of what annotators are told about a scheme. The shipped one has no author and no time."""

    scheme: str
    version: int
    text: str
    author: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Edition:
    """A version without its text."""

    version: int
    characters: int
    author: str | None
    time: str | None


def current(connection: Connection, scheme: str, project: Path | None = None) -> Guideline:
    """What annotators are told now."""
    one = schema.guidelines
    newest = select(one).where(one.c.scheme == scheme).order_by(desc(one.c.version)).limit(1)
    found = connection.execute(newest).mappings().first()
    return Guideline(**found) if found else shipped(scheme, project)


def version(connection: Connection, scheme: str, number: int, project: Path | None = None) -> Guideline:
    """What they were told at some time."""
    if number == 0:
        return shipped(scheme, project)
    one = schema.guidelines
    found = connection.execute(select(one).where(one.c.scheme == scheme, one.c.version == number)).mappings().first()
    if found is None:
        raise NotFound(f"the guideline {scheme!r} has no version {number}")
    return Guideline(**found)


def versions(connection: Connection, scheme: str, project: Path | None = None) -> list[Edition]:
    """All versions there were, the newest first and the shipped one last."""
    one = schema.guidelines
    columns = (one.c.version, func.length(one.c.text).label("characters"), one.c.author, one.c.time)
    rows = connection.execute(select(*columns).where(one.c.scheme == scheme).order_by(desc(one.c.version)))
    return [Edition(**row) for row in rows.mappings()] + [Edition(0, len(shipped(scheme, project).text), None, None)]


def shipped(scheme: str, project: Path | None = None) -> Guideline:
    """Version 0: the text beside the scheme, and nothing for a scheme that came without one."""
    return Guideline(scheme, 0, schemes.guideline_of(scheme, project))


def subjects(project: Path | None = None) -> list[str]:
    """What there can be guidelines about: the schemes, and the kinds of work that have a text."""
    return sorted({*schemes.names(project), *(path.stem for path in schemes.SHIPPED.glob("*.md"))})


def publish(
    connection: Connection, scheme: str, text: str, author: str | None, project: Path | None = None
) -> Guideline:
    """Make a text the next version; one that says just what the current one says is that version."""
    if not _SCHEME.fullmatch(scheme):
        raise Refused(f"not the name of a scheme: {scheme!r}")
    told = _checked(text)
    before = current(connection, scheme, project)
    if told == before.text:
        return before
    after = Guideline(scheme, before.version + 1, told, author, now())
    if not insert_new(connection, schema.guidelines, [asdict(after)]):
        raise Conflict(f"somebody else published version {after.version} just now; read it before you publish yours")
    return after


def _checked(text: str) -> str:
    told = text.replace("\r\n", "\n").strip("\n")
    if not told.strip():
        raise Refused("a guideline needs a text")
    if len(told) > MOST_CHARACTERS:
        raise Refused(f"the text has {len(told):,} characters; at most {MOST_CHARACTERS:,} fit into a guideline")
    odd = next((char for char in told if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs")), None)
    if odd:
        raise Refused(f"the text holds the control character U+{ord(odd):04X}; take it out")
    return told


def reference(guideline: Guideline) -> str:
    """How a judgement names the version that it follows."""
    return f"{guideline.scheme}@{guideline.version}"


@functools.lru_cache(maxsize=16)
def as_html(text: str) -> str:
    """The text as HTML: no tags of its own, no address but of the web or of mail, no image, no heading of the page.

    The longest of texts takes seconds when somebody has made it hard to read, so each is read once.
    """
    return str(_markdown().render(text))


def _markdown() -> MarkdownIt:
    """CommonMark with tables. A link to anywhere else stays the characters that somebody typed."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.validateLink = _leads_somewhere  # type: ignore[assignment, method-assign]
    made.core.ruler.push("house_rules", _house_rules)
    return made


def _leads_somewhere(address: str) -> bool:
    """Whether a link may be followed: http, https, mailto or a place on this site."""
    scheme = _ADDRESS.match(address.strip())
    return scheme is None or scheme[1].lower() in ADDRESSES


def _house_rules(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, _SMALLEST_HEADING)}"
        if style := token.attrs.pop("style", None):  # of a table's column; a page allows no styles within it
            token.attrs["class"] = str(style).replace("text-align:", "align-")
        if token.children:
            token.children = list(_safe(token.children))


def _safe(tokens: list[Token]) -> Iterator[Token]:
    """The tokens of a line of text, with an image as a link to it: a page does not fetch what is elsewhere."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type == "link_open":
            yield _link(str(token.attrs["href"]))
        elif token.type == "image":
            address = str(token.attrs["src"])
            named = Token("text", "", 0, content=token.content or address)
            yield from (named,) if depth else (_link(address), named, Token("link_close", "a", -1))
        else:
            yield token


def _link(address: str) -> Token:
    """A link that tells nobody where it was followed from; one to elsewhere opens beside the work."""
    attributes: dict[str, str | int | float] = {"href": address, "rel": "noopener noreferrer"}
    if _ADDRESS.match(address) or address.startswith("//"):
        attributes["target"] = "_blank"
    return Token("link_open", "a", 1, attrs=attributes)
