"""Which two files make a bitext of the Moses kind: one sentence a line, the language in the suffix.

In goes a path (either of the two files, or what their names share) and the languages if the user
says them; out come the two paths with their languages. What is ambiguous is an error that lists what
was found.
"""

from __future__ import annotations

import re
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.sources.files import COMPRESSED
from otherwords.sources.source import Source
from otherwords.text.languages import language, language_name

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
Side = tuple[Path, str | None]


def languages_of(said: str | None) -> tuple[str, str] | None:
    """The two languages of ``en-fi`` or ``en_GB-pt_BR``; None where none are said."""
    if not said:
        return None
    first, dash, second = said.partition("-")
    if not dash or "-" in second:
        raise UsageError(f"langs={said}: give the two languages with a dash between them, such as en-fi or en_GB-fi")
    return language(first), language(second)


def suffix_language(path: Path) -> str | None:
    """The language in the last suffix but that of compression; None if it is none that we know by name."""
    tag = _bare(path).suffix.removeprefix(".")
    return language(tag) if _TAG.fullmatch(tag) and language_name(tag) != language(tag) else None


def sides(source: Source, other: str | None, langs: tuple[str, str] | None) -> tuple[Side, Side]:
    """The two files, the one that was named first."""
    assert source.path is not None
    if other:
        paths = source.path, Path(other)
        said = langs or (suffix_language(paths[0]), suffix_language(paths[1]))
        return (paths[0], said[0]), (paths[1], said[1])
    exists = source.path.is_file()
    prefix = _bare(source.path).with_suffix("") if exists else source.path
    found = _by_language(prefix)
    own = suffix_language(source.path) if exists else None
    wanted = langs or _the_only_two(source, prefix, found, own)
    for code in wanted:
        if code not in found:
            raise source.error(f"there is no file {prefix.name}.{code} beside it; there are: {_names(found)}")
    first, second = reversed(wanted) if wanted[1] == own else wanted
    return (found[first], first), (found[second], second)


def has_partner(source: Source) -> bool:
    """Whether the path can only mean two files: a shared start of names, or one that has a sibling."""
    if source.path is None or source.path.is_dir():
        return False
    if not source.path.exists():
        return len(_by_language(source.path)) > 1
    return suffix_language(source.path) is not None and len(_by_language(_bare(source.path).with_suffix(""))) > 1


def _the_only_two(source: Source, prefix: Path, found: dict[str, Path], own: str | None) -> tuple[str, str]:
    if len(found) != 2:
        advice = "choose two with langs=en-fi" if len(found) > 2 else "name the other file with other=PATH"
        raise source.error(f"two files {prefix.name}.LANGUAGE are needed, found: {_names(found)}; {advice}")
    first, second = found
    return (second, first) if own == second else (first, second)


def _by_language(prefix: Path) -> dict[str, Path]:
    if not prefix.parent.is_dir():
        return {}
    beside = (path for path in sorted(prefix.parent.iterdir()) if path.is_file())
    named = (path for path in beside if _bare(path).with_suffix("").name == prefix.name)
    return {code: path for path in named if (code := suffix_language(path))}


def _bare(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path


def _names(found: dict[str, Path]) -> str:
    return ", ".join(path.name for path in found.values()) or "none"
