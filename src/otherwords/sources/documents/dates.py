"""Dates as feeds, tables and forums write them, as ISO 8601.

In goes a cell of any type, out comes one text or None: in UTC, with ``Z``, where the zone is known,
without a zone where it is not, and without a time of day where none is given. Only unambiguous forms
are read: a day and a month that could be either way round are read day first, as most of the world
writes them, and told apart by :func:`is_ambiguous` so that the reader can mark them.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MILLISECONDS_FROM = 10**11  # in seconds that is the year 5138
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_CLOCK = (
    r"(?:[ T,]+(?:at |klo )?(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"\s*(?P<half>[ap]\.?m\.?)?)?"
)
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})([./-])\s?(?P<month>\d{{1,2}})\2\s?(?P<year>\d{{4}}){_CLOCK}", re.I)
_YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})[./-](?P<month>\d{{1,2}})[./-](?P<day>\d{{1,2}}){_CLOCK}", re.I)
_NAMED_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})\.? (?P<name>[A-Za-z]{{3,9}})\.?,? (?P<year>\d{{4}}){_CLOCK}", re.I)
_NAMED_MONTH_FIRST = re.compile(rf"(?P<name>[A-Za-z]{{3,9}})\.? (?P<day>\d{{1,2}}),? (?P<year>\d{{4}}){_CLOCK}", re.I)
_FORMS = (_DAY_FIRST, _YEAR_FIRST, _NAMED_DAY_FIRST, _NAMED_MONTH_FIRST)
_NUMBER = re.compile(r"-?\d{9,13}(?:\.\d+)?")
_RFC_822 = re.compile(r"(?:[A-Za-z]{3,9},? +)?\d{1,2} +[A-Za-z]{3,9} +\d{2,4} +\d{1,2}:\d{2}")
_DATE_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")


def iso_time(cell: object) -> str | None:
    """The time that a cell tells; None where it tells none."""
    try:
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            return _of_epoch(float(cell))
        return _of_text(cell.strip()) if isinstance(cell, str) else None
    except (ValueError, TypeError, IndexError, OverflowError, OSError):  # all that the standard parsers raise
        return None


def is_ambiguous(cell: object) -> bool:
    """Whether day and month could change places, as in 3/4/2019; with full stops the day comes first."""
    found = _DAY_FIRST.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return bool(found and found[2] != "." and found["day"] != found["month"] and max(_day_and_month(found)) <= 12)


def _of_text(text: str) -> str | None:
    if _NUMBER.fullmatch(text):
        return _of_epoch(float(text))
    if _RFC_822.match(text):
        return _written(parsedate_to_datetime(text))
    for form in _FORMS:
        if found := form.fullmatch(text):
            return _of_match(found)
    return _of_iso(text) if text else None


def _of_iso(text: str) -> str:
    when = datetime.fromisoformat(text)
    return when.date().isoformat() if _DATE_ONLY.fullmatch(text) else _written(when)


def _of_epoch(number: float) -> str:
    return _written(datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS_FROM else number, UTC))


def _of_match(found: re.Match[str]) -> str:
    named = found.groupdict().get("name")
    if named:
        day, month = int(found["day"]), _month(named)
    else:
        day, month = _day_and_month(found)
        if month > 12 >= day and found.re is _DAY_FIRST:
            day, month = month, day
    if found["hour"] is None:
        return datetime(int(found["year"]), month, day).date().isoformat()
    when = datetime(int(found["year"]), month, day, _hour(found), int(found["minute"]), int(found["second"] or 0))
    return _written(when)


def _day_and_month(found: re.Match[str]) -> tuple[int, int]:
    return int(found["day"]), int(found["month"])


def _month(name: str) -> int:
    """The number of an English month; 0, which no date has, for any other word."""
    place = _MONTHS.find(name[:3].lower())
    return 0 if place % 3 else place // 3 + 1


def _hour(found: re.Match[str]) -> int:
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    return hour if not half else hour % 12 + (12 if half.startswith("p") else 0)


def _written(when: datetime) -> str:
    if when.tzinfo is None:
        return when.replace(microsecond=0).isoformat()
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
