"""Dealing units out to parts: sizes as near to what was asked as the units allow, labels and sources as even.

A unit has counts of traits: all its pairs, those of each label, those of each source. Of each trait, a part lacks its
share less what it has. The largest units come first, and each goes where it reduces the squared lack, relative to the
share, most. Units with the same counts are interchangeable: of many such, all but a few are dealt out at once, which
leads to the same sizes and takes seconds for a million pairs. Ties are broken by a seeded digest of the unit's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.splits.units import Numbers, Units
from otherwords.digests import digest_bytes

Floats = NDArray[np.float64]
SIZE_WEIGHT = 64.0  # of the size, where a label or a source has 1: sizes come first
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class UnitTraits:
    """The counts of each unit: unit i has ``counts`` of ``traits`` from ``starts[i]`` to ``starts[i + 1]``."""

    starts: Numbers
    traits: Numbers
    counts: Numbers
    totals: Floats  # of each trait over all units; trait 0 is being a pair


def count_traits(units: Units, *strata: pa.Array) -> UnitTraits:
    """Count the pairs of every unit, in all and by label and source; having none is a trait of its own."""
    width, traits = 1, [np.zeros(len(units.of_row), np.int64)]
    for stratum in strata:
        values = stratum.unique().drop_null().sort()  # numbered by name, so that the order of the pairs does not matter
        numbers = pc.index_in(stratum, values).fill_null(len(values))
        traits.append(np.asarray(numbers).astype(np.int64) + width)
        width += len(values) + 1
    each = [np.unique(units.of_row * width + trait, return_counts=True) for trait in traits]
    keys, counts = (np.concatenate(columns) for columns in zip(*each, strict=True))
    order = np.argsort(keys)
    keys, counts = keys[order], counts[order]
    unit, trait = keys // width, keys % width
    starts = np.searchsorted(unit, np.arange(len(units) + 1))
    totals = np.bincount(trait, counts, minlength=width).astype(np.float64)
    return UnitTraits(starts, trait, counts, totals)


def deal_units(units: Units, counts: UnitTraits, shares: Floats, fixed: Numbers, seed: int) -> Numbers:
    """The part of every unit; ``fixed`` is the part of those that have one already, NOWHERE for the others."""
    aims = np.outer(shares, counts.totals)
    aims[aims == 0] = 1.0  # of traits that no unit has
    parts = _Parts(aims, aims.copy(), fixed.copy())
    there = np.repeat(fixed, np.diff(counts.starts))
    held = there != NOWHERE
    np.subtract.at(parts.lacks, (there[held], counts.traits[held]), counts.counts[held])
    free = np.flatnonzero(fixed == NOWHERE)
    left = len(free)
    # A sort key for every unit that depends on its name and the seed alone.
    digests = b"".join(digest_bytes(f"{seed} {name}") for name in units.names.to_pylist())
    for alike in _alike(counts, free, np.frombuffer(digests, np.uint64)):
        here = slice(counts.starts[alike[0]], counts.starts[alike[0] + 1])
        parts.deal(alike, counts.traits[here], counts.counts[here].astype(np.float64), left)
        left -= len(alike)
    return parts.places


def _alike(counts: UnitTraits, free: Numbers, order_keys: NDArray[np.uint64]) -> Iterator[Numbers]:
    """Sets of units with the same counts, the largest units first, each set in random order."""
    if not len(free):
        return
    # A number for every unit, equal where all counts are equal: a sum of well-mixed numbers (splitmix64).
    mixed = (counts.traits.astype(np.uint64) << np.uint64(32)) ^ counts.counts.astype(np.uint64)
    mixed += np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    kinds = np.add.reduceat(mixed ^ (mixed >> np.uint64(31)), counts.starts[:-1])[free]
    order = np.lexsort((order_keys[free], kinds))
    free, kinds = free[order], kinds[order]
    begins = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]]))
    ends = np.append(begins[1:], len(free))
    first = free[begins]
    sizes = counts.counts[counts.starts[first]]  # trait 0 comes first, and every unit has it
    for kind in np.lexsort((order_keys[first], -sizes)):
        yield free[begins[kind] : ends[kind]]


@dataclass(slots=True)
class _Parts:
    """The parts while units are dealt out: what each should have of every trait, and what it still lacks."""

    aims: Floats
    lacks: Floats
    places: Numbers

    def put(self, units: Numbers, part: int, traits: Numbers, counts: Floats) -> None:
        """Give a part some units with the same counts."""
        self.places[units] = part
        self.lacks[part, traits] -= counts * len(units)

    def deal(self, units: Numbers, traits: Numbers, counts: Floats, left: int) -> None:
        """Deal out units with the same counts; ``left`` is how many units are left in all, including these."""
        parts = len(self.aims)
        weights = np.where(traits == 0, SIZE_WEIGHT, 1.0) / self.aims[:, traits]
        done = 0
        if len(units) > 2 * parts:
            for part, many in enumerate(self._at_once(len(units) - parts, weights, traits, counts)):
                self.put(units[done : done + many], part, traits, counts)
                done += many
        for unit in units[done:]:
            costs = (weights * counts * (counts - 2 * self.lacks[:, traits])).sum(axis=1)
            empty = self.lacks[:, 0] == self.aims[:, 0]
            if left - done <= empty.sum():  # the last ones go to parts that are still empty
                costs[~empty] = np.inf
            self.put(np.array([unit]), int(costs.argmin()), traits, counts)
            done += 1

    def _at_once(self, many: int, weights: Floats, traits: Numbers, counts: Floats) -> list[int]:
        """How many of ``many`` equal units each part gets at least.

        Least squares under a fixed sum: every part that gets any has the same marginal gain, found by leaving out the
        parts with the smallest first gain until no part would get a negative number.
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
