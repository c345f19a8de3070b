"""What the routes of a running site share: the project, its one writer, its templates."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlalchemy import Connection, func, select

from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes import scheme
from otherwords.project import Project, opened, schema
from otherwords.project.ledger import Ledger
from otherwords.web.writer import Who, Writer

HERE = Path(__file__).parent
DEFAULT_SCHEME = "turku"


@dataclass(frozen=True, slots=True)
class Site:
    """A project that is being served."""

    project: Project
    writer: Writer
    templates: Environment
    public: bool = False

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
        writer = Writer(project.ledger, who, lambda name: scheme(name, project.folder), latest_guideline)
        try:
            yield Site(project, writer, templates(), public)
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


def latest_guideline(connection: Connection, name: str) -> int:
    """The newest version of a scheme's guideline; 0 is the one that comes with the scheme."""
    one = schema.guidelines
    return connection.execute(select(func.max(one.c.version)).where(one.c.scheme == name)).scalar() or 0


def site_of(request: Request) -> Site:
    """The site that a request is for."""
    found: Any = request.app.state.site
    assert isinstance(found, Site)
    return found
