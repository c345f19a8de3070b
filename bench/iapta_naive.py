"""IAPTA written down as the paper has it, with sets of tokens and a loop for every sum: slow, and easy to check.

The bench runs it beside the real one, and the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from otherwords.measures.agreement.iapta_tokens import TokenisedPair, TokenisedText
from otherwords.records import Phenomenon

Tokens = set[int]
Noted = tuple[str, str, Tokens, Tokens, str | None, Tokens, Tokens]  # pair, type, scopes, projection, keys
Score = Callable[[list[Noted], list[Noted]], float]


def tokens_of(ranges: Sequence[Sequence[int]], text: TokenisedText) -> Tokens:
    places = list(zip(text.starts, text.ends, strict=True))
    return {n for n, (a, b) in enumerate(places) for start, end in ranges if a < end and start < b}


def noted(annotations: Mapping[str, Sequence[Phenomenon]], tokens: Mapping[str, TokenisedPair]) -> list[Noted]:
    annotated: list[Noted] = []
    for pair, phenomena in annotations.items():
        text1, text2 = tokens[pair]
        for x in phenomena:
            scopes = tokens_of(x.scope1, text1), tokens_of(x.scope2, text2)
            annotated.append((pair, x.type, *scopes, x.projection, tokens_of(x.key1, text1), tokens_of(x.key2, text2)))
    return annotated


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


def ratio(first: float, second: float) -> float:
    return min(first, second) / max(first, second) if max(first, second) else 0.0


def same(x: Noted, y: Noted) -> bool:
    return x[:4] == y[:4]


def meets(x: Noted, y: Noted) -> bool:
    return x[:2] == y[:2] and bool(x[2] & y[2] or x[3] & y[3])


def overlap(first: list[Noted], second: list[Noted], test: Callable[[Noted, Noted], bool]) -> float:
    found = sum(any(test(x, y) for y in second) for x in first) + sum(any(test(y, x) for x in first) for y in second)
    return found / (len(first) + len(second))


def degree(first: list[Noted], second: list[Noted], projection: bool, keys: bool) -> float:
    """K: how far the first one's phenomena are covered."""
    covered = [min(1.0, sum(overlapping(x, y, projection, keys) for y in second)) for x in first]
    return sum(covered) / len(first) if first else 0.0


def harmonic(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second else 0.0


def parted(first: list[Noted], second: list[Noted], field: int) -> list[tuple[list[Noted], list[Noted]]]:
    """Pair by pair (0) or type by type (1)."""
    names = sorted({str(x[field]) for x in (*first, *second)})
    return [([x for x in first if x[field] == name], [x for x in second if x[field] == name]) for name in names]


def variants(name: str, score: Score, first: list[Noted], second: list[Noted]) -> dict[str, float]:
    return {
        name: score(first, second),
        f"{name}-pairwise": fmean(score(*part) for part in parted(first, second, 0)),
        f"{name}-typewise": fmean(score(*part) for part in parted(first, second, 1)),
        f"{name}-pairwise-typewise": fmean(
            fmean(score(*part) for part in parted(*type, 0)) for type in parted(first, second, 1)
        ),
    }


def iapta(first: list[Noted], second: list[Noted], *, projection: bool = True, keys: bool = True) -> dict[str, float]:
    """Every measure of two annotators who marked something."""

    def k(x: list[Noted], y: list[Noted]) -> float:
        return degree(x, y, projection, keys)

    return {
        **variants("iapta-agr-w", lambda x, y: ratio(covered_words(x), covered_words(y)), first, second),
        **variants("iapta-agr-ph", lambda x, y: ratio(len(x), len(y)), first, second),
        "iapta-tpo-partial": overlap(first, second, meets),
        "iapta-tpo-total": overlap(first, second, same),
        **variants("iapta-do-k1", k, first, second),
        **variants("iapta-do-k2", lambda x, y: k(y, x), first, second),
        **variants("iapta-do-f1", lambda x, y: harmonic(k(x, y), k(y, x)), first, second),
    }
