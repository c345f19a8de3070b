"""Find the two files of a Moses bitext: one sentence per line, with the language as suffix.

The input path is one of the two files, or the common start of their names. An ambiguous path is an error that lists the
files found.
"""

from __future__ import annotations

import re
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.sources.documents.table_rows import known_language
from otherwords.sources.io.files import COMPRESSED
from otherwords.sources.source import Source
from otherwords.text.languages import language

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
Side = tuple[Path, str | None]


def parse_languages(langs: str | None) -> tuple[str, str] | None:
    """The two languages of ``en-fi`` or ``en_GB-pt_BR``; None for no languages."""
    if not langs:
        return None
    first, dash, second = langs.partition("-")
    if not dash or "-" in second:
        message = f"langs: two languages with a dash such as en-fi or en_GB-fi are expected, found {langs!r}"
        raise UsageError(message, code="bad-option")
    return language(first), language(second)


def suffix_language(path: Path) -> str | None:
    """The language in the last suffix, apart from compression; None if it is not a language with a known name."""
    tag = _bare(path).suffix.removeprefix(".")
    return known_language(tag) if _TAG.fullmatch(tag) else None


def moses_files(source: Source, other: str | None, langs: tuple[str, str] | None) -> tuple[Side, Side]:
    """The two files with their languages; the named file comes first."""
    assert source.path is not None
    if other:
        paths = source.path, Path(other)
        codes = langs or (suffix_language(paths[0]), suffix_language(paths[1]))
        return (paths[0], codes[0]), (paths[1], codes[1])
    exists = source.path.is_file()
    prefix = _bare(source.path).with_suffix("") if exists else source.path
    files = _by_language(prefix)
    own = suffix_language(source.path) if exists else None
    names = ", ".join(path.name for path in files.values()) or "none"
    if not langs and len(files) != 2:
        advice = "choose two with langs=en-fi" if len(files) > 2 else "name the other file with other=PATH"
        message = f"two files {prefix.name}.LANGUAGE are expected, found: {names}; {advice}"
        raise source.error(message, code="missing-file")
    first, second = langs or files
    for code in (first, second):
        if code not in files:
            message = f"a file {prefix.name}.{code} is expected beside it, found: {names}"
            raise source.error(message, code="missing-file")
    if second == own:
        first, second = second, first
    return (files[first], first), (files[second], second)


def has_partner(source: Source) -> bool:
    """Whether the path means two files: the common start of their names, or a file with a sibling."""
    if source.path is None or source.path.is_dir():
        return False
    if not source.path.exists():
        return len(_by_language(source.path)) > 1
    return suffix_language(source.path) is not None and len(_by_language(_bare(source.path).with_suffix(""))) > 1


def _by_language(prefix: Path) -> dict[str, Path]:
    if not prefix.parent.is_dir():
        return {}
    beside = (path for path in sorted(prefix.parent.iterdir()) if path.is_file())
    named = (path for path in beside if _bare(path).with_suffix("").name == prefix.name)
    return {code: path for path in named if (code := suffix_language(path))}


def _bare(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
