"""IAPTA written down as the paper has it, with sets of tokens and a loop for every sum: slow, and easy to check.

The bench runs it beside the real one, and the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from otherwords.measures.agreement.iapta_tokens import Cut, Cuts
from otherwords.records import Phenomenon

Tokens = set[int]
Noted = tuple[str, str, Tokens, Tokens, str | None, Tokens, Tokens]  # pair, type, scopes, projection, keys
Score = Callable[[list[Noted], list[Noted]], float]


def tokens_of(ranges: Sequence[Sequence[int]], text: Cut) -> Tokens:
    places = list(zip(text.starts, text.ends, strict=True))
    return {n for n, (a, b) in enumerate(places) for start, end in ranges if a < end and start < b}


def noted(annotations: Mapping[str, Sequence[Phenomenon]], tokens: Mapping[str, Cuts]) -> list[Noted]:
    every: list[Noted] = []
    for pair, phenomena in annotations.items():
        one, two = tokens[pair]
        for x in phenomena:
            scopes = tokens_of(x.scope1, one), tokens_of(x.scope2, two)
            every.append((pair, x.type, *scopes, x.projection, tokens_of(x.key1, one), tokens_of(x.key2, two)))
    return every


def coverage(x: Tokens, y: Tokens, empty: float) -> float:
    return len(x & y) / len(x) if x else empty


def overlapping(x: Noted, y: Noted, projection: bool, keys: bool) -> float:
    if x[:2] != y[:2]:
        return 0.0
    alpha = 1.0 if x[1] == "addition_deletion" else 0.5
    pi = 1.0 if x[4] == y[4] or not projection else 0.75
    kappa = 1.0
    if keys and (x[5] or x[6]):
        kappa = 0.75 + 0.125 * coverage(x[5], y[5], 1.0) + 0.125 * coverage(x[6], y[6], 1.0)
    return alpha * pi * kappa * (coverage(x[2], y[2], 0.0) + coverage(x[3], y[3], 0.0))


def covered_words(phenomena: list[Noted]) -> int:
    return len({(x[0], side, n) for x in phenomena for side in (2, 3) for n in x[side]})


def ratio(one: float, two: float) -> float:
    return min(one, two) / max(one, two) if max(one, two) else 0.0


def same(x: Noted, y: Noted) -> bool:
    return x[:4] == y[:4]


def meets(x: Noted, y: Noted) -> bool:
    return x[:2] == y[:2] and bool(x[2] & y[2] or x[3] & y[3])


def overlap(one: list[Noted], two: list[Noted], test: Callable[[Noted, Noted], bool]) -> float:
    found = sum(any(test(x, y) for y in two) for x in one) + sum(any(test(y, x) for x in one) for y in two)
    return found / (len(one) + len(two))


def degree(one: list[Noted], two: list[Noted], projection: bool, keys: bool) -> float:
    """K: how far the first one's phenomena are covered."""
    every = [min(1.0, sum(overlapping(x, y, projection, keys) for y in two)) for x in one]
    return sum(every) / len(one) if one else 0.0


def harmonic(one: float, two: float) -> float:
    return 2 * one * two / (one + two) if one + two else 0.0


def parted(one: list[Noted], two: list[Noted], field: int) -> list[tuple[list[Noted], list[Noted]]]:
    """Pair by pair (0) or type by type (1)."""
    names = sorted({str(x[field]) for x in (*one, *two)})
    return [([x for x in one if x[field] == name], [x for x in two if x[field] == name]) for name in names]


def variants(name: str, score: Score, one: list[Noted], two: list[Noted]) -> dict[str, float]:
    return {
        name: score(one, two),
        f"{name}-pairwise": fmean(score(*part) for part in parted(one, two, 0)),
        f"{name}-typewise": fmean(score(*part) for part in parted(one, two, 1)),
        f"{name}-pairwise-typewise": fmean(
            fmean(score(*part) for part in parted(*type, 0)) for type in parted(one, two, 1)
        ),
    }


def iapta(one: list[Noted], two: list[Noted], *, projection: bool = True, keys: bool = True) -> dict[str, float]:
    """Every measure of two annotators who marked something."""

    def k(x: list[Noted], y: list[Noted]) -> float:
        return degree(x, y, projection, keys)

    return {
        **variants("iapta-agr-w", lambda x, y: ratio(covered_words(x), covered_words(y)), one, two),
        **variants("iapta-agr-ph", lambda x, y: ratio(len(x), len(y)), one, two),
        "iapta-tpo-partial": overlap(one, two, meets),
        "iapta-tpo-total": overlap(one, two, same),
        **variants("iapta-do-k1", k, one, two),
        **variants("iapta-do-k2", lambda x, y: k(y, x), one, two),
        **variants("iapta-do-f1", lambda x, y: harmonic(k(x, y), k(y, x)), one, two),
    }
