"""Discussions: the thread of a pair or a document pair, and the queue of open ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from otherwords.annotate import threads
from otherwords.annotate.discussing import Action, Remark, Unit, Waiting
from otherwords.web.fields import Body, Id, Key, Text
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter(tags=["discussions"])
Count = Annotated[int, Query(ge=1, le=threads.MOST_ON_A_PAGE)]
Place = Annotated[Text, Query(max_length=40)]


class Saying(Body):
    """What somebody says, or does with a thread."""

    key: Key
    action: Literal["say", "resolve", "reopen"] = "say"
    text: Text = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A remark as a page shows it."""

    id: str
    author: str | None
    action: Action
    text: str
    time: str


@dataclass(frozen=True, slots=True)
class Thread:
    """All remarks about a unit, the first first, and whether something is open."""

    remarks: list[Told]
    open: bool


@dataclass(frozen=True, slots=True)
class Queue:
    """Open threads, and from where the next ones come; None at the end."""

    threads: list[Waiting]
    next: str | None


@router.get("/pairs/{pair:path}/remarks", summary="The discussion of a pair")
def remarks(request: Request, viewer: Annotator, pair: Id) -> Thread:
    """It opens when you have judged the pair and, where several people judge it, when they all have."""
    return _thread(request, viewer, "pair", pair)


@router.post("/pairs/{pair:path}/remarks", summary="Say something about a pair, resolve or reopen", status_code=201)
def say(request: Request, viewer: Annotator, pair: Id, saying: Saying) -> Told:
    """@name calls somebody. The same remark sent again under the same key is there once."""
    return _say(request, viewer, "pair", pair, saying)


@router.get("/document-pairs/{item:path}/remarks", summary="The discussion of a document pair")
def remarks_on_documents(request: Request, viewer: Annotator, item: Id) -> Thread:
    return _thread(request, viewer, "document_pair", item)


@router.post(
    "/document-pairs/{item:path}/remarks",
    summary="Say something about a document pair, resolve or reopen",
    status_code=201,
)
def say_of_documents(request: Request, viewer: Annotator, item: Id, saying: Saying) -> Told:
    return _say(request, viewer, "document_pair", item, saying)


@router.get("/discussions", summary="Open discussions, those that mention you first")
def discussions(request: Request, viewer: Annotator, most: Count = 50, after: Place | None = None) -> Queue:
    with site_of(request).ledger.reading() as connection:
        found = threads.queue(connection, viewer.name, viewer.role, most, after)
    return Queue(found, found[-1].place if len(found) == most else None)


def _thread(request: Request, viewer: Annotator, unit: Unit, item: str) -> Thread:
    with site_of(request).ledger.reading() as connection:
        found = threads.thread(connection, viewer.name, viewer.role, unit, item)
    return Thread([_told(one) for one in found.remarks], found.open)


def _say(request: Request, viewer: Annotator, unit: Unit, item: str, saying: Saying) -> Told:
    said = (unit, item, saying.action, saying.text, saying.key)
    do = site_of(request).writer.do
    return _told(do(lambda connection: threads.take_part(connection, viewer.name, viewer.role, *said)))


def _told(remark: Remark) -> Told:
    return Told(remark.id, remark.author, remark.action, remark.text, remark.time)
