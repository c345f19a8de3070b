"""Mentions: whom a text calls. ``@anna`` is whoever has that account, in capitals or small letters."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection, select

from otherwords.project import schema


def mentioned(connection: Connection, text: str) -> list[str]:
    """Who is called by a text: the accounts whose names follow an @, each once, of two that fit the longer."""
    if "@" not in text:
        return []
    names = {_key(name): name for name in connection.execute(select(schema.accounts.c.name)).scalars()}
    longest = max(map(len, [*names, *names.values()]), default=0)
    composed = unicodedata.normalize("NFC", text)
    starts = [place + 1 for place, char in enumerate(composed) if char == "@" and not _in_word(composed, place - 1)]
    found = (_name_at(composed, start, longest, names) for start in starts)
    return list(dict.fromkeys(name for name in found if name))


def _name_at(text: str, start: int, longest: int, names: dict[str, str]) -> str | None:
    for end in range(min(start + longest, len(text)), start, -1):
        name = names.get(_key(text[start:end]))
        if name and not _in_word(text, end):
            return name
    return None


def _in_word(text: str, place: int) -> bool:
    """Whether a name would go on at this place: ``@annabel`` is not ``@anna``, and a@b.example calls nobody."""
    char = text[place] if 0 <= place < len(text) else " "
    return char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
