"""Convert dates of feeds, tables and forums to ISO 8601.

The result is in UTC, with ``Z``, if the zone is known, without a zone if it is not, and without a time of day if there
is none. Dates in which day and month could be swapped are read day first, as most of the world writes them, and
recognised by :func:`is_ambiguous` so that the reader can mark them.
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
    """The time in a cell of any type; None if it holds none."""
    try:
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            return _from_epoch(float(cell))
        return _from_text(cell.strip()) if isinstance(cell, str) else None
    except (ValueError, TypeError, IndexError, OverflowError, OSError):  # everything that the standard parsers raise
        return None


def is_ambiguous(cell: object) -> bool:
    """Whether day and month could be swapped, as in 3/4/2019; with full stops the day comes first."""
    match = _DAY_FIRST.fullmatch(cell.strip()) if isinstance(cell, str) else None
    if not match or match[2] == "." or match["day"] == match["month"]:
        return False
    return max(int(match["day"]), int(match["month"])) <= 12


def _from_text(text: str) -> str | None:
    if _NUMBER.fullmatch(text):
        return _from_epoch(float(text))
    if _RFC_822.match(text):
        return _format_time(parsedate_to_datetime(text))
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _from_match(match)
    if not text:
        return None
    when = datetime.fromisoformat(text)
    return when.date().isoformat() if _DATE_ONLY.fullmatch(text) else _format_time(when)


def _from_epoch(number: float) -> str:
    return _format_time(datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS_FROM else number, UTC))


def _from_match(match: re.Match[str]) -> str:
    name = match.groupdict().get("name")
    if name:
        # The number of an English month; 0, which is not valid in a date, for any other word.
        place = _MONTHS.find(name[:3].lower())
        day, month = int(match["day"]), 0 if place % 3 else place // 3 + 1
    else:
        day, month = int(match["day"]), int(match["month"])
        if month > 12 >= day and match.re is _DAY_FIRST:
            day, month = month, day
    if match["hour"] is None:
        return datetime(int(match["year"]), month, day).date().isoformat()
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return _format_time(datetime(int(match["year"]), month, day, hour, int(match["minute"]), int(match["second"] or 0)))


def _format_time(when: datetime) -> str:
    if when.tzinfo is None:
        return when.replace(microsecond=0).isoformat()
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
