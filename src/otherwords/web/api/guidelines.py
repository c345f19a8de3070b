"""Guidelines: what annotators are told about a scheme, and its next version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, Field
from sqlalchemy import Connection

from otherwords.annotate.guidelines import (
    MOST_CHARACTERS,
    Edition,
    Guideline,
    as_html,
    current,
    publish,
    reference,
    subjects,
    version,
    versions,
)
from otherwords.errors import Conflict, NotFound
from otherwords.registry import suggest
from otherwords.web.fields import Body, Id, Key, storable
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Annotator, Curator

router = APIRouter(tags=["guidelines"])
MOST_VERSIONS = 2**31 - 1
Number = Annotated[int, Query(ge=0, le=MOST_VERSIONS)]
Markdown = Annotated[str, Field(max_length=2 * MOST_CHARACTERS), AfterValidator(storable)]


class Publishing(Body):
    """A text to become the next version; ``after`` is the version that its writer had in view."""

    key: Key
    text: Markdown
    after: Annotated[int, Field(ge=0, le=MOST_VERSIONS)] | None = None


class Draft(Body):
    """A text to be looked at."""

    text: Markdown


@dataclass(frozen=True, slots=True)
class Told:
    """A version of a guideline, as it is written and as it is shown, and which versions there are."""

    reference: str
    scheme: str
    version: int
    text: str
    html: str
    author: str | None
    time: str | None
    is_current: bool
    versions: list[Edition]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as it would be shown."""

    html: str


@router.get("/guidelines/{scheme}", summary="What annotators are told about a scheme")
def read(request: Request, viewer: Annotator, scheme: Id, version: Number | None = None) -> Told:
    return guideline(site_of(request), scheme, version)


@router.put("/guidelines/{scheme}", summary="Publish the next version of a guideline")
def write(request: Request, viewer: Curator, scheme: Id, asked: Publishing) -> Told:
    """A text that the current version has already is no new one, so the same text sent twice is published once."""
    site = site_of(request)
    publish_next(site, scheme, asked.text, viewer.name, asked.after)
    return guideline(site, scheme)


@router.post("/guidelines/{scheme}/preview", summary="A text of a guideline as it would be shown")
def render(request: Request, viewer: Curator, scheme: Id, asked: Draft) -> Rendered:
    _refuse_unknown(site_of(request), scheme)
    return Rendered(as_html(asked.text))


def guideline(site: Site, scheme: str, number: int | None = None) -> Told:
    """A version of a guideline, the current one where none is named."""
    _refuse_unknown(site, scheme)
    with site.ledger.reading() as connection:
        newest = current(connection, scheme, site.project.folder)
        found = newest if number is None else version(connection, scheme, number, site.project.folder)
        every = versions(connection, scheme, site.project.folder)
    plain = (found.scheme, found.version, found.text, as_html(found.text), found.author, found.time)
    return Told(reference(found), *plain, found.version == newest.version, every)


def publish_next(site: Site, scheme: str, text: str, author: str, after: int | None) -> Guideline:
    """Make a text the next version, unless somebody published another one since its writer began."""
    _refuse_unknown(site, scheme)

    def work(connection: Connection) -> Guideline:
        before = current(connection, scheme, site.project.folder)
        made = publish(connection, scheme, text, author, site.project.folder)
        if made != before and after is not None and after != before.version:
            raise Conflict(f"version {before.version} was published since you began; read it, then publish yours")
        return made

    return site.writer.do(work)


def _refuse_unknown(site: Site, scheme: str) -> None:
    known = subjects(site.project.folder)
    if scheme not in known:
        raise NotFound(f"there is no scheme {scheme!r}{suggest(scheme, known)}")
