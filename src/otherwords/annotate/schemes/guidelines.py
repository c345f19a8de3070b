"""Guidelines for annotators, in Markdown, version by version.

The text that comes with a scheme, shipped or beside the project's own scheme, is version 0. What a project publishes
instead is version 1 and up; nothing is overwritten, and every judgement names the version that it follows
(``turku@3``). Members of the project write these texts and others read them on the site, so the HTML holds nothing
but what Markdown can express.
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
from otherwords.project.ledger import insert_new, schema
from otherwords.project.project import now

MAX_CHARACTERS = 200_000
LANG = "en"  # of the texts that come with otherwords
ADDRESSES = ("http", "https", "mailto")
_SCHEME = re.compile(r"[a-z0-9][a-z0-9-]*")
_ADDRESS = re.compile(r"([^/?#]*?):")  # whatever is before the first colon, if no path has begun by then
_SMALLEST_HEADING = 6
_table = schema.guidelines


@dataclass(frozen=True, slots=True)
class Guideline:
    """One version of the guideline of a scheme. The shipped one has no author and no time.

    ``lang`` is the language of a text that comes with otherwords; what a project writes does not say its own.
    """

    scheme: str
    version: int
    text: str
    author: str | None = None
    time: str | None = None
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class ShownGuideline:
    """A guideline as it is shown beside the work."""

    reference: str
    html: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class GuidelineEdition:
    """A version without its text."""

    version: int
    characters: int
    author: str | None
    time: str | None


def current_guideline(connection: Connection, scheme: str, project: Path | None = None) -> Guideline:
    """The newest guideline of a scheme."""
    newest = select(_table).where(_table.c.scheme == scheme).order_by(desc(_table.c.version)).limit(1)
    row = connection.execute(newest).mappings().first()
    return Guideline(**row) if row else shipped(scheme, project)


def version(connection: Connection, scheme: str, number: int, project: Path | None = None) -> Guideline:
    """The guideline of a scheme in one version."""
    if number == 0:
        return shipped(scheme, project)
    chosen = select(_table).where(_table.c.scheme == scheme, _table.c.version == number)
    row = connection.execute(chosen).mappings().first()
    if row is None:
        raise NotFound(f"the guideline {scheme!r} has no version {number}", code="no-such-version")
    return Guideline(**row)


def versions(connection: Connection, scheme: str, project: Path | None = None) -> list[GuidelineEdition]:
    """All versions, the newest first and the shipped one last."""
    columns = (_table.c.version, func.length(_table.c.text).label("characters"), _table.c.author, _table.c.time)
    rows = connection.execute(select(*columns).where(_table.c.scheme == scheme).order_by(desc(_table.c.version)))
    first = GuidelineEdition(0, len(shipped(scheme, project).text), None, None)
    return [*(GuidelineEdition(**row) for row in rows.mappings()), first]


def shipped(scheme: str, project: Path | None = None) -> Guideline:
    """Version 0: the text beside the scheme, empty if there is none."""
    lang = LANG if schemes.has_packaged_guideline(scheme, project) else None
    return Guideline(scheme, 0, schemes.guideline_text(scheme, project), lang=lang)


def guideline_subjects(project: Path | None = None) -> list[str]:
    """What guidelines can be about: the schemes, and the kinds of work that have a text."""
    return sorted({*schemes.scheme_names(project), *(path.stem for path in schemes.SHIPPED.glob("*.md"))})


def publish_guideline(
    connection: Connection, scheme: str, text: str, author: str | None, project: Path | None = None
) -> Guideline:
    """Make a text the next version; a text equal to the current version adds none."""
    if not _SCHEME.fullmatch(scheme):
        raise Refused(f"not the name of a scheme: {scheme!r}", code="bad-scheme-name")
    text = check_markdown(text, "a guideline")
    before = current_guideline(connection, scheme, project)
    if text == before.text:
        return before
    after = Guideline(scheme, before.version + 1, text, author, now())
    row = {name: value for name, value in asdict(after).items() if name in _table.c}
    if not insert_new(connection, _table, [row]):
        message = f"somebody else published version {after.version} just now; read it before you publish yours"
        raise Conflict(message, code="version-taken")
    return after


def check_markdown(text: str, noun: str) -> str:
    """A text as it is kept, if it can be one that people read on the site; ``noun`` says what it is."""
    text = text.replace("\r\n", "\n").strip("\n")
    if not text.strip():
        raise Refused(f"{noun} needs a text", "text", code="empty-text")
    if len(text) > MAX_CHARACTERS:
        message = f"the text has {len(text):,} characters; at most {MAX_CHARACTERS:,} fit into {noun}"
        raise Refused(message, "text", code="text-too-long")
    if control := control_character(text):
        raise Refused(f"the text has the control character {control}; remove it", "text", code="control-character")
    return text


def control_character(text: str) -> str | None:
    """The first control character or lone surrogate of a text other than a line break or a tab, as ``U+0007``."""
    found = (char for char in text if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs"))
    return next((f"U+{ord(char):04X}" for char in found), None)


def reference(guideline: Guideline) -> str:
    """How a judgement names the version that it follows."""
    return f"{guideline.scheme}@{guideline.version}"


def shown_guideline(guideline: Guideline) -> ShownGuideline:
    """A guideline as it is shown beside the work."""
    return ShownGuideline(reference(guideline), as_html(guideline.text), guideline.lang)


@functools.lru_cache(maxsize=16)
def as_html(text: str) -> str:
    """The text as HTML: no tags of its own, links to the web or to mail only, no image, no top-level heading.

    A long text that was written to be hard to parse takes seconds, so results are cached.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # A link that may not be followed stays the characters that somebody typed.
    parser.validateLink = _may_be_followed  # type: ignore[assignment, method-assign]
    parser.core.ruler.push("restrict_tokens", _restrict_tokens)
    return str(parser.render(text))


def _may_be_followed(address: str) -> bool:
    """Whether a link may be followed: http, https, mailto or a place on this site."""
    scheme = _ADDRESS.match(address.strip())
    return scheme is None or scheme[1].lower() in ADDRESSES


def _restrict_tokens(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, _SMALLEST_HEADING)}"
        if style := token.attrs.pop("style", None):  # of a table column; the site allows no inline styles
            token.attrs["class"] = str(style).replace("text-align:", "align-")
        if token.children:
            token.children = list(_restrict_inline(token.children))


def _restrict_inline(tokens: list[Token]) -> Iterator[Token]:
    """Inline tokens, with each image as a link to it: a page does not fetch anything from elsewhere."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type == "link_open":
            yield _link(str(token.attrs["href"]))
        elif token.type == "image":
            address = str(token.attrs["src"])
            name = Token("text", "", 0, content=token.content or address)
            yield from (name,) if depth else (_link(address), name, Token("link_close", "a", -1))
        else:
            yield token


def _link(address: str) -> Token:
    """A link that sends no referrer; one to another site opens in a new tab."""
    attributes: dict[str, str | int | float] = {"href": address, "rel": "noopener noreferrer"}
    if _ADDRESS.match(address) or address.startswith("//"):
        attributes["target"] = "_blank"
    return Token("link_open", "a", 1, attrs=attributes)
