"""Tokens put back together as people write them.

In go the tokens of a sentence, out comes its text. Where the corpus says which blanks there were
(``SpaceAfter=No`` and its kin, from the CoNLL-U conventions) that is followed; where it does not,
simple rules know the marks that stand without a blank before or behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Marks that lean on the word before them, and those that lean on the word behind.
_CLOSING = re.compile(r"[.,!?…:;%)\]}]|[.!?…]{2,}|[’”»›](?=\Z)|n't|['’](?:s|m|d|t|re|ve|ll|S|M|D|T|RE|VE|LL)")
_OPENING = frozenset("([{¿¡„‚‘“«‹#")
_EITHER = frozenset("\"'”’»")  # the same sign on both sides: ”sana” and »sana» in Finnish and Swedish
_OPENED_BY = {"”": "“„", "’": "‘‚", "»": "«"}
_ESCAPES = {r"\s": " ", r"\t": " ", r"\n": "\n", r"\r": "\n", r"\p": "|", r"\\": "\\"}
_ESCAPE = re.compile(r"\\[stnrp\\]")


def joined(tokens: Iterable[str]) -> str:
    """The text of tokens by the rules."""
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


def joined_by_hints(tokens: Iterable[tuple[str, str]]) -> str:
    """The text of tokens that each come with a hint about the blanks around them."""
    parts: list[str] = []
    for token, hint in tokens:
        after = " "
        if hint and hint != "_":
            before, after = _blanks(hint)
            parts.append(before)
        parts.append(token)
        parts.append(after)
    return "".join(parts)


def is_hint(cell: str) -> bool:
    """Whether a cell tells about blanks."""
    return cell.startswith("Space") or "|Space" in cell


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
    """One line break or one blank for a run of white space."""
    resolved = _ESCAPE.sub(lambda found: _ESCAPES[found[0]], value)
    return "\n" if "\n" in resolved else " "
