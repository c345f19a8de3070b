"""What was done to accounts, by whom and when, for admins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse

from otherwords.sources.csv_safe import safe_cell
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Seq, Words
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.trail import Event, trail, whole_trail
from otherwords.web.viewer import Admin

router = APIRouter()
ON_A_PAGE = 50
COLUMNS = ("seq", "time", "actor", "action", "account", "detail")
Before = Annotated[Seq | None, Query()]
Name = Annotated[Words | None, Query()]


@router.get("/people/log")
def log(request: Request, viewer: Admin, name: Name = None, before: Before = None) -> HTMLResponse:
    with site_of(request).ledger.reading() as connection:
        events = trail(connection, ON_A_PAGE + 1, before, name or None)
    asked = {"name": name} if name else {}
    going_on = urlencode(asked | {"before": str(events[ON_A_PAGE - 1].seq)}) if len(events) > ON_A_PAGE else None
    return page(
        request,
        "people_log.html",
        viewer,
        events=events[:ON_A_PAGE],
        name=name or "",
        before=before,
        query=urlencode(asked),
        going_on=going_on,
    )


@router.get("/people/log.json")
def log_as_json(request: Request, viewer: Admin, name: Name = None, before: Before = None) -> list[Event]:
    with site_of(request).ledger.reading() as connection:
        return trail(connection, ON_A_PAGE, before, name or None)


@router.get("/people/log.csv")
def log_as_csv(request: Request, viewer: Admin, name: Name = None) -> Response:
    def rows() -> Iterator[list[str]]:
        with site_of(request).ledger.reading() as connection:
            for one in whole_trail(connection, name or None):
                about = (one.seq, one.time, one.actor, one.action, one.account)
                yield [*map(safe_cell, about), safe_cell(msgspec.json.encode(one.detail).decode())]

    return csv_answer("accounts-log", COLUMNS, rows())
