"""The options of a release, checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.registry import suggest

UNSPLIT = "none"  # what --by is where everything is one part
FOLDER = "releases"  # of a project
_VERSION = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.+_-]{0,62}[0-9A-Za-z])?")


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """The options of a release; where one is None, the project decides."""

    version: str
    licence: str
    out: Path | None = None
    date: str | None = None  # None: the day on which it is first released
    scheme: str | None = None  # whose labels are released; None: the project's own
    view: str | None = None  # None: the main view
    by: str | None = None  # what the split keeps together; None: as in the last split
    parts: str | None = None
    seed: int | None = None
    keep_labels: tuple[str, ...] = ()  # of those that releases by the scheme leave out
    anyway: tuple[str, ...] = ()  # checks that do not stop it
    simulated: bool = False
    meta: tuple[str, ...] = ()  # keys of metadata that are published; all others stay in the project

    def checked(self, checks: Collection[str]) -> ReleaseOptions:
        """The same options; an error if they are impossible."""
        if not _VERSION.fullmatch(self.version):
            message = f"--version {self.version!r}: use letters, digits, dots and hyphens, such as 1.0"
            raise UsageError(message, code="bad-version")
        try:
            if self.date is not None and date.fromisoformat(self.date).isoformat() != self.date:
                raise ValueError
        except ValueError:
            raise UsageError(f"--date {self.date!r}: expected YYYY-MM-DD", code="not-a-date") from None
        if self.by == UNSPLIT and (self.parts is not None or self.seed is not None):
            raise UsageError("--by none does not split; leave out --parts and --seed", code="parts-without-split")
        for name in self.anyway:
            if name not in checks:
                message = f"--anyway {name!r}: there is no such check{suggest(name, list(checks))}"
                raise UsageError(message, code="no-such-check")
        return self

    def target(self, project: Path) -> Path:
        """The folder of the release."""
        return self.out if self.out is not None else project / FOLDER / self.version

    def as_parameters(self) -> dict[str, object]:
        """What the content depends on, besides the ledger."""
        listed = {name: sorted(getattr(self, name)) for name in ("keep_labels", "anyway", "meta")}
        return {"view": self.view, **listed, **({"scheme": self.scheme} if self.scheme else {})}
