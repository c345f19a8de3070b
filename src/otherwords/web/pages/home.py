"""Home: the work that is waiting, the viewer's pace, and for curators the state of everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.work.reservations import PAUSED
from otherwords.web.accounts.accounts import set_first_steps
from otherwords.web.accounts.auth import Worker
from otherwords.web.api import home as api
from otherwords.web.forms import AdminSends, Form
from otherwords.web.pages.batches import address_of
from otherwords.web.rendering import page
from otherwords.web.site import site_of

router = APIRouter()
KEYS = ("Enter", *"23456789")
MOST_BATCHES = 6  # in sight; any further ones are folded, so that other kinds of work are not below them all
WIDTH, GAP, HEIGHT = 28, 12, 64  # of the bars, in SVG units


@dataclass(frozen=True, slots=True)
class DayBar:
    """A day in the chart of the viewer's pace."""

    x: int
    y: float
    height: float
    day: str
    full_day: str
    date: str
    judged: int


@router.get("/")
def home(request: Request, viewer: Worker) -> HTMLResponse:
    content = api.home(request, viewer)
    in_sight, folded = split_work(content.waiting)
    return page(
        request,
        "home.html",
        viewer,
        home=content,
        in_sight=in_sight,
        folded=folded,
        keys=KEYS,
        bars=bars(content.mine.days),
        WIDTH=WIDTH,
        HEIGHT=HEIGHT,
        chart_width=len(content.mine.days) * (WIDTH + GAP) - GAP,
        address_of=address_of,
        PAUSED=PAUSED,
        scheme=site_of(request).scheme_name,
    )


@router.post("/first-steps")
def hide_first_steps(request: Request, viewer: AdminSends, form: Form) -> Response:
    """Hide the list of first steps, or show it again."""
    hidden = "hidden" in form
    site_of(request).writer.do(lambda connection: set_first_steps(connection, viewer.name, hidden=hidden))
    return RedirectResponse("/", 303)


def split_work(waiting: list[api.OpenWork]) -> tuple[list[api.OpenWork], list[api.OpenWork]]:
    """What is in sight, and the batches that are folded below it; a fold of one is none."""
    batches = [work for work in waiting if work.kind == "batch"]
    folded = batches[MOST_BATCHES:] if len(batches) > MOST_BATCHES + 1 else []
    return [work for work in waiting if work not in folded], folded


def bars(days: list[api.Day]) -> list[DayBar]:
    """A bar for each day, the busiest as high as the chart."""
    most = max((day.judged for day in days), default=0)
    drawn = []
    for number, day in enumerate(days):
        height = max(2.0, round(HEIGHT * day.judged / most, 1)) if day.judged else 1.0
        calendar_day = date.fromisoformat(day.day)
        names = {"day": f"{calendar_day:%a}", "full_day": f"{calendar_day:%A %d %B}", "date": day.day}
        drawn.append(DayBar(number * (WIDTH + GAP), HEIGHT - height, height, **names, judged=day.judged))
    return drawn
