"""How the phenomena of two annotators overlap, for one type in one pair (Vila et al. 2014, §4).

The counts here are what every IAPTA measure is made of. ``_overlaps`` sums up equations 8 and 14, ``_degree`` is
equations 15 and 16, ``_coverage`` 17; the keys and scopes that count are those of the side that is
being covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from otherwords.measures.agreement.iapta_tokens import MarkedTokens

ONE_SIDED = ("addition_deletion",)  # §3: a scope in one text only
OTHER_PROJECTION = 0.75  # §4.3: scope counts three quarters, projection one


class OverlapVariant(NamedTuple):
    """What counts in the degree of overlapping."""

    one_sided: frozenset[str] = frozenset(ONE_SIDED)
    projection: bool = True
    keys: bool = True


class OverlapCounts(NamedTuple):
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


def overlap_counts(
    ours: Sequence[MarkedTokens], theirs: Sequence[MarkedTokens], variant: OverlapVariant
) -> OverlapCounts:
    """The counts of phenomena of one type by two annotators."""
    words = covered_words(ours), covered_words(theirs)
    if not ours or not theirs:  # a frequent case, with nothing to compare
        return OverlapCounts(*words, len(ours), len(theirs), 0, 0, 0, 0, 0.0, 0.0)
    partial1, total1, covered1 = _overlaps(ours, theirs, variant)
    partial2, total2, covered2 = _overlaps(theirs, ours, variant)
    return OverlapCounts(*words, len(ours), len(theirs), partial1, partial2, total1, total2, covered1, covered2)


def covered_words(phenomena: Sequence[MarkedTokens]) -> int:
    """How many different tokens of both texts the phenomena cover."""
    first = second = 0
    for phenomenon in phenomena:
        first |= phenomenon.scope1
        second |= phenomenon.scope2
    return first.bit_count() + second.bit_count()


def _overlaps(
    ours: Sequence[MarkedTokens], theirs: Sequence[MarkedTokens], variant: OverlapVariant
) -> tuple[int, int, float]:
    """How many of ours overlap partially and totally with any of theirs, and the sum of their degrees of coverage."""
    partial = total = 0
    covered = 0.0
    for x in ours:
        met = [y for y in theirs if x.scope1 & y.scope1 or x.scope2 & y.scope2]
        if met:
            partial += 1
            total += any(x.scope1 == y.scope1 and x.scope2 == y.scope2 for y in met)
            covered += min(1.0, sum([_degree(x, y, variant) for y in met]))
    return partial, total, covered


def _degree(x: MarkedTokens, y: MarkedTokens, variant: OverlapVariant) -> float:
    """The degree of overlapping of two phenomena: equation 15, with the weight of the keys by equation 16."""
    alpha = 1.0 if x.type in variant.one_sided else 0.5
    pi = OTHER_PROJECTION if variant.projection and x.projection != y.projection else 1.0
    kappa = 1.0
    if variant.keys and (x.key1 or x.key2):
        kappa = 0.75 + 0.125 * _coverage(x.key1, y.key1, 1.0) + 0.125 * _coverage(x.key2, y.key2, 1.0)
    return alpha * pi * kappa * (_coverage(x.scope1, y.scope1, 0.0) + _coverage(x.scope2, y.scope2, 0.0))


def _coverage(x: int, y: int, empty: float) -> float:
    """The share of the tokens of x that are in y; ``empty`` if x has none."""
    return (x & y).bit_count() / x.bit_count() if x else empty
