"""Which language a tag means, whatever code system it comes from.

Corpora name the same language ``fi``, ``fin``, ``fi-FI`` or ``Finnish``. All of these become one code: ISO 639-1 where
there is one, otherwise the ISO 639-3 code itself, otherwise ``und``. Script and region are dropped: no language pack
depends on them.
"""

from __future__ import annotations

import re
from functools import cache

from otherwords.errors import UsageError
from otherwords.registry import nearest

UNDETERMINED = "und"

_NO_SINGLE_LANGUAGE = {"und", "mul", "mis", "zxx", "x", "i"}  # x- and i- open private BCP 47 tags
# A BCP 47 tag, or a POSIX locale such as fi_FI.UTF-8 or sr_RS@latin.
_TAG = re.compile(r"([a-z]{2,3}|[xi](?=[-_]))(?:[-_][a-z0-9]{1,8})*(?:\.[a-z0-9-]+)?(?:@[a-z0-9]+)?")


def language(tag: str | None) -> str:
    """The code of the language that a tag or an English name means; anything else is a UsageError."""
    if tag is None:
        return UNDETERMINED
    spelling = tag.strip().lower()
    by_alias, by_name, _ = _codes_and_names()
    if code := by_name.get(spelling):
        return code
    match = _TAG.fullmatch(spelling) if spelling.isascii() else None
    if match is None:
        near = nearest(spelling, list(by_name), 1)
        advice = "give an ISO 639 code, a BCP 47 tag or an English name, such as fi, fin, pt-BR or Finnish"
        if near:
            advice = f"did you mean {by_name[near[0]]} ({near[0].title()})?"
        raise UsageError(f"{tag!r} is not a language tag; {advice}", code="not-a-language")
    subtag = match[1]
    return UNDETERMINED if subtag in _NO_SINGLE_LANGUAGE else by_alias.get(subtag, subtag)


def language_name(tag: str | None) -> str:
    """The English name of the language; the code itself where our table has no name."""
    code = language(tag)
    *_, names = _codes_and_names()
    return "undetermined" if code == UNDETERMINED else names.get(code, code)


@cache
def _codes_and_names() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Codes by other codes of a language, codes by its name in lower case, and names by code."""
    rows = [line.split("\t") for line in listing("languages.tsv")]
    by_alias = {alias: code for code, aliases, _ in rows for alias in aliases.split()}
    by_name = {name.lower(): code for code, _, name in rows}
    return by_alias, by_name, {code: name for code, _, name in rows}


def listing(name: str) -> list[str]:
    """The lines of a list without comments; none where there is no such file."""
    from importlib.resources import files  # here, because it is slow to import and rarely needed

    resource = files(__package__) / "data" / name
    if not resource.is_file():
        return []
    return [line for line in resource.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
