"""Abbreviations that end in a period, and whether that period can end a sentence as well.

In goes a language, out comes a table from the abbreviation (lower case, no blanks, no last period)
to what may follow. The lists are files under ``data``; a language without one shares ``und``.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from otherwords.text.listings import listing


class Ending(Enum):
    """When the period of an abbreviation ends the sentence too."""

    NEVER = ""
    BEFORE_FUNCTION_WORD = "word"
    BEFORE_CAPITAL = "end"
    UNLESS_NUMBER = "number"


@cache
def abbreviations(lang: str) -> dict[str, Ending]:
    """The abbreviations of a language."""
    lines = listing(f"abbreviations.{lang}.txt") or listing("abbreviations.und.txt")
    rows = [line.partition("\t") for line in lines]
    return {abbreviation: Ending(ending) for abbreviation, _, ending in rows}
