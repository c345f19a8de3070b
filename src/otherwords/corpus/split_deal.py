"""Dealing units out to parts: sizes as near to what was asked as the units allow, labels and sources as even.

A unit has counts: all its pairs, those of each label, those of each source. A part lacks, of each of these, its share
less what it has. The largest units come first, and each goes where it lessens the squared lack, relative to the
share, most. Units with the same counts are interchangeable: of many such, all but a few are dealt out at once, which
leads to the same sizes and makes a million pairs a matter of seconds. Ties go by a seeded digest of the unit's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.units import Numbers, Units

Floats = NDArray[np.float64]
SIZE_MATTERS = 64.0  # times as much as one label does: sizes first, then labels and sources
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Counts:
    """What each unit counts: unit i has ``counts`` of ``traits`` from ``starts[i]`` to ``starts[i + 1]``."""

    starts: Numbers
    traits: Numbers
    counts: Numbers
    totals: Floats  # of each trait over all units; trait 0 is being a pair

    def of(self, unit: int) -> tuple[Numbers, Floats]:
        here = slice(self.starts[unit], self.starts[unit + 1])
        return self.traits[here], self.counts[here].astype(np.float64)


def counts_of(units: Units, *strata: pa.Array) -> Counts:
    """Count the pairs of every unit, and those of each label and of each source; a pair without one counts alone."""
    width, traits = 1, [np.zeros(len(units.of), np.int64)]
    for stratum in strata:
        values = stratum.unique().drop_null().sort()  # numbered by name, so that the order of the pairs has no say
        numbers = pc.index_in(stratum, values).fill_null(len(values))
        traits.append(np.asarray(numbers).astype(np.int64) + width)
        width += len(values) + 1
    each = [np.unique(units.of * width + trait, return_counts=True) for trait in traits]
    found, counts = (np.concatenate(both) for both in zip(*each, strict=True))
    order = np.argsort(found)
    found, counts = found[order], counts[order]
    unit, trait = found // width, found % width
    starts = np.searchsorted(unit, np.arange(len(units) + 1))
    totals = np.bincount(trait, counts, minlength=width).astype(np.float64)
    return Counts(starts, trait, counts, totals)


def dealt(units: Units, counts: Counts, shares: Floats, fixed: Numbers, seed: int) -> Numbers:
    """The part of every unit; ``fixed`` says where some of them are already, NOWHERE for the others."""
    aims = np.outer(shares, counts.totals)
    aims[aims == 0] = 1.0  # of what no unit has
    table = _Table(aims, aims.copy(), fixed.copy())
    there = np.repeat(fixed, np.diff(counts.starts))
    held = there != NOWHERE
    np.subtract.at(table.lacks, (there[held], counts.traits[held]), counts.counts[held])
    free = np.flatnonzero(fixed == NOWHERE)
    left = len(free)
    for alike in _alike(counts, free, lots(units.names, seed)):
        table.deal(alike, *counts.of(alike[0]), left)
        left -= len(alike)
    return table.places


def lots(names: pa.Array, seed: int) -> NDArray[np.uint64]:
    """A number for every name, by which equals are put in order: the same for the same seed, whatever came first."""
    told = (f"{seed} {name}".encode() for name in names.to_pylist())
    return np.frombuffer(b"".join(blake2b(one, digest_size=8).digest() for one in told), np.uint64)


def _alike(counts: Counts, free: Numbers, drawn: NDArray[np.uint64]) -> Iterator[Numbers]:
    """The units that count the same, each such lot in the order drawn; the largest units first."""
    if not len(free):
        return
    kinds = _kinds(counts)[free]
    order = np.lexsort((drawn[free], kinds))
    free, kinds = free[order], kinds[order]
    begins = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]]))
    ends = np.append(begins[1:], len(free))
    first = free[begins]
    sizes = counts.counts[counts.starts[first]]  # trait 0 comes first, and every unit has it
    for lot in np.lexsort((drawn[first], -sizes)):
        yield free[begins[lot] : ends[lot]]


def _kinds(counts: Counts) -> NDArray[np.uint64]:
    """A number for every unit that is the same where all its counts are: a sum of well-mixed numbers (splitmix64)."""
    mixed = (counts.traits.astype(np.uint64) << np.uint64(32)) ^ counts.counts.astype(np.uint64)
    mixed += np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    summed: NDArray[np.uint64] = np.add.reduceat(mixed ^ (mixed >> np.uint64(31)), counts.starts[:-1])
    return summed


@dataclass(slots=True)
class _Table:
    """The parts while units are dealt out: what each should have of every trait, and still lacks."""

    aims: Floats
    lacks: Floats
    places: Numbers

    def put(self, units: Numbers, part: int, traits: Numbers, counts: Floats) -> None:
        """Give a part some units that count the same."""
        self.places[units] = part
        self.lacks[part, traits] -= counts * len(units)

    def deal(self, units: Numbers, traits: Numbers, counts: Floats, left: int) -> None:
        """Deal out units that count the same; ``left`` is how many are left in all, these among them."""
        parts = len(self.aims)
        weights = np.where(traits == 0, SIZE_MATTERS, 1.0) / self.aims[:, traits]
        done = 0
        if len(units) > 2 * parts:
            for part, many in enumerate(self._at_once(len(units) - parts, weights, traits, counts)):
                self.put(units[done : done + many], part, traits, counts)
                done += many
        for unit in units[done:]:
            costs = (weights * counts * (counts - 2 * self.lacks[:, traits])).sum(axis=1)
            empty = self.lacks[:, 0] == self.aims[:, 0]
            if left - done <= empty.sum():  # the last ones go where nothing is yet
                costs[~empty] = np.inf
            self.put(np.array([unit]), int(costs.argmin()), traits, counts)
            done += 1

    def _at_once(self, many: int, weights: Floats, traits: Numbers, counts: Floats) -> list[int]:
        """How many of so many equal units each part gets at least.

        The least squares under a fixed sum: every part that gets any has the same marginal gain, found by leaving out
        the parts with the smallest first gain until none would get less than nothing.
        """
        curve = (weights * counts * counts).sum(axis=1)
        gain = (weights * counts * self.lacks[:, traits]).sum(axis=1)
        order = np.argsort(-gain, kind="stable")
        for takers in range(len(order), 0, -1):
            some = order[:takers]
            level = ((gain[some] / curve[some]).sum() - many) / (1 / curve[some]).sum()
            if takers == 1 or gain[some[-1]] >= level:
                break
        shares = np.zeros(len(gain))
        shares[some] = np.maximum((gain[some] - level) / curve[some], 0.0)
        return [int(share) for share in shares]
