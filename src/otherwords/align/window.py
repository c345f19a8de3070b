"""Sliding windows on the time of publication.

In go times as documents hold them (ISO 8601), out come seconds, and for documents in order of time the
place of the first that is in reach of each. A time without a zone counts as UTC, a date alone as its
midnight. Two documents are within a window of n days if their times are no more than n times 24 hours
apart, that very distance included.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from otherwords.errors import UsageError
from otherwords.measures.columns import Integers

DAY = 86_400_000_000  # microseconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(time: str | None) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time; None where there is no time, or one that cannot be read."""
    if not time:
        return None
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return None
    # Not via timestamp(): whole microseconds stay exact, and the machine's own zone has no say.
    apart = (when if when.tzinfo else when.replace(tzinfo=UTC)) - _EPOCH
    return (apart.days * 86_400 + apart.seconds) * 1_000_000 + apart.microseconds


def firsts_within(moments: Sequence[int], days: float) -> Integers:
    """For each of these moments, which must not fall, the place of the first within so many days before it."""
    if not days >= 0:
        raise UsageError(f"a window of {days} days; give 0 or more")
    ordered = np.array(moments, np.int64)
    firsts: Integers = np.searchsorted(ordered, ordered - round(days * DAY), side="left")
    return firsts
