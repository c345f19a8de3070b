"""Intervals of 95 % for shares."""

from __future__ import annotations

import math

NORMAL = 1.959963984540054  # 95 %


def wilson(part: float, whole: int) -> tuple[float, float, float]:
    """A share and its interval by Wilson.

    The part may be a sum of shares of units: a number between 0 and 1 varies at most as much as one that is either, so
    that the interval is wide enough.
    """
    share, spread = part / whole, NORMAL**2 / whole
    centre = (share + spread / 2) / (1 + spread)
    margin = NORMAL * math.sqrt(share * (1 - share) / whole + spread / (4 * whole)) / (1 + spread)
    return share, max(0.0, centre - margin), min(1.0, centre + margin)
