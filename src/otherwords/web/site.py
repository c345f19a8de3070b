"""What the routes of a running site share: the project, its writer, its templates and a cache."""

from __future__ import annotations

import contextlib
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlalchemy import Connection, func, select

from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project import Project, open_project
from otherwords.project.ledger import Ledger, schema
from otherwords.web.accounts.sessions import session_cookie
from otherwords.web.address import DEFAULT_ADDRESS
from otherwords.web.oidc.id_token import require_joserfc
from otherwords.web.oidc.provider import IdentityProvider, read_oidc
from otherwords.web.searches import Searches
from otherwords.web.sentences import full_sentence, refusal_html, sentence_html
from otherwords.web.tables import format_minute
from otherwords.web.texts import digits, refusal, translate, translate_count, translate_in_context, word
from otherwords.web.writer import SenderNames, Writer

T = TypeVar("T")
HERE = Path(__file__).parent
DEFAULT_SCHEME = "turku"
KEPT_TIMES = 20  # a result is kept that many times as long as it took to compute


@dataclass(frozen=True, slots=True)
class TimedCache:
    """Results by name, each with the time until which it is used, and the last withdrawal before it was computed."""

    _results: dict[str, tuple[float, int, Any]] = field(default_factory=dict)
    _locks: dict[str, threading.Lock] = field(default_factory=dict)

    def get(self, name: str, make: Callable[[], T], withdrawal: int = 0) -> T:
        """The result of that name, computed if there is none, it is too old or something was withdrawn since."""
        with self._locks.setdefault(name, threading.Lock()):
            start = time.monotonic()
            until, before, cached = self._results.get(name, (0.0, 0, None))
            if start < until and before == withdrawal:
                valid: T = cached
                return valid
            result = make()
            now = time.monotonic()
            self._results[name] = (now + KEPT_TIMES * (now - start), withdrawal, result)
            return result


@dataclass(frozen=True, slots=True)
class Site:
    """A project that is being served."""

    project: Project
    writer: Writer
    test_handles: SlotHandles
    templates: Environment
    cookie: str  # the name of the one with a session
    public: bool = False
    address: str = DEFAULT_ADDRESS  # with which links begin
    provider: IdentityProvider | None = None  # at which people may sign in
    cache: TimedCache = field(default_factory=TimedCache)
    searches: Searches = field(default_factory=Searches)

    @property
    def ledger(self) -> Ledger:
        return self.project.ledger

    @property
    def scheme_name(self) -> str:
        """The scheme of the project, for whatever is not in a batch."""
        return self.project.config.scheme or DEFAULT_SCHEME

    def scheme(self, name: str) -> Scheme:
        return load_scheme(name, self.project.folder)

    def cached(self, name: str, read: Callable[[Connection], T]) -> T:
        """The result of a slow read of the ledger, which may be a little old, but not older than a withdrawal."""

        def work() -> T:
            with self.ledger.reading() as connection:
                return read(connection)

        return self.cached_for(name, work)

    def cached_for(self, name: str, work: Callable[[], T], *facts: object) -> T:
        """The result of slow work, not older than a withdrawal or a change of the facts that it depends on."""
        with self.ledger.reading() as connection:
            withdrawal = connection.execute(select(func.max(schema.tombstones.c.seq))).scalar_one() or 0
        return self.cache.get(name, work, withdrawal if not facts else zlib.crc32(repr((withdrawal, facts)).encode()))


@contextlib.contextmanager
def serving(
    folder: Path, names_of_senders: SenderNames, *, public: bool = False, address: str = DEFAULT_ADDRESS
) -> Iterator[Site]:
    """Open a project for a site; at the end the writer finishes what is queued."""
    with open_project(folder) as project:
        provider = None if public else identity_provider(project.folder)
        handles = SlotHandles(project.folder)
        writer = Writer(
            project.ledger, names_of_senders, lambda name: load_scheme(name, project.folder), Editions(), handles
        )
        try:
            yield Site(project, writer, handles, templates(), session_cookie(project), public, address, provider)
        finally:
            writer.close()


def identity_provider(folder: Path) -> IdentityProvider | None:
    """The provider that the settings of a project name, if they name one and what it needs is there."""
    settings = read_oidc(folder)
    if settings is None:
        return None
    require_joserfc()
    return IdentityProvider(*settings)


@cache
def templates() -> Environment:
    """The templates, compiled once in a process; they escape every value, and an undefined name is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        translate, translate_count, newstyle=True, pgettext=translate_in_context
    )
    environment.globals |= {"word": word, "digits": digits, "in_context": translate_in_context}
    environment.globals |= {
        "sentence": sentence_html,
        "full_sentence": full_sentence,
        "refusal": refusal_html,
        "refusal_text": refusal,
    }
    environment.filters |= {"minute": format_minute, "word": word}
    return environment


@dataclass(frozen=True, slots=True)
class Editions:
    """Which versions of guidelines exist. Versions are never deleted, so known ones are not looked up again."""

    _newest: dict[str, int] = field(default_factory=dict)

    def __call__(self, connection: Connection, name: str, version: int) -> bool:
        if version > self._newest.get(name, 0):
            columns = schema.guidelines.c
            newest = connection.execute(select(func.max(columns.version)).where(columns.scheme == name)).scalar()
            self._newest[name] = newest or 0
        return version <= self._newest.get(name, 0)


def site_of(request: Request) -> Site:
    """The site that a request is for."""
    site: Any = request.app.state.site
    assert isinstance(site, Site)
    return site
