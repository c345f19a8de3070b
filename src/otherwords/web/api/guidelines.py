"""Guidelines: the instructions for a scheme, and publishing their next version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, Field
from sqlalchemy import Connection

from otherwords.annotate.schemes import guidelines
from otherwords.annotate.schemes.guidelines import (
    MAX_CHARACTERS,
    Guideline,
    GuidelineEdition,
    as_html,
    current_guideline,
    reference,
)
from otherwords.errors import Conflict, NotFound
from otherwords.registry import suggest
from otherwords.web.accounts.auth import Annotator, Curator
from otherwords.web.fields import Body, Id, Key, storable
from otherwords.web.site import Site, site_of

router = APIRouter(tags=["guidelines"])
MOST_VERSIONS = 2**31 - 1
VersionNumber = Annotated[int, Query(ge=0, le=MOST_VERSIONS)]
Markdown = Annotated[str, Field(max_length=2 * MAX_CHARACTERS), AfterValidator(storable)]


class GuidelineBody(Body):
    """A text to become the next version; ``after`` is the version that its author had read."""

    key: Key
    text: Markdown
    after: Annotated[int, Field(ge=0, le=MOST_VERSIONS)] | None = None


class Draft(Body):
    """A text to be looked at."""

    text: Markdown


@dataclass(frozen=True, slots=True)
class GuidelineReply:
    """A version of a guideline, as it is written and as it is shown, and which versions there are.

    ``lang`` is the language of a text that comes with otherwords.
    """

    reference: str
    scheme: str
    version: int
    text: str
    html: str
    author: str | None
    time: str | None
    is_current: bool
    versions: list[GuidelineEdition]
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as it would be shown."""

    html: str


@router.get("/guidelines/{scheme}", summary="The guidelines of a scheme, as annotators read them")
def read(request: Request, viewer: Annotator, scheme: Id, version: VersionNumber | None = None) -> GuidelineReply:
    site = site_of(request)
    _refuse_unknown(site, scheme)
    with site.ledger.reading() as connection:
        newest = current_guideline(connection, scheme, site.project.folder)
        shown = newest if version is None else guidelines.version(connection, scheme, version, site.project.folder)
        all_versions = guidelines.versions(connection, scheme, site.project.folder)
    plain = (shown.scheme, shown.version, shown.text, as_html(shown.text), shown.author, shown.time)
    return GuidelineReply(reference(shown), *plain, shown.version == newest.version, all_versions, shown.lang)


@router.put("/guidelines/{scheme}", summary="Publish the next version of a guideline")
def write(request: Request, viewer: Curator, scheme: Id, body: GuidelineBody) -> GuidelineReply:
    """A text that the current version has already is no new one, so the same text sent twice is published once."""
    publish_next(site_of(request), scheme, body.text, viewer.name, body.after)
    return read(request, viewer, scheme)


@router.post("/guidelines/{scheme}/preview", summary="A text of a guideline as it would be shown")
def render(request: Request, viewer: Curator, scheme: Id, body: Draft) -> Rendered:
    _refuse_unknown(site_of(request), scheme)
    return Rendered(as_html(body.text))


def publish_next(site: Site, scheme: str, text: str, author: str, after: int | None) -> Guideline:
    """Publish a text as the next version, unless somebody published another one since its author began."""
    _refuse_unknown(site, scheme)

    def work(connection: Connection) -> Guideline:
        before = current_guideline(connection, scheme, site.project.folder)
        published = guidelines.publish_guideline(connection, scheme, text, author, site.project.folder)
        if published != before and after is not None and after != before.version:
            reason = f"version {before.version} was published since you began; read it, then publish yours"
            raise Conflict(reason, code="newer-version")
        return published

    return site.writer.do(work)


def _refuse_unknown(site: Site, scheme: str) -> None:
    known = guidelines.guideline_subjects(site.project.folder)
    if scheme not in known:
        raise NotFound(f"there is no scheme {scheme!r}{suggest(scheme, known)}", code="no-such-scheme")
