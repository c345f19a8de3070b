"""Reproducible chance: every draw follows from the names it is made for, in whatever order they come.

So a label does not depend on who worked first, and the same seed gives the same corpus.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TypeVar

from otherwords.digests import digest_bytes

T = TypeVar("T")
SPREAD = 0.5  # of the logarithm of seconds: two thirds lie between 0.6 and 1.6 times the median
_EDGE = 0.001  # nobody takes a thousand times as long as the others
_BITS = 53  # of a float


def draw(*names: object) -> float:
    """A number from 0 up to, but not including, 1."""
    return math.ldexp(int.from_bytes(digest_bytes(*map(str, names))) >> (64 - _BITS), -_BITS)


def choose(options: Sequence[T], *names: object) -> T:
    """One of the options, all equally likely."""
    return options[int(draw(*names) * len(options))]


def seconds(median: float, *names: object) -> float:
    """A log-normal duration around a median."""
    place = min(max(draw("seconds", *names), _EDGE), 1 - _EDGE)
    return round(median * math.exp(SPREAD * NormalDist().inv_cdf(place)), 1)


def key_of(*names: object) -> str:
    """The idempotency key of a request: the same for the same request."""
    return f"sim-{digest_bytes(*map(str, names)).hex()}"
