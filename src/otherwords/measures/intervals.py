"""Intervals of 95 % for shares."""

from __future__ import annotations

import math

NORMAL = 1.959963984540054  # 95 %
MISSES = 0.05  # how often an interval may miss, on both sides together
_CLOSE = 1e-15
_BISECTIONS = 60


def wilson(part: float, whole: int) -> tuple[float, float, float]:
    """A share and its interval by Wilson.

    The part may be a sum of shares of units: a number between 0 and 1 varies at most as much as one that is either, so
    that the interval is wide enough.
    """
    share, spread = part / whole, NORMAL**2 / whole
    centre = (share + spread / 2) / (1 + spread)
    margin = NORMAL * math.sqrt(share * (1 - share) / whole + spread / (4 * whole)) / (1 + spread)
    return share, max(0.0, centre - margin), min(1.0, centre + margin)


def clopper_pearson(part: float, whole: float, misses: float = MISSES) -> tuple[float, float, float]:
    """A share and its exact interval, which misses on each side at most half as often as ``misses``.

    Both numbers may be fractions, such as effective sizes of a sample.
    """
    rest = max(0.0, whole - part)
    low = 0.0 if part <= 0 else _beta_quantile(misses / 2, part, rest + 1)
    high = 1.0 if rest <= _CLOSE * whole else _beta_quantile(1 - misses / 2, part + 1, rest)
    return part / whole, low, high


def _beta_quantile(probability: float, first: float, second: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if incomplete_beta(first, second, middle) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):  # where the fraction of the complement converges faster
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction = 1.0
    for m in range(200, 0, -1):  # from the inside out; far more steps than double precision can tell apart
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        fraction = 1 + even / (1 + odd / fraction)
    first = -(a + b) * x / (a + 1)
    return front / (1 + first / fraction)
