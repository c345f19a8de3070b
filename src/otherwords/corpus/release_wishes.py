"""What somebody wants of a release, checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from otherwords.errors import UsageError
from otherwords.registry import suggest

UNSPLIT = "none"  # what --by is where everything is one part
FOLDER = "releases"  # of a project
_VERSION = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.+_-]{0,62}[0-9A-Za-z])?")


@dataclass(frozen=True, slots=True)
class Wishes:
    """One release; what is None is decided by the project."""

    version: str
    licence: str
    out: Path | None = None
    date: str | None = None  # of the first making, where it is not given
    view: str | None = None  # the labels of this view; without it, the full ones
    by: str | None = None  # what the split keeps together; what is not given is as it was last
    parts: str | None = None
    seed: int | None = None
    keep_labels: tuple[str, ...] = ()  # that a release of the scheme leaves out
    anyway: tuple[str, ...] = ()  # checks that do not stop it
    simulated: bool = False

    def checked(self, checks: Collection[str]) -> Wishes:
        """The same wishes, if they can be fulfilled at all."""
        if not _VERSION.fullmatch(self.version):
            raise UsageError(f"--version {self.version!r}: use letters, digits, dots and hyphens, such as 1.0")
        if self.date is not None:
            _check_date(self.date)
        if self.by == UNSPLIT and (self.parts is not None or self.seed is not None):
            raise UsageError("--by none does not split; leave --parts and --seed away")
        for name in self.anyway:
            if name not in checks:
                raise UsageError(f"--anyway {name!r}: there is no such check{suggest(name, list(checks))}")
        return self

    def target(self, project: Path) -> Path:
        """Where the release goes."""
        return self.out if self.out is not None else project / FOLDER / self.version

    def as_parameters(self) -> dict[str, Any]:
        """What the content follows from, besides the ledger."""
        return {"view": self.view, "keep_labels": sorted(self.keep_labels), "anyway": sorted(self.anyway)}


def _check_date(text: str) -> None:
    try:
        if date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        raise UsageError(f"--date {text!r}: expected YYYY-MM-DD") from None
