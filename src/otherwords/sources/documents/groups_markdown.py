"""Markdown as plain text, in a simple way: what a reader of the page would read.

Taken out: front matter (between ``---`` or ``+++`` lines at the very start), HTML comments and tags,
marks of headings, quotations, lists, emphasis and code, rules, link targets and images (their
description stays). Kept: every word, line breaks, the text of code blocks and the cells of tables.
It is no full parser: a lone star or underscore inside a word is left as it is. Every pattern is linear
in the length of the text, so that no file can make the reading stand still.
"""

from __future__ import annotations

import re

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)[^\n]*$\n?", re.MULTILINE)
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$\n?", re.MULTILINE)
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*$\n?", re.MULTILINE)
_TABLE_RULE = re.compile(r"^(?=[^\n]*\|)(?=[^\n]*-)[ \t:|-]+$\n?", re.MULTILINE)
_LINE_START = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)?", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^>\s]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_EMPHASIS = re.compile(r"(?<![\w*_\\])(\*\*\*|\*\*|\*|___|__|_|~~)(?=\S)([^\n]{0,500}?\S)\1(?![\w*_])")
_STRONG_INSIDE = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_CODE = re.compile(r"(`+)(?!`)([^\n]{0,500}?[^`\n])\1(?!`)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELL_EDGE = re.compile(r"^[ \t]*\|[ \t]*|(?<![ \t])[ \t]*\|[ \t]*$", re.MULTILINE)


def markdown_text(text: str) -> str:
    """The words of a Markdown page, line by line."""
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", text, count=1))
    for whole_line in (_FENCE, _TABLE_RULE, _RULE, _REFERENCE):
        text = whole_line.sub("", text)
    text = _HEADING.sub(_heading, _LINE_START.sub("", text))
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", _LINK.sub(r"\1", text)))  # twice: an image may be a link
    text = _CODE.sub(r"\2", _TAG.sub("", text))
    text = _STRONG_INSIDE.sub(r"\1", _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)))
    return _ESCAPED.sub(r"\1", _CELL_EDGE.sub("", text)).strip("\n")


def _heading(found: re.Match[str]) -> str:
    """A heading without the number signs that may close it as well; those of ``C#`` stay."""
    title = found.group(1).rstrip()
    bare = title.rstrip("#")
    return bare.rstrip() if bare.endswith((" ", "\t")) else title
