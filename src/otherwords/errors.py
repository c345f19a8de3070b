"""What can go wrong, as one small tree. Every message says what, where and what to do.

OtherwordsError             anything a user can mend; the command line prints it as one line and exits 1
├── UsageError              the request itself is off (unknown measure, option that does not fit): exit 2
│   └── MissingExtra        an optional package is not installed; the message is the install line
├── LabelError              a label outside its scheme
├── DataError               a file, and where known a line, that cannot be used
├── WriteError              an output that could not be written; nothing half-written is left behind
├── ProjectError            a project that cannot be opened, made or changed as asked
│   └── LedgerError         its database does not answer or refuses
├── RecipeError             a recipe or a step of it that cannot be run
└── Refused                 what somebody asked of the site cannot be done as asked: HTTP 422
    ├── NotAllowed          it is not theirs to do or to see: 403
    ├── NotFound            there is no such thing, or none that they may know of: 404
    ├── Conflict            it does not fit what is there by now: 409
    └── TooMany             too many attempts for the moment: 429
"""

from __future__ import annotations

from pathlib import Path


class OtherwordsError(Exception):
    """Anything a user can mend."""

    exit_code = 1


class UsageError(OtherwordsError):
    """The request itself is off."""

    exit_code = 2


class MissingExtra(UsageError):
    """An optional package is needed and not installed."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'otherwords[{extra}]'")
        self.extra = extra


class LabelError(OtherwordsError, ValueError):
    """A label outside its scheme."""


class DataError(OtherwordsError):
    """A file that cannot be used, or one place in it."""

    def __init__(self, reason: str, path: str | Path | None = None, line: int | None = None) -> None:
        where = "".join([f"{path}: " if path is not None else "", f"line {line}: " if line else ""])
        super().__init__(where + reason)
        self.reason, self.path, self.line = reason, path, line


class WriteError(OtherwordsError):
    """An output that could not be written."""


class ProjectError(OtherwordsError):
    """A project that cannot be opened, made or changed as asked."""


class LedgerError(ProjectError):
    """The database of a project does not answer, or refuses."""


class RecipeError(OtherwordsError):
    """A recipe, or a step of it, that cannot be run."""


class Refused(OtherwordsError):
    """What somebody asked of the site cannot be done as asked; nothing was changed."""

    status = 422


class NotAllowed(Refused):
    """It is not theirs to do or to see."""

    status = 403


class NotFound(Refused):
    """There is no such thing, or none that they may know of."""

    status = 404


class Conflict(Refused):
    """It does not fit what is there by now: somebody was faster, a reservation has run out."""

    status = 409


class TooMany(Refused):
    """Too many attempts for the moment; ``seconds`` is how long to wait."""

    status = 429

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason)
        self.seconds = seconds
