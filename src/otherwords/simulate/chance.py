"""Chance that can be had again: every draw follows from the names it is made for, in whatever order they come.

So a label does not depend on who was asked first, and the same seed gives the same corpus.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")
SPREAD = 0.5  # of the logarithm of seconds: two thirds lie between six tenths of the median and one and six tenths
_EDGE = 0.001  # nobody takes a thousand times as long as the others
_BITS = 53  # of a float


def draw(*names: object) -> float:
    """A number from 0 to 1, without 1."""
    return math.ldexp(int.from_bytes(_digest(names)) >> (64 - _BITS), -_BITS)


def choose(options: Sequence[T], *names: object) -> T:
    """One of some options, each as likely as the others."""
    return options[int(draw(*names) * len(options))]


def seconds(median: float, *names: object) -> float:
    """How long something takes: log-normal around a median."""
    place = min(max(draw("seconds", *names), _EDGE), 1 - _EDGE)
    return round(median * math.exp(SPREAD * NormalDist().inv_cdf(place)), 1)


def key_of(*names: object) -> str:
    """A key for something that is sent, which the same thing sent again has too."""
    return f"sim-{_digest(names).hex()}"


def _digest(names: Sequence[object]) -> bytes:
    told = "\0".join(map(str, names)).encode("utf-8", "surrogatepass")
    return blake2b(told, digest_size=8).digest()
