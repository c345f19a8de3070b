"""Who made the corpus, for curators: ``[about]`` in the settings of the project, read and replaced as a whole."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request
from pydantic import AfterValidator, Field
from sqlalchemy import Connection, insert

from otherwords.errors import Conflict
from otherwords.project.about import MOST_AUTHORS, MOST_CHARACTERS, About, checked_about, read_about, write_about
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.accounts.auth import Curator
from otherwords.web.fields import Body, storable
from otherwords.web.site import Site, site_of

router = APIRouter(tags=["about"])
CHANGED = "about changed"  # action of the audit trail
Entry = Annotated[str, Field(max_length=MOST_CHARACTERS), AfterValidator(storable)]


class AuthorEntry(Body):
    """Somebody who made the corpus."""

    name: Entry
    orcid: Entry = ""
    affiliation: Entry = ""


class TextEntries(Body):
    """What is known about the texts."""

    variety: Entry = ""
    speakers: Entry = ""
    situation: Entry = ""
    genre: Entry = ""


class AnnotatorEntries(Body):
    """What is known about the people who judged."""

    background: Entry = ""
    pay: Entry = ""


class AboutEntries(Body):
    """Who made a corpus, and what its readers should know; whatever is not known is empty."""

    title: Entry = ""
    description: Entry = ""
    contact: Entry = ""
    funding: Entry = ""
    citation: Entry = ""
    authors: Annotated[list[AuthorEntry], Field(default_factory=list, max_length=MOST_AUTHORS)]
    texts: TextEntries = TextEntries()
    annotators: AnnotatorEntries = AnnotatorEntries()


class AboutBody(AboutEntries):
    """All entries as they should be; ``after`` is the version that their author had read."""

    after: Annotated[str, Field(max_length=64), AfterValidator(storable)] | None = None


class AboutReply(AboutEntries):
    """All entries, which of them are empty, and a name for this version of them."""

    empty: list[str]
    version: str


@router.get("/about", summary="Who made the corpus, and what its readers should know")
def read(request: Request, viewer: Curator) -> AboutReply:
    about = read_about(site_of(request).project.folder)
    return AboutReply(**msgspec.to_builtins(about), empty=about.empty, version=version_of(about))


@router.put("/about", summary="Change who made the corpus, and what its readers should know")
def write(request: Request, viewer: Curator, body: AboutBody) -> AboutReply:
    """All entries are replaced; those that are left out become empty. The same entries sent twice change nothing."""
    about = checked_about(body.model_dump(exclude={"after"}))
    change_about(site_of(request), about, viewer.name, body.after)
    return read(request, viewer)


def change_about(site: Site, about: About, author: str, after: str | None) -> None:
    """Write the settings and a line of the audit trail, unless somebody else changed them meanwhile."""
    folder = site.project.folder

    def work(connection: Connection) -> None:
        before = read_about(folder)
        if before == about:
            return
        if after is not None and after != version_of(before):
            reason = "somebody changed this since you began; open the page again, then make your changes"
            raise Conflict(reason, code="newer-version")
        row = {"time": now(), "actor": author, "action": CHANGED, "detail": {"changed": about.changes(before)}}
        connection.execute(insert(schema.events).values(**row))
        write_about(folder, about)

    site.writer.do(work)


def version_of(about: About) -> str:
    """A name for these entries, which changes with them."""
    return hashlib.sha256(msgspec.json.encode(about)).hexdigest()[:16]
