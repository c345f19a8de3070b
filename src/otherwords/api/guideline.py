"""Guidelines: the text that annotators see beside their work, version by version.

There is one for each scheme, and for each kind of work: extract, triage, seed.
"""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.annotate.schemes import guidelines
from otherwords.annotate.schemes.guidelines import Guideline, GuidelineEdition
from otherwords.api.reading import StrPath, read_markdown
from otherwords.errors import UsageError
from otherwords.project import Project, open_project
from otherwords.registry import suggest

__all__ = ["set", "show", "versions"]


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
        text = read_markdown(file, "a guideline")
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
