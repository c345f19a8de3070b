"""Moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def minute_of(moment: float) -> str:
    """Seconds since 1970 as a day and a minute."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"
