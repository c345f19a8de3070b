"""Saving judgements, what happens all the time: read fast, and checked together with the session."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from otherwords.annotate.judging import Said
from otherwords.annotate.undoing import undo
from otherwords.errors import NotAllowed, Refused
from otherwords.records import Judgement
from otherwords.web.fields import Id, Key
from otherwords.web.sessions import Session, sessions_of
from otherwords.web.site import site_of
from otherwords.web.viewer import Credential, Worker, credential_of, refuse_bare, viewer_of, viewer_of_session
from otherwords.web.writer import Answer

router = APIRouter(tags=["judgements"])
_SAID = msgspec.json.Decoder(Said)
_ENCODE = msgspec.json.Encoder().encode
MOST_KEY = 200
SAVED = ("id", "unit", "batch", "value", "unsure", "note", "rewrites", "time", "guideline", "supersedes")


def _schema(kind: Any) -> dict[str, Any]:
    """The JSON schema of a struct, whole in one place as OpenAPI wants it."""
    (told,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    body: dict[str, Any] = dict(parts[kind.__name__]) if "$ref" in told else told
    return body | {"$defs": parts} if len(parts) > 1 else body


def who_answers(connection: Connection, answers: list[Answer]) -> list[str | Refused]:
    """The names of those who sent answers, or why theirs is not taken; sessions are looked up together."""
    secrets = {one.credential.session for one in answers if one.credential.session and one.credential.token is None}
    sessions = sessions_of(connection, sorted(secrets)) if secrets else {}
    return [_name(connection, one.credential, sessions) for one in answers]


def _name(connection: Connection, credential: Credential, sessions: dict[str, Session]) -> str | Refused:
    try:
        if credential.token is not None:
            found = viewer_of(connection, credential)
        else:
            found = viewer_of_session(sessions.get(credential.session or ""), credential)
    except Refused as problem:
        return problem
    return found.name if found.may("worker") else NotAllowed("this token is not for annotating")


@router.post(
    "/judgements",
    summary="Save a judgement",
    description="Answer a unit that you hold. The same answer sent again under the same key is saved once.",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _schema(Said)}}}},
)
async def save(request: Request) -> Response:
    credential = credential_of(request)
    refuse_bare(credential)
    try:
        body = await request.body()
        said = _SAID.decode(body)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as problem:
        raise Refused(f"not an answer: {problem}") from None
    check_key(said.key)
    if b"\\u0000" in body:
        raise Refused("an answer has no null characters, which no database takes; leave them out")
    made = await site_of(request).writer.answer(credential, said)
    return Response(_told(made), 201, media_type="application/json")


def _told(made: Judgement) -> bytes:
    """What a page needs to know of a judgement that is safe now."""
    told = {name: getattr(made, name) for name in SAVED}
    if "test" in made.meta:  # now that it is answered it may be known, and why the answer was wrong
        told["test"] = made.meta["test"]
    return _ENCODE(told)


def check_key(key: str) -> None:
    """A key is any short string, made anew by the page for each thing that it sends."""
    if not 1 <= len(key) <= MOST_KEY or not key.isprintable():
        raise Refused(f"a key has 1 to {MOST_KEY} printable characters")


@router.post("/judgements/{judgement}/undo", summary="Take back a judgement of yours")
def take_back(request: Request, viewer: Worker, judgement: Id, key: Key) -> Response:
    made = site_of(request).writer.do(lambda connection: undo(connection, viewer.name, judgement, key))
    return Response(_told(made), media_type="application/json")
