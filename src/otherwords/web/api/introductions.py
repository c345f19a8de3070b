"""Introductions of batches: reading and agreeing to them, completion codes, and for curators writing and checking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd.introduction import (
    MOST_ANSWERS,
    Consent,
    agree_to,
    consent_of,
    introduction_of,
    publish_introduction,
)
from otherwords.annotate.schemes.guidelines import as_html
from otherwords.annotate.work import completion
from otherwords.annotate.work.completion import CheckedCode, CompletionCode, Participant
from otherwords.annotate.work.reservations import require_member
from otherwords.web.accounts.auth import Curator, Requester, Worker
from otherwords.web.accounts.roles import refuse_other_batches
from otherwords.web.api.guidelines import MOST_VERSIONS, Markdown, VersionNumber
from otherwords.web.fields import Body, Id, Key, Words
from otherwords.web.site import Site, site_of

router = APIRouter(tags=["introductions"])
Version = Annotated[int, Field(ge=1, le=MOST_VERSIONS)]


class IntroductionBody(Body):
    """A text to become the next version, and after how many answers people get a completion code.

    With 0 they get it when nothing is left for them, without a number there is none. ``after`` is the version that the
    author of the text had read.
    """

    key: Key
    text: Markdown
    code_after: Annotated[int, Field(ge=0, le=MOST_ANSWERS)] | None = None
    after: Annotated[int, Field(ge=0, le=MOST_VERSIONS)] | None = None


class ConsentBody(Body):
    """The version of the introduction that somebody read and agrees to."""

    key: Key
    version: Version


@dataclass(frozen=True, slots=True)
class IntroductionReply:
    """An introduction as it is written and as it is shown; ``agreed`` is when you agreed to it, if you did."""

    batch: str
    version: int
    text: str
    html: str
    code_after: int | None
    author: str | None
    time: str
    agreed: str | None


@router.get("/batches/{name}/introduction", summary="What people read before they begin with a batch")
def read(request: Request, viewer: Worker, name: Id, version: VersionNumber | None = None) -> IntroductionReply:
    with site_of(request).ledger.reading() as connection:
        if not viewer.may("curator"):
            refuse_other_batches(viewer.account, name)
            require_member(load_batch(connection, name), viewer.name)
        shown = introduction_of(connection, name, version)
        consent = consent_of(connection, name, viewer.name, shown.version)
    plain = (shown.batch, shown.version, shown.text, as_html(shown.text), shown.code_after, shown.author, shown.time)
    return IntroductionReply(*plain, consent.time if consent else None)


@router.put("/batches/{name}/introduction", summary="Publish the next version of an introduction")
def write(request: Request, viewer: Curator, name: Id, body: IntroductionBody) -> IntroductionReply:
    """Everybody is asked again before their next pair. What the newest version says already is no new one."""
    publish(site_of(request), name, body.text, body.code_after, viewer.name, body.after)
    return read(request, viewer, name)


def publish(site: Site, name: str, text: str, code_after: int | None, author: str, after: int | None) -> None:
    """Publish a text as the next version, unless somebody published another one since its author began."""
    site.writer.do(lambda connection: publish_introduction(connection, name, text, code_after, author, after))


@router.post("/batches/{name}/consent", summary="Agree to the introduction of a batch", status_code=201)
def agree(request: Request, viewer: Worker, name: Id, body: ConsentBody) -> Consent:
    """The time of the first consent to a version is kept."""
    return record_consent(site_of(request), viewer, name, body.version)


def record_consent(site: Site, viewer: Requester, name: str, version: int) -> Consent:
    """Record that somebody who may work on a batch agrees to a version of its introduction."""
    refuse_other_batches(viewer.account, name)
    with site.ledger.reading() as connection:
        require_member(load_batch(connection, name), viewer.name)
    return site.writer.do(lambda connection: agree_to(connection, name, viewer.name, version))


@router.post("/batches/{name}/completion", summary="Your completion code, if you have done what was asked for")
def complete(request: Request, viewer: Worker, name: Id) -> CompletionCode:
    site = site_of(request)
    refuse_other_batches(viewer.account, name)
    return site.writer.do(
        lambda connection: completion.completion_code(connection, name, viewer.name, site.test_handles)
    )


@router.get("/crowd/{name}/consents", summary="Who agreed to the introduction of a batch, and who has completed it")
def list_consents(request: Request, viewer: Curator, name: Id) -> list[Participant]:
    with site_of(request).ledger.reading() as connection:
        return completion.participants(connection, name)


@router.get("/crowd/{name}/code", summary="Whose completion code this is")
def check_code(request: Request, viewer: Curator, name: Id, code: Annotated[Words, Query()]) -> CheckedCode:
    with site_of(request).ledger.reading() as connection:
        return completion.check_code(connection, name, code)
