"""Annotation schemes: the questions that annotators answer, those that are shipped and those of a project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from otherwords.annotate import schemes
from otherwords.annotate.schemes.reading import read_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.api.reading import StrPath
from otherwords.errors import DataError, UsageError

__all__ = ["check", "list", "show"]


def list(*, project: StrPath | None = None) -> Sequence[Scheme]:
    """All shipped schemes, and those of a project."""
    folder = _folder(project)
    return [schemes.load_scheme(name, folder) for name in schemes.scheme_names(folder)]


def show(name: str, *, project: StrPath | None = None) -> Scheme:
    """A scheme by its name; one of the project takes precedence over a shipped one."""
    return schemes.load_scheme(name, _folder(project))


def check(file: StrPath) -> Scheme:
    """Read a scheme from a file, with an error for keys that clash, values nobody can give, or conflicting rules."""
    try:
        return read_scheme(Path(file))
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), file, code="file-unreadable") from None


def _folder(project: StrPath | None) -> Path | None:
    """The folder of a project, which is not opened for this."""
    if project is not None and not Path(project).is_dir():
        raise UsageError(f"there is no project {str(project)!r}", code="no-such-project")
    return None if project is None else Path(project)
