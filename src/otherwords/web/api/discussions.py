"""Discussions: the thread of a pair or a document pair, and the queue of open ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from otherwords.annotate.discussion import threads
from otherwords.annotate.discussion.threads import Action, OpenThread, Remark, Unit
from otherwords.web.accounts.auth import Annotator
from otherwords.web.fields import Body, Id, Key, Text
from otherwords.web.site import site_of

router = APIRouter(tags=["discussions"])
Count = Annotated[int, Query(ge=1, le=threads.MAX_PAGE_THREADS)]
Place = Annotated[Text, Query(max_length=40)]


class RemarkBody(Body):
    """A remark, or resolving or reopening a thread."""

    key: Key
    action: Literal["say", "resolve", "reopen"] = "say"
    text: Text = ""


@dataclass(frozen=True, slots=True)
class RemarkReply:
    """A remark as a page shows it."""

    id: str
    author: str | None
    action: Action
    text: str
    time: str


@dataclass(frozen=True, slots=True)
class ThreadReply:
    """All remarks about a unit in their order, and whether the thread is open."""

    remarks: list[RemarkReply]
    open: bool


@dataclass(frozen=True, slots=True)
class ThreadQueue:
    """Open threads, and where the next page begins; None at the end."""

    threads: list[OpenThread]
    next: str | None


@router.get("/pairs/{pair:path}/remarks", summary="The discussion of a pair")
def remarks(request: Request, viewer: Annotator, pair: Id) -> ThreadReply:
    """It opens when you have judged the pair and, where several people judge it, when they all have."""
    return _thread(request, viewer, "pair", pair)


@router.post("/pairs/{pair:path}/remarks", summary="Say something about a pair, resolve or reopen", status_code=201)
def say(request: Request, viewer: Annotator, pair: Id, body: RemarkBody) -> RemarkReply:
    """@name calls somebody. The same remark sent again under the same key is there once."""
    return _say(request, viewer, "pair", pair, body)


@router.get("/document-pairs/{item:path}/remarks", summary="The discussion of a document pair")
def remarks_on_documents(request: Request, viewer: Annotator, item: Id) -> ThreadReply:
    return _thread(request, viewer, "document_pair", item)


@router.post(
    "/document-pairs/{item:path}/remarks",
    summary="Say something about a document pair, resolve or reopen",
    status_code=201,
)
def say_about_documents(request: Request, viewer: Annotator, item: Id, body: RemarkBody) -> RemarkReply:
    return _say(request, viewer, "document_pair", item, body)


@router.get("/discussions", summary="Open discussions, those that mention you first")
def discussions(request: Request, viewer: Annotator, most: Count = 50, after: Place | None = None) -> ThreadQueue:
    with site_of(request).ledger.reading() as connection:
        queue = threads.load_visible_threads(connection, viewer.name, viewer.role, most, after)
    return ThreadQueue(queue, queue[-1].place if len(queue) == most else None)


def _thread(request: Request, viewer: Annotator, unit: Unit, item: str) -> ThreadReply:
    with site_of(request).ledger.reading() as connection:
        thread = threads.visible_thread(connection, viewer.name, viewer.role, unit, item)
    return ThreadReply([_reply(remark) for remark in thread.remarks], thread.open)


def _say(request: Request, viewer: Annotator, unit: Unit, item: str, body: RemarkBody) -> RemarkReply:
    details = (viewer.name, viewer.role, unit, item, body.action, body.text, body.key)
    return _reply(site_of(request).writer.do(lambda connection: threads.act_on_thread(connection, *details)))


def _reply(remark: Remark) -> RemarkReply:
    return RemarkReply(remark.id, remark.author, remark.action, remark.text, remark.time)
