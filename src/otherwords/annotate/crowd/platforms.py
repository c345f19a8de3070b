"""Crowd platforms: by which parameters of a link their workers are known, and where they go back to in the end.

A platform sends people to a link with their id there. Whoever comes with the same id is the same worker. Where
the platform expects them back with their completion code is written in the invitation, with places for what is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, select

from otherwords.errors import Conflict, Refused
from otherwords.models.endpoints.web_url import parse_web_url
from otherwords.project.ledger import schema

CODE, WORKER = "code", "worker"  # places in the way back
MOST_BACK = 1000  # characters
MOST_DETAIL = 200
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"  # how Mechanical Turk names the assignment of somebody who only looks
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")
_DETAIL = re.compile(r"[\w.:~-]*", re.ASCII)
_workers = schema.platform_workers


class Platform(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How workers come from a platform and go back to it."""

    name: str
    parameter: str  # that has their id
    pattern: str = r"[A-Za-z0-9_.-]{1,100}"  # of their id
    details: tuple[str, ...] = ()  # further parameters that are kept
    example: str = ""  # the query of a link, as the platform fills it in
    back: str | None = None  # where they hand in their completion code, with {code}, {worker} or a detail


PROLIFIC = Platform(
    name="prolific",
    parameter="PROLIFIC_PID",
    pattern=r"[0-9a-f]{24}",
    details=("STUDY_ID", "SESSION_ID"),
    example="PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
)
MTURK = Platform(
    name="mturk",
    parameter="workerId",
    pattern=r"A[A-Z0-9]{5,30}",
    details=("assignmentId", "hitId"),
    example="workerId=WORKER_ID&assignmentId=ASSIGNMENT_ID&hitId=HIT_ID",
)
KNOWN = {platform.name: platform for platform in (PROLIFIC, MTURK)}


@dataclass(frozen=True, slots=True)
class PlatformVisit:
    """Somebody who comes from a platform: their id there, and what else came with it."""

    platform: Platform
    worker: str
    details: dict[str, str]


def choose_platform(name: str, parameter: str | None = None, back: str | None = None) -> Platform:
    """A known platform, or one of any name whose links have the worker's id in a parameter."""
    platform = KNOWN.get(name)
    if platform is None:
        if parameter is None or not _PARAMETER.fullmatch(parameter) or not _NAME.fullmatch(name):
            known = " or ".join(KNOWN)
            message = (
                f"platform: {name!r}: expected {known}, or another name with the parameter that has the worker's id"
            )
            raise Refused(message, "platform", code="bad-platform")
        platform = Platform(name=name, parameter=parameter, example=f"{parameter}=WORKER_ID")
    elif parameter is not None and parameter != platform.parameter:
        message = f"{name} sends the worker's id as {platform.parameter}; leave the parameter out"
        raise Refused(message, "parameter", code="bad-platform")
    return msgspec.structs.replace(platform, back=_check_back(back, platform) if back else None)


def platform_link(link: str, platform: Platform | None) -> str:
    """A link as it is given to a platform, with the parameters that it fills in."""
    return link if platform is None else f"{link}?{platform.example}"


def _check_back(back: str, platform: Platform) -> str:
    """The way back, if it is an address whose places can be filled in; they stand behind its host."""
    places = (CODE, WORKER, *platform.details)
    try:
        used = [field for _, field, form, change in Formatter().parse(back) if field is not None or form or change]
        filled = back.format(**dict.fromkeys(places, "x"))
    except (ValueError, KeyError, IndexError, AttributeError):
        used, filled = [None], ""
    unknown = [field for field in used if field not in places]
    scheme_and_host = "/".join(back.split("/")[:3])
    if unknown or len(back) > MOST_BACK or "{" in scheme_and_host:
        listed = ", ".join(f"{{{place}}}" for place in places)
        message = f"the way back is an address that may have {listed} behind its host, not {back[:200]!r}"
        raise Refused(message, "back", code="bad-way-back")
    parse_web_url(filled)
    return back


def read_platform(stored: Mapping[str, Any]) -> Platform:
    """The platform of an invitation."""
    return msgspec.convert(stored, Platform)


def visit_of(platform: Platform, parameters: Mapping[str, str]) -> PlatformVisit:
    """Who comes with these parameters of a link."""
    worker = parameters.get(platform.parameter, "")
    details = {name: parameters[name] for name in platform.details if parameters.get(name)}
    if NOT_ACCEPTED in (worker, *details.values()):
        message = f"accept the task on {platform.name} first, then open it from there again"
        raise Conflict(message, code="task-not-accepted")
    if not re.fullmatch(platform.pattern, worker, re.ASCII):
        missing = (
            f"the link has no {platform.parameter}" if not worker else f"{worker[:60]!r} is no id of {platform.name}"
        )
        raise Refused(f"{missing}; open it from {platform.name}, as it is given there", code="no-worker-id")
    if any(len(value) > MOST_DETAIL or not _DETAIL.fullmatch(value) for value in details.values()):
        message = f"the link is not as {platform.name} makes it; open it from there again"
        raise Refused(message, code="bad-platform-link")
    return PlatformVisit(platform, worker, details)


def way_back(connection: Connection, annotator: str, batch: str, code: str) -> tuple[str, str] | None:
    """The platform from which somebody came to a batch, and the address where it expects them with their code."""
    own = (_workers.c.account == annotator, _workers.c.batch == batch, _workers.c.back.is_not(None))
    row = connection.execute(select(_workers).where(*own).limit(1)).first()
    if row is None:
        return None
    values = {CODE: code, WORKER: row.worker, **row.details}
    missing = {name: "" for _, name, _, _ in Formatter().parse(row.back) if name and name not in values}
    filled = row.back.format(**{name: quote(value, safe="") for name, value in (values | missing).items()})
    return row.platform, filled


def worker_ids(connection: Connection, batch: str) -> dict[str, str]:
    """The id that each worker of a batch has on the platform that they came from, with its name."""
    rows = connection.execute(select(_workers).where(_workers.c.batch == batch))
    return {row.account: f"{row.platform}:{row.worker}" for row in rows}
