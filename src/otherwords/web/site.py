"""What the routes of a running site share: the project, its one writer, its templates."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlalchemy import Connection, func, select

from otherwords.annotate.concealing import Concealing
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes import scheme
from otherwords.project import Project, opened, schema
from otherwords.project.ledger import Ledger
from otherwords.web.remembered import Remembered
from otherwords.web.writer import Who, Writer

HERE = Path(__file__).parent
DEFAULT_SCHEME = "turku"


@dataclass(frozen=True, slots=True)
class Site:
    """A project that is being served."""

    project: Project
    writer: Writer
    concealing: Concealing
    templates: Environment
    public: bool = False
    remembered: Remembered = field(default_factory=Remembered)

    @property
    def ledger(self) -> Ledger:
        return self.project.ledger

    @property
    def scheme_name(self) -> str:
        """The scheme of the project, for what is not in a batch of its own."""
        return self.project.config.scheme or DEFAULT_SCHEME

    def scheme(self, name: str) -> Scheme:
        return scheme(name, self.project.folder)


@contextlib.contextmanager
def serving(folder: Path, who: Who, *, public: bool = False) -> Iterator[Site]:
    """Open a project for a site; its writer finishes what it has before the end."""
    with opened(folder) as project:
        concealing = Concealing(project.folder)
        writer = Writer(project.ledger, who, lambda name: scheme(name, project.folder), Editions(), concealing)
        try:
            yield Site(project, writer, concealing, templates(), public)
        finally:
            writer.close()


def templates() -> Environment:
    """The pages; whatever is put into one is escaped, and a name that is not there is an error."""
    loader = FileSystemLoader(HERE / "templates")
    return Environment(
        loader=loader,
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Editions:
    """Which versions of guidelines there are. They only ever become more, so what is known need not be asked again."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}

    def __call__(self, connection: Connection, name: str, version: int) -> bool:
        if version > self._newest.get(name, 0):
            one = schema.guidelines
            newest = connection.execute(select(func.max(one.c.version)).where(one.c.scheme == name)).scalar()
            self._newest[name] = newest or 0
        return version <= self._newest.get(name, 0)


def site_of(request: Request) -> Site:
    """The site that a request is for."""
    found: Any = request.app.state.site
    assert isinstance(found, Site)
    return found
