"""The clock of one subtitle version by that of the other: t2 = drift · t1 + offset.

Versions of a film run at different speeds (23.976 or 25 pictures a second) and begin at different moments. Nothing is
assumed about which cue belongs to which: for every drift the two patterns of start times are laid over each other at
all offsets at once (a correlation by Fourier transform), the best is refined on the starts that then coincide, and
the result must hold in every quarter of the film. Otherwise the two have no common clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.float64]

PICTURES = (24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0)  # a second: film, PAL and NTSC
SPEEDS = (0.94, 1.06)  # other drifts are searched between these: a little beyond 25 : 23.976
BIN = 1000.0  # ms; wide enough for cues that are timed differently
NARROWING = (1500.0, 1000.0, 700.0, 400.0, 400.0)  # ms within which starts count as the same
FEWEST = 30  # cues, about two minutes; fewer form a pattern that chance forms too
CLEAR = 6.0  # standard deviations by which the best offset must stand out among all others
AGREED = 0.6  # share of starts that must have a partner; two different films reach about 0.4
AGREED_IN_QUARTER = 0.5  # the same in every quarter of the film
PARTNER = 700.0  # ms
LONGEST = 24 * 3600 * 1000.0  # ms; a start beyond is damage, not a film


@dataclass(frozen=True, slots=True)
class Clock:
    """The second version's time by the first's."""

    drift: float
    offset_ms: float

    def second(self, times: Times) -> Times:
        """Times of the first version on the clock of the second."""
        return self.drift * times + self.offset_ms


def estimate(starts1: Times, starts2: Times) -> Clock | None:
    """The clock between two versions, from the start times of their cues in order."""
    starts1, starts2 = (starts[(starts >= 0) & (starts <= LONGEST)] for starts in (starts1, starts2))
    if min(len(starts1), len(starts2)) < FEWEST:
        return None
    coarse = _coarse_clock(starts1, starts2)
    if coarse is None:
        return None
    clock = _refine(coarse, starts1, starts2)
    return clock if _holds_throughout(clock, starts1, starts2) else None


def _coarse_clock(starts1: Times, starts2: Times) -> Clock | None:
    """The drift and offset, to about a bin, at which most starts coincide."""
    # The ratios of known speeds, and all others in steps that move the end of the film by two bins: the nearest to the
    # right one is then, with its best offset, nowhere more than half a bin off.
    known = {fast / slow for fast, slow in product(PICTURES, PICTURES)}
    steps = np.arange(SPEEDS[0], SPEEDS[1], 2 * BIN / max(float(starts1[-1] - starts1[0]), 60_000.0))
    drifts: list[float] = [*sorted(known), *steps.tolist()]
    begin1, begin2 = starts1[0], starts2[0]
    bins1 = int((starts1[-1] - begin1) * max(drifts) / BIN) + 2
    pattern2 = _pattern((starts2 - begin2) / BIN)
    size = 1 << (bins1 + len(pattern2)).bit_length()
    # Without its mean, the pattern gains nothing from merely overlapping the other; a start half a bin
    # off counts half.
    smooth = np.convolve(pattern2 - pattern2.mean(), [0.5, 1.0, 0.5])[1:-1]
    spectrum2 = np.fft.rfft(smooth, size)
    best, clearness, clock = 0.0, 0.0, None
    for drift in drifts:
        pattern1 = _pattern(drift * (starts1 - begin1) / BIN)
        together = np.fft.irfft(np.conj(np.fft.rfft(pattern1, size)) * spectrum2, size)
        lag = int(np.argmax(together))
        if together[lag] > best:
            best, clearness = float(together[lag]), float(together[lag] / together.std())
            shift = lag - size if lag > len(pattern2) else lag
            clock = Clock(drift, float(begin2 + shift * BIN - drift * begin1))
    return clock if clearness >= CLEAR else None


def _pattern(bins: Times) -> Times:
    return np.bincount(bins.astype(np.int64)).clip(max=1).astype(np.float64)


def _refine(clock: Clock, starts1: Times, starts2: Times) -> Clock:
    """A straight line through the starts that coincide, under ever narrower limits."""
    for within in NARROWING:
        converted = clock.second(starts1)
        to2, to1 = _nearest(converted, starts2), _nearest(starts2, converted)
        ours = np.flatnonzero(to1[to2] == np.arange(len(converted)))  # those that are each other's nearest
        ours = ours[np.abs(converted[ours] - starts2[to2[ours]]) <= within]
        if len(ours) < FEWEST // 2:
            break
        x, y = starts1[ours], starts2[to2[ours]]
        centred = x - x.mean()
        drift = float(centred @ (y - y.mean()) / (centred @ centred))
        clock = Clock(drift, float(np.median(y - drift * x)))
    return clock


def _nearest(times: Times, among: Times) -> npt.NDArray[np.int64]:
    after = np.searchsorted(among, times).clip(1, len(among) - 1)
    earlier = times - among[after - 1] <= among[after] - times
    return np.where(earlier, after - 1, after)


def _holds_throughout(clock: Clock, starts1: Times, starts2: Times) -> bool:
    """Whether starts coincide in every quarter of what both versions cover.

    A version with other cuts, or without a break, agrees with the other's clock only for a while.
    """
    converted = clock.second(starts1)
    low, high = max(converted[0], starts2[0]) - PARTNER, min(converted[-1], starts2[-1]) + PARTNER
    converted, theirs = (times[(times >= low) & (times <= high)] for times in (converted, starts2))
    fewer, more = sorted((converted, theirs), key=len)
    if len(fewer) < FEWEST:
        return False
    matched = np.abs(fewer - more[_nearest(fewer, more)]) <= PARTNER
    if matched.mean() < AGREED:
        return False
    return all(quarter.mean() >= AGREED_IN_QUARTER for quarter in np.array_split(matched, 4))
