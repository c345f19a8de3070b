"""Kinds of steps: what each reads, which parameters it knows, and how it is done.

A work is given a :class:`Running` and gives a :class:`Result`. It writes at most one table, aside, and hands
over what is to go into the ledger as a function, so that the table and the ledger change together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from otherwords.errors import RecipeError
from otherwords.project.project import Project
from otherwords.registry import Registry, suggest
from otherwords.sources.rows import scalar

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Running:
    """One step being run."""

    project: Project
    step: str
    key: str
    parameters: dict[str, Any]
    jobs: int | None
    progress: Progress

    @property
    def table(self) -> Path:
        """Where the step's table goes."""
        return self.project.tables / self.step / f"{self.key}.parquet"


@dataclass(slots=True)
class Result:
    """What a step gave: its counts, its table, and what it wants written into the ledger."""

    rows_in: int = 0
    rows_out: int = 0
    counts: dict[str, Any] = field(default_factory=dict)
    table: Path | None = None
    record: Callable[[Connection], None] | None = None
    waiting: Waiting | None = None  # for people: nothing was done, and what comes after it has to wait too


@dataclass(frozen=True, slots=True)
class Waiting:
    """What people have to do before a step can be done."""

    what: str  # how much of what is left
    then: str  # where it is done; after that the recipe is run again


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of step. ``inputs`` says what the result depends on besides the parameters."""

    name: str
    version: int
    parameters: dict[str, Any]
    inputs: Callable[[Project, dict[str, Any]], dict[str, Any]]
    run: Callable[[Running], Result]
    rows_a_second: float = 1000.0
    megabytes: float = 200.0
    megabytes_a_million_rows: float = 1000.0
    needs: frozenset[str] = frozenset()
    waits: Callable[[Project, dict[str, Any]], Waiting | None] | None = None  # for people; None: nothing is left

    def as_typed(self, name: str, value: Any) -> Any:
        """A value as it is typed on a command line: where a list is expected, a text is its parts between commas."""
        if not isinstance(self.parameters.get(name), list) or not isinstance(value, str | int | float):
            return value
        text = value if isinstance(value, str) else scalar(value)
        return [part.strip() for part in text.split(",") if part.strip()]

    def checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """All parameters, with the defaults for those not given; an unknown one is an error."""
        for name, value in given.items():
            if name not in self.parameters:
                raise RecipeError(f"{self.name} has no parameter {name!r}{suggest(name, list(self.parameters))}")
            default = self.parameters[name]
            if default is not None and value is not None and not _alike(value, default):
                kind = {float: "number", int: "whole number", bool: "true or false", str: "text", list: "list"}
                wanted = kind.get(type(default), type(default).__name__)
                raise RecipeError(f"{self.name}: {name} = {value!r}: {wanted} is expected, such as {default!r}")
        checked = {**self.parameters, **given}
        if "low" in checked:
            low, high = checked["low"], checked.get("high", 1.0)
            if not 0.0 <= low <= high <= 1.0:
                raise RecipeError(f"{self.name}: a band from {low} to {high}: give 0 <= low <= high <= 1")
        return checked


def _alike(value: Any, default: Any) -> bool:
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    return isinstance(value, int | float) if isinstance(default, float) else isinstance(value, type(default))


_ALIGN = "otherwords.project.aligning"

WORKS: Registry[Work] = Registry(
    "work",
    {
        "import": "otherwords.project.importing:IMPORT",
        "align-subtitles": f"{_ALIGN}:SUBTITLES",
        "align-news": f"{_ALIGN}:NEWS",
        "align-headings": f"{_ALIGN}:HEADINGS",
        "align-forum": f"{_ALIGN}:FORUM",
        "align-groups": f"{_ALIGN}:GROUPS",
        "align-posts": f"{_ALIGN}:POSTS",
        "need": "otherwords.project.needing:NEED",
        "batch": "otherwords.annotate.batch_steps:BATCH",
        "check-rewrites": "otherwords.annotate.batch_steps:CHECK",
        "keep-agreed": "otherwords.annotate.agreed_steps:KEEP",
        "people": "otherwords.annotate.people_steps:PEOPLE",
        "label": "otherwords.corpus.labelling:LABEL",
        "split": "otherwords.corpus.parts:SPLIT",
        "report": "otherwords.analyse.closing_steps:REPORT",
        "release": "otherwords.analyse.closing_steps:RELEASE",
    },
)
