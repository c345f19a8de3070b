"""One figure of agreement, with all that a reader needs to trust it or not."""

from __future__ import annotations

import msgspec


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A coefficient, on how much it rests, and how it was computed."""

    measure: str
    labels: str  # the projection of the labels that were compared: full, arrows, base, binary
    value: float | None
    low: float | None = None  # the ends of the bootstrap interval
    high: float | None = None
    n: int = 0  # units that it was computed on
    annotators: tuple[str, ...] = ()
    note: str | None = None  # how missing data was treated; why there is no value
    signature: str = ""
