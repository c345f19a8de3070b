"""Convert HTML bodies to plain text with trafilatura (Barbaresi 2021), one paragraph per line.

A whole page goes through the extraction of the main text, a fragment through ``html2txt``. A body without tags needs
neither, nor the extra ``news``; only its entities are replaced.
"""

from __future__ import annotations

import logging
import re
from html import unescape
from types import ModuleType

from otherwords.errors import MissingExtra
from otherwords.text.normalise import clean_text

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
_BREAK = "␤¶␤"  # stands for a line break in html2txt, which turns all white space into blanks
_SHELL = "<!DOCTYPE html><html><body><div>{}</div></body></html>"


def is_html(text: str) -> bool:
    """Whether a text has tags in it; a single ``<`` is text."""
    return _TAG.search(text) is not None


def article_text(text: str) -> str:
    """The plain text of an article, even if its HTML was escaped more than once.

    Only a body that is HTML from its first tag to its last is unescaped again, and not if it is code: elsewhere a tag
    is a word of a text about HTML.
    """
    plain = body_text(text)
    for _ in range(_TIMES_ESCAPED):
        if _CODE.search(text) or not _MARKUP.fullmatch(unescape_entities(plain)):
            break
        text, plain = plain, body_text(plain)
    return plain


def body_text(text: str) -> str:
    """The plain text of a body, which may be HTML."""
    if not is_html(text):
        return clean_text(unescape_entities(text))
    if _PAGE.search(text) and (main := _trafilatura().extract(text, include_comments=False, include_tables=False)):
        return _tidy(main)
    return _tidy(_trafilatura().html2txt(_SHELL.format(_BLOCK_END.sub(rf"\g<0>{_BREAK}", clean_text(text)))))


def heading_text(text: str) -> str:
    """The plain text of a heading on one line, without entities and tags."""
    return " ".join(clean_text(unescape_entities(_ANY_TAG.sub("", text) if is_html(text) else text)).split())


def unescape_entities(text: str) -> str:
    """Replace entities by their characters; only those with a semicolon count."""
    return _ENTITY.sub(lambda match: unescape(match[0]), text) if "&" in text else text


def _tidy(text: str) -> str:
    return _LINES.sub("\n", clean_text(text.replace(_BREAK, "\n"))).strip()


def _trafilatura() -> ModuleType:
    try:
        import trafilatura
    except ImportError as missing:
        raise MissingExtra("news", "cleaning HTML bodies") from missing
    # Its warnings are about the page that we put around the fragment; without a handler they would go to stderr.
    logging.getLogger("trafilatura").addHandler(logging.NullHandler())
    return trafilatura
