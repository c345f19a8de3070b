"""When a post was written: Twitter's own order of the parts, and all that :mod:`dates` reads."""

from __future__ import annotations

import re

from otherwords.sources.documents.dates import iso_time

_TWITTER = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})")
_MICROSECONDS_FROM = 10**14  # in milliseconds that is the year 5138


def post_time(said: object) -> str | None:
    """The time in ISO 8601, in UTC with ``Z`` where the zone is known; None where it cannot be read."""
    if isinstance(said, int | float) and not isinstance(said, bool) and said >= _MICROSECONDS_FROM:
        said = said / 1000
    if isinstance(said, str):
        said = _TWITTER.sub(r"\2 \1 \5 \3 \4", said.strip())
        said = said.removesuffix(" UTC") + "Z" if said.endswith(" UTC") else said
    return iso_time(said)
