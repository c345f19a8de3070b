"""Agreement: how far people who judged the same units gave the same answers.

Every module takes plain arrays of codes or phenomena and returns :class:`Coefficient` records, so that a value always
comes with what it was computed on.
"""

from __future__ import annotations

import msgspec


class Coefficient(msgspec.Struct, frozen=True, kw_only=True):
    """A coefficient, what it is based on, and how it was computed."""

    measure: str
    labels: str  # the projection of the labels that were compared: full, arrows, base, binary
    value: float | None
    low: float | None = None  # the ends of the bootstrap interval
    high: float | None = None
    n: int = 0  # the units that it was computed on
    annotators: tuple[str, ...] = ()
    note: str | None = None  # how missing data was treated; why there is no value
    signature: str = ""
    purposes: tuple[str, ...] = ()  # what the judgements were made for, as far as that is known
    headline: bool = False  # the one to quote
