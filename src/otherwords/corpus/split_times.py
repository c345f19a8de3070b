"""Splitting by time: the oldest pairs for training (Dou et al. 2022, §4), cut at dates.

In go the times of the units, out come the cut-offs and the part of each unit. A part begins at its cut-off, which
belongs to it. Once released, cut-offs stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.align.window import moment
from otherwords.corpus.units import Numbers
from otherwords.errors import DataError

NEVER = np.iinfo(np.int64).min  # of a unit none of whose pairs has a time
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moments_of(times: pa.ChunkedArray) -> Numbers:
    """Every time in microseconds since 1970; NEVER where there is none, or none that can be read."""
    known: dict[str | None, int] = {}
    for time in times.unique().to_pylist():
        told = moment(time)
        known[time] = NEVER if told is None else told
    return np.array([known[time] for time in times.to_pylist()], np.int64)


def latest(unit_of: Numbers, moments: Numbers, units: int) -> Numbers:
    """The latest time of every unit."""
    last = np.full(units, NEVER)
    np.maximum.at(last, unit_of, moments)
    return last


def cut_offs(last: Numbers, sizes: Numbers, shares: NDArray[np.float64]) -> list[str]:
    """The dates that leave the parts as near to their shares as whole units and whole moments allow."""
    timed = last != NEVER
    different, place = np.unique(last[timed], return_inverse=True)
    if len(different) < len(shares):
        raise DataError(
            f"{len(different)} different times are too few for {len(shares)} parts; ask for fewer, or split by group"
        )
    before = np.concatenate([[0.0], np.cumsum(np.bincount(place, sizes[timed]))])
    cuts: list[int] = []
    for part, aim in enumerate(np.cumsum(shares)[:-1] * before[-1]):
        first = (cuts[-1] if cuts else 0) + 1
        final = len(different) - (len(shares) - 2 - part)
        cuts.append(first + int(np.abs(before[first:final] - aim).argmin()))
    return [_written(int(different[cut])) for cut in cuts]


def places_in_time(last: Numbers, dates: Sequence[str], nowhere: int) -> Numbers:
    """The part of every unit by its latest time."""
    edges = np.array([moment(date) for date in dates], np.int64)
    return np.where(last == NEVER, nowhere, np.searchsorted(edges, last, side="right"))


def _written(microseconds: int) -> str:
    when = _EPOCH + timedelta(microseconds=microseconds)
    return when.date().isoformat() if when.time() == when.time().min else when.isoformat()
