"""Join tokens to the text of a sentence.

If the corpus says which blanks there were (``SpaceAfter=No`` and others of the CoNLL-U conventions), these are used;
else simple rules know the marks that have no blank before or after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Marks without a blank before them, and marks without a blank after them.
_CLOSING = re.compile(r"[.,!?…:;%)\]}]|[.!?…]{2,}|[’”»›](?=\Z)|n't|['’](?:s|m|d|t|re|ve|ll|S|M|D|T|RE|VE|LL)")
_OPENING = frozenset("([{¿¡„‚‘“«‹#")
_EITHER = frozenset("\"'”’»")  # the same mark on both sides: ”sana” and »sana» in Finnish and Swedish
_OPENED_BY = {"”": "“„", "’": "‘‚", "»": "«"}
_ESCAPES = {r"\s": " ", r"\t": " ", r"\n": "\n", r"\r": "\n", r"\p": "|", r"\\": "\\"}
_ESCAPE = re.compile(r"\\[stnrp\\]")


def join_tokens(tokens: Iterable[str]) -> str:
    """Join tokens by the rules."""
    parts: list[str] = []
    opened: set[str] = set()
    glue = True
    for token in tokens:
        opening = token in _OPENING
        closing = _CLOSING.fullmatch(token) is not None
        if token in _EITHER and not opened & set(_OPENED_BY.get(token, "")):
            opening, closing = token not in opened, token in opened
        if opening:
            opened.add(token)
        elif closing:
            opened -= {token, *_OPENED_BY.get(token, "")}
        if parts and not glue and not closing:
            parts.append(" ")
        parts.append(token)
        glue = opening
    return "".join(parts)


def join_by_hints(tokens: Iterable[tuple[str, str]]) -> str:
    """Join tokens, each with a hint about the blanks around it."""
    parts: list[str] = []
    for token, hint in tokens:
        after = " "
        if hint and hint != "_":
            before, after = _blanks(hint)
            parts.append(before)
        parts.append(token)
        parts.append(after)
    return "".join(parts)


def _blanks(hint: str) -> tuple[str, str]:
    before, after = "", " "
    for part in hint.split("|"):
        name, _, value = part.partition("=")
        if name == "SpaceAfter" and value == "No":
            after = ""
        elif name == "SpacesAfter":
            after = _blank(value)
        elif name == "SpacesBefore":
            before = _blank(value)
    return before, after


def _blank(value: str) -> str:
    """A run of white space as one line break or one blank."""
    unescaped = _ESCAPE.sub(lambda match: _ESCAPES[match[0]], value)
    return "\n" if "\n" in unescaped else " "
