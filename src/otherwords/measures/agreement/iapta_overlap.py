"""How two annotators' phenomena of one type in one pair lie over each other (Vila et al. 2014, §4).

In go the phenomena of both in tokens, out come the counts that every IAPTA measure is made of. ``_found`` sums
up equations 8 and 14, ``_overlapping`` is equation 15, ``_key_weight`` 16 and ``_coverage`` 17; the keys and scopes
that count are those of the side that is being covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from otherwords.measures.agreement.iapta_tokens import Marked

ONE_SIDED = ("addition_deletion",)  # §3: a scope in one text only
OTHER_PROJECTION = 0.75  # §4.3: scope counts three quarters, projection one


class Way(NamedTuple):
    """What counts in the degree of overlapping."""

    one_sided: frozenset[str] = frozenset(ONE_SIDED)
    projection: bool = True
    keys: bool = True


class Counts(NamedTuple):
    """What two annotators have in common in one pair; 1 and 2 are the annotators."""

    words1: int
    words2: int
    phenomena1: int
    phenomena2: int
    partial1: int
    partial2: int
    total1: int
    total2: int
    covered1: float
    covered2: float


def counts(one: Sequence[Marked], two: Sequence[Marked], way: Way) -> Counts:
    """The counts of phenomena of one type by two annotators."""
    if not one or not two:  # often so, and then there is nothing to compare
        return Counts(words(one), words(two), len(one), len(two), 0, 0, 0, 0, 0.0, 0.0)
    partial1, total1, covered1 = _found(one, two, way)
    partial2, total2, covered2 = _found(two, one, way)
    return Counts(
        *(words(one), words(two), len(one), len(two)), *(partial1, partial2, total1, total2), *(covered1, covered2)
    )


def words(phenomena: Sequence[Marked]) -> int:
    """How many different tokens of both texts they cover."""
    first = second = 0
    for phenomenon in phenomena:
        first |= phenomenon.scope1
        second |= phenomenon.scope2
    return first.bit_count() + second.bit_count()


def _found(ours: Sequence[Marked], theirs: Sequence[Marked], way: Way) -> tuple[int, int, float]:
    """How many of ours overlap partially and totally with any of theirs, and the sum of how far they are covered."""
    partial = total = 0
    covered = 0.0
    for x in ours:
        met = [y for y in theirs if x.scope1 & y.scope1 or x.scope2 & y.scope2]
        if met:
            partial += 1
            total += any(x.scope1 == y.scope1 and x.scope2 == y.scope2 for y in met)
            covered += min(1.0, sum([_overlapping(x, y, way) for y in met]))
    return partial, total, covered


def _overlapping(x: Marked, y: Marked, way: Way) -> float:
    alpha = 1.0 if x.type in way.one_sided else 0.5
    pi = OTHER_PROJECTION if way.projection and x.projection != y.projection else 1.0
    kappa = _key_weight(x, y) if way.keys and (x.key1 or x.key2) else 1.0
    return alpha * pi * kappa * (_coverage(x.scope1, y.scope1, 0.0) + _coverage(x.scope2, y.scope2, 0.0))


def _key_weight(x: Marked, y: Marked) -> float:
    return 0.75 + 0.125 * _coverage(x.key1, y.key1, 1.0) + 0.125 * _coverage(x.key2, y.key2, 1.0)


def _coverage(x: int, y: int, empty: float) -> float:
    """The share of the tokens of x that are in y; ``empty`` if x has none."""
    return (x & y).bit_count() / x.bit_count() if x else empty
