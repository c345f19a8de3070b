"""Home: what is waiting for me, one key to go on, my pace, and for curators the state of everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from otherwords.web.api import home as api
from otherwords.web.pages.batches import address_of
from otherwords.web.rendering import page
from otherwords.web.viewer import Worker

router = APIRouter()
KEYS = ("Enter", *"23456789")
WIDTH, GAP, HEIGHT = 28, 12, 64  # of the bars, in the units of the drawing


@dataclass(frozen=True, slots=True)
class Bar:
    """A day of the drawing of one's pace."""

    x: int
    y: float
    height: float
    day: str
    full_day: str
    judged: int


@router.get("/")
def home(request: Request, viewer: Worker) -> HTMLResponse:
    told = api.home(request, viewer)
    return page(
        request,
        "home.html",
        viewer,
        home=told,
        keys=KEYS,
        bars=bars(told.mine.days),
        WIDTH=WIDTH,
        HEIGHT=HEIGHT,
        drawn=len(told.mine.days) * (WIDTH + GAP) - GAP,
        address_of=address_of,
    )


def bars(days: list[api.Day]) -> list[Bar]:
    """One bar a day, the busiest as high as the drawing."""
    most = max((one.judged for one in days), default=0)
    told = []
    for number, one in enumerate(days):
        height = max(2.0, round(HEIGHT * one.judged / most, 1)) if one.judged else 1.0
        day = date.fromisoformat(one.day)
        names = {"day": f"{day:%a}", "full_day": f"{day:%A %d %B}"}
        told.append(Bar(number * (WIDTH + GAP), HEIGHT - height, height, **names, judged=one.judged))
    return told
