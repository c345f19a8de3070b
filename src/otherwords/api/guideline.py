"""Guidelines: the text that annotators see beside their work, version by version.

There is one for each scheme, and for each kind of work: extract, triage, seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from otherwords.annotate.schemes import guidelines
from otherwords.annotate.schemes.guidelines import MAX_CHARACTERS, Guideline, GuidelineEdition
from otherwords.api.reading import StrPath
from otherwords.errors import DataError, UsageError
from otherwords.project import Project, open_project
from otherwords.registry import suggest
from otherwords.sources.io.files import open_binary

__all__ = ["set", "show", "versions"]
_BYTES_PER_CHARACTER = 4  # of UTF-8, at most


def show(project: StrPath, scheme: str, *, version: int | None = None) -> Guideline:
    """The current guideline of a scheme or a kind of work, or an earlier version; version 0 is the shipped one."""
    with open_project(project) as corpus:
        _check_subject(corpus, scheme)
        with corpus.ledger.reading() as connection:
            if version is None:
                return guidelines.current_guideline(connection, scheme, corpus.folder)
            return guidelines.version(connection, scheme, version, corpus.folder)


def set(project: StrPath, scheme: str, file: StrPath) -> Guideline:
    """Publish a Markdown file as the next version; ``-`` is standard input.

    A text that is the same as the current one does not become a new version.
    """
    with open_project(project) as corpus:
        _check_subject(corpus, scheme)
        text = _read(file)
        with corpus.ledger.writing() as connection:
            return guidelines.publish_guideline(connection, scheme, text, None, corpus.folder)


def versions(project: StrPath, scheme: str) -> Sequence[GuidelineEdition]:
    """The versions of a guideline without their texts, the newest first."""
    with open_project(project) as corpus:
        _check_subject(corpus, scheme)
        with corpus.ledger.reading() as connection:
            return guidelines.versions(connection, scheme, corpus.folder)


def _check_subject(corpus: Project, scheme: str) -> None:
    """A misspelt scheme would get a guideline that nobody ever sees."""
    if scheme not in (known := guidelines.guideline_subjects(corpus.folder)):
        raise UsageError(f"there is no scheme {scheme!r}{suggest(scheme, known)}", code="no-such-scheme")


def _read(file: StrPath) -> str:
    """The text of a file, of which no more is read than a guideline may have."""
    path = None if str(file) == "-" else Path(file)
    place = path or "standard input"
    most = _BYTES_PER_CHARACTER * MAX_CHARACTERS
    with open_binary(path) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        message = f"too long; a guideline has at most {MAX_CHARACTERS:,} characters"
        raise DataError(message, place, code="text-too-long")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise DataError("not UTF-8; save the text as UTF-8", place, line, code="not-utf8") from None
