"""The tree of errors. A message says what is wrong, where, and what to do.

OtherwordsError             anything a user can fix; the command line prints it as one line and exits 1
├── UsageError              the request itself is wrong (unknown measure, option that does not fit): exit 2
│   └── NotInstalled        a translator, tagger or package is not on this machine; the message says how it gets there
│       └── MissingExtra    an optional package of ours is not installed; the message is the install line
├── LabelError              a label outside its scheme
├── DataError               a file, and where known a line, that cannot be used
│   └── BadRow              a row that cannot be read; the user may go on without it
├── WriteError              an output that could not be written; nothing half-written is left behind
├── ClusterError            a cluster that cannot be reached, or that went away in the middle
├── ProjectError            a project that cannot be opened, made or changed as asked
│   └── LedgerError         its database does not answer or refuses
├── RecipeError             a recipe or a step of it that cannot be run
└── Refused                 a request to the site that cannot be done as asked: HTTP 422
    ├── NotAllowed          the person may not do or see it: 403
    ├── NotFound            there is no such thing, or none that the person may know of: 404
    ├── Conflict            it does not fit what is there by now: 409
    └── TooMany             too many attempts for the moment: 429

Every error has a ``code``: a short name such as ``no-such-scheme`` that stays the same when its message is reworded.
The command line prints it in brackets, the API sends it, tests and scripts rely on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class OtherwordsError(Exception):
    """Anything a user can fix."""

    exit_code = 1

    def __init__(self, message: str, *, code: str = "unspecified") -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from workers as they were; what their classes are made with is not their message."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[OtherwordsError], args: tuple[Any, ...], fields: dict[str, Any]) -> OtherwordsError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class UsageError(OtherwordsError):
    """The request itself is wrong."""

    exit_code = 2


class NotInstalled(UsageError):
    """Something that only some tasks need is not on this machine; an optional step of a recipe goes without it."""


class MissingExtra(NotInstalled):
    """An optional package is needed and not installed; ``also`` is what to run after installing the extra."""

    def __init__(self, extra: str, what: str, also: str = "") -> None:
        line = f"pip install 'otherwords[{extra}]'" + (f" && {also}" if also else "")
        super().__init__(f"{what} needs an optional package: {line}", code="missing-extra")
        self.extra = extra


class LabelError(OtherwordsError, ValueError):
    """A label outside its scheme."""


class DataError(OtherwordsError):
    """A file that cannot be used, or one place in it."""

    def __init__(
        self, reason: str, path: str | Path | None = None, line: int | None = None, *, code: str = "unspecified"
    ) -> None:
        where = "".join([f"{path}: " if path is not None else "", f"line {line}: " if line else ""])
        super().__init__(where + reason, code=code)
        self.reason, self.path, self.line = reason, path, line


class BadRow(DataError):
    """A row that cannot be read, in a file whose other rows may be of use."""


class WriteError(OtherwordsError):
    """An output that could not be written."""


class ClusterError(OtherwordsError):
    """A cluster that cannot be reached, or that went away in the middle."""


class ProjectError(OtherwordsError):
    """A project that cannot be opened, made or changed as asked."""


class LedgerError(ProjectError):
    """The database of a project does not answer, or refuses."""


class RecipeError(OtherwordsError):
    """A recipe, or a step of it, that cannot be run."""


class Refused(OtherwordsError):
    """A request to the site that cannot be done as asked; ``field`` is the field of a form that is wrong."""

    status = 422

    def __init__(self, reason: str, field: str | None = None, *, code: str = "unspecified") -> None:
        super().__init__(reason, code=code)
        self.field = field


class NotAllowed(Refused):
    """The person may not do or see it."""

    status = 403


class NotFound(Refused):
    """There is no such thing, or none that the person may know of."""

    status = 404


class Conflict(Refused):
    """It does not fit what is there by now: somebody was faster, a reservation has run out."""

    status = 409


class TooMany(Refused):
    """Too many attempts for the moment; ``seconds`` is how long to wait."""

    status = 429

    def __init__(self, reason: str, seconds: int, *, code: str = "unspecified") -> None:
        super().__init__(reason, code=code)
        self.seconds = seconds
