"""News bodies that come as HTML, made plain text by trafilatura (Barbaresi 2021).

In goes a body as a feed or table has it, out comes its text, a paragraph a line. A whole page goes
through trafilatura's extraction of the main text, a fragment through its ``html2txt``. A body without
tags needs neither, and so not the extra ``news`` either; entities in it are resolved.
"""

from __future__ import annotations

import logging
import re
from html import unescape
from types import ModuleType

from otherwords.errors import MissingExtra
from otherwords.sources.documents.table_rows import clean

_TAG = re.compile(
    r"</?(?:a|abbr|article|aside|b|blockquote|body|br|code|div|em|figcaption|figure|font|h[1-6]|head|hr|html|i|iframe|img"
    r"|li|main|ol|p|picture|pre|q|s|script|section|small|span|strong|style|sub|sup|table|tbody|td|th|time|tr|u|ul|video)"
    r"(?:\s[^<>]*)?/?>|<!(?:--|doctype\s)",
    re.IGNORECASE,
)
_PAGE = re.compile(r"<!doctype\s+html|<html[\s>]|<body[\s>]", re.IGNORECASE)
_BLOCK_END = re.compile(r"</(?:p|div|li|h[1-6]|blockquote|figcaption|tr|pre|section)\s*>|<br\s*/?>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_CODE = re.compile(r"<(?:code|pre)[\s>]", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(p|div|h[1-6]|ul|ol|blockquote|section|article|figure|table)(?:\s[^<>]*)?>.*"
    r"</(p|div|h[1-6]|ul|ol|blockquote|section|article|figure|table)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_LINES = re.compile(r"\n\s*")
_TIMES_ESCAPED = 3
_BREAK = "␤¶␤"  # stands for a line break on the way through html2txt, which makes every white space a blank
_SHELL = "<!DOCTYPE html><html><body><div>{}</div></body></html>"


def is_html(text: str) -> bool:
    """Whether a text has tags in it; a lone ``<`` is text."""
    return _TAG.search(text) is not None


def article_text(text: str) -> str:
    """The plain text of an article, also of one whose HTML was escaped more than once.

    Only a whole body from an opening tag to a closing one is taken for that, and not if it is code: elsewhere a tag is
    a word of a text that speaks about HTML.
    """
    found = body_text(text)
    for _ in range(_TIMES_ESCAPED):
        if _CODE.search(text) or not _MARKUP.fullmatch(resolved(found)):
            break
        text, found = found, body_text(found)
    return found


def body_text(text: str) -> str:
    """The plain text of a body, HTML or not."""
    if not is_html(text):
        return clean(resolved(text))
    if _PAGE.search(text) and (found := _trafilatura().extract(text, include_comments=False, include_tables=False)):
        return _tidy(found)
    return _tidy(_trafilatura().html2txt(_SHELL.format(_BLOCK_END.sub(rf"\g<0>{_BREAK}", clean(text)))))


def heading_text(text: str) -> str:
    """The plain text of a heading: entities resolved, tags left out, one line."""
    return " ".join(clean(resolved(_ANY_TAG.sub("", text) if is_html(text) else text)).split())


def resolved(text: str) -> str:
    """The text with its entities resolved; only those that end in a semicolon are entities."""
    return _ENTITY.sub(lambda found: unescape(found[0]), text) if "&" in text else text


def _tidy(text: str) -> str:
    return _LINES.sub("\n", clean(text.replace(_BREAK, "\n"))).strip()


def _trafilatura() -> ModuleType:
    try:
        import trafilatura
    except ImportError as missing:
        raise MissingExtra("news", "cleaning HTML bodies") from missing
    # What it has to say about a page is about our shell around it; without a handler it would go to stderr.
    logging.getLogger("trafilatura").addHandler(logging.NullHandler())
    return trafilatura
