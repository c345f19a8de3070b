"""Sliding windows on the time of publication.

Times are ISO 8601. A time without a zone counts as UTC, a date alone as its midnight. Two documents are within a
window of n days if their times are at most n times 24 hours apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from otherwords.errors import UsageError
from otherwords.measures.columns import Integers

DAY = 86_400_000_000  # microseconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_moment(time: str | None) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time; None for no time, or one that cannot be read."""
    if not time:
        return None
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return None
    # Not via timestamp(): whole microseconds stay exact, and the machine's own zone does not matter.
    since = (when if when.tzinfo else when.replace(tzinfo=UTC)) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def firsts_within(moments: Sequence[int], days: float) -> Integers:
    """For each of these moments, which must not decrease, the place of the first within ``days`` before it."""
    if not days >= 0:
        raise UsageError(f"a window of {days} days is not possible; give 0 or more", code="wrong-window")
    ordered = np.array(moments, np.int64)
    firsts: Integers = np.searchsorted(ordered, ordered - round(days * DAY), side="left")
    return firsts
