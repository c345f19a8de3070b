"""Which language a tag means, whatever code system it comes from.

Corpora name the same language ``fi``, ``fin``, ``fi-FI`` or ``Finnish``. In goes any of these, out
comes one code: ISO 639-1 where there is one, else ISO 639-3 as given, else ``und``. Script and
region are read and dropped: no pack of ours depends on them.
"""

from __future__ import annotations

import difflib
import re
from functools import cache

from otherwords.errors import UsageError
from otherwords.text.listings import listing

UNDETERMINED = "und"

_NO_SINGLE_LANGUAGE = {"und", "mul", "mis", "zxx", "x", "i"}  # x- and i- open private BCP 47 tags
# A BCP 47 tag, or a POSIX locale such as fi_FI.UTF-8 or sr_RS@latin.
_TAG = re.compile(r"([a-z]{2,3}|[xi](?=[-_]))(?:[-_][a-z0-9]{1,8})*(?:\.[a-z0-9-]+)?(?:@[a-z0-9]+)?")


def language(tag: str | None) -> str:
    """The code of the language that a tag or an English name means; nonsense is a UsageError."""
    if tag is None:
        return UNDETERMINED
    wanted = tag.strip().lower()
    if code := _codes_by_name().get(wanted):
        return code
    match = _TAG.fullmatch(wanted) if wanted.isascii() else None
    if match is None:
        raise UsageError(f"{tag!r} is not a language tag{_advice(wanted)}")
    subtag = match[1]
    return UNDETERMINED if subtag in _NO_SINGLE_LANGUAGE else _codes_by_alias().get(subtag, subtag)


def language_name(tag: str | None) -> str:
    """The English name of the language; the code itself where our table has no name."""
    code = language(tag)
    return "undetermined" if code == UNDETERMINED else _names().get(code, code)


def _advice(wanted: str) -> str:
    near = difflib.get_close_matches(wanted, list(_codes_by_name()), n=1, cutoff=0.75)
    if near:
        return f"; did you mean {_codes_by_name()[near[0]]} ({near[0].title()})?"
    return "; give an ISO 639 code, a BCP 47 tag or an English name, such as fi, fin, pt-BR or Finnish"


@cache
def _table() -> list[tuple[str, list[str], str]]:
    rows = [line.split("\t") for line in listing("languages.tsv")]
    return [(code, aliases.split(), name) for code, aliases, name in rows]


@cache
def _codes_by_alias() -> dict[str, str]:
    return {alias: code for code, aliases, _ in _table() for alias in aliases}


@cache
def _codes_by_name() -> dict[str, str]:
    return {name.lower(): code for code, _, name in _table()}


@cache
def _names() -> dict[str, str]:
    return {code: name for code, _, name in _table()}
