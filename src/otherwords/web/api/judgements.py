"""Saving judgements: the most frequent request, so it is parsed fast and authorised in the saving transaction."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from otherwords.annotate.work.answers import AnswerBody, undo
from otherwords.errors import NotAllowed, Refused
from otherwords.records import Judgement
from otherwords.web.accounts import auth
from otherwords.web.accounts.auth import Requester, Worker
from otherwords.web.fields import MOST_KEY, Id, Key
from otherwords.web.site import site_of
from otherwords.web.writer import Answer

router = APIRouter(tags=["judgements"])
_DECODER = msgspec.json.Decoder(AnswerBody)
_ENCODE = msgspec.json.Encoder().encode
SAVED = ("id", "unit", "batch", "value", "unsure", "note", "rewrites", "time", "guideline", "supersedes")


# The JSON schema of an answer in one piece, as OpenAPI needs it.
_, _PARTS = msgspec.json.schema_components([AnswerBody], ref_template="#/$defs/{name}")
_SCHEMA = _PARTS[AnswerBody.__name__] | ({"$defs": _PARTS} if len(_PARTS) > 1 else {})


def names_of_senders(connection: Connection, answers: list[Answer]) -> list[str | Refused]:
    """Who sent each answer, or why it is refused."""
    requesters = auth.requesters_of(connection, [answer.credential for answer in answers])
    return [known if isinstance(known, Refused) else _name_of_worker(known) for known in requesters]


def _name_of_worker(requester: Requester) -> str | Refused:
    if not requester.may("worker"):
        return NotAllowed("this token is not for annotating", code="insufficient-scope")
    return requester.name


@router.post(
    "/judgements",
    summary="Save a judgement",
    description="Answer a unit that you hold. The same answer sent again under the same key is saved once.",
    status_code=201,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _SCHEMA}}}},
)
async def save(request: Request) -> Response:
    credential = auth.credential_of(request)
    auth.refuse_anonymous(credential)
    try:
        body = await request.body()
        answer = _DECODER.decode(body)
    except (ValueError, RecursionError) as problem:  # msgspec's own errors, and what it says of bytes that are no UTF-8
        raise Refused(f"not an answer: {problem}", code="invalid-request") from None
    check_key(answer.key)
    if b"\\u0000" in body:
        reason = "an answer has no null characters, which no database stores; leave them out"
        raise Refused(reason, code="unstorable-text")
    judgement = await site_of(request).writer.answer(credential, answer)
    return Response(_encode(judgement), 201, media_type="application/json")


def _encode(judgement: Judgement) -> bytes:
    """What a page needs to know of a saved judgement."""
    reply = {name: getattr(judgement, name) for name in SAVED}
    if "test" in judgement.meta:  # now that it is answered, the page may explain what was wrong
        reply["test"] = judgement.meta["test"]
    return _ENCODE(reply)


def check_key(key: str) -> None:
    """Refuse a key that is empty, long or not printable; pages make a new one for each thing that they send."""
    if not 1 <= len(key) <= MOST_KEY or not key.isprintable():
        raise Refused(f"a key has 1 to {MOST_KEY} printable characters", "key", code="invalid-key")


@router.post("/judgements/{judgement}/undo", summary="Take back a judgement of yours")
def take_back(request: Request, viewer: Worker, judgement: Id, key: Key) -> Response:
    undone = site_of(request).writer.do(lambda connection: undo(connection, viewer.name, judgement, key))
    return Response(_encode(undone), media_type="application/json")
