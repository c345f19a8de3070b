"""F1 of marked spans: how far two annotators marked the same spans of the same pairs under the same type.

There are three measures, from strict to lenient: *exact* requires the same type and the same scopes in both texts,
*partial* the same type and scopes that touch in every text that either marks, with at most one counterpart per span;
*token* counts what is covered under each type. Tokens are those of ``tokens`` where the texts are known, code points
otherwise. All are sums over pairs, so intervals are drawn as for any other coefficient.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.iapta_tokens import TokenisedPair
from otherwords.measures.agreement.resampling import Weights, as_exact, divide, estimates
from otherwords.measures.agreement.scale import Floats
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.records import Phenomenon

MOST_PAIRS = 100  # with 14 annotators or fewer all pairs are compared
NO_TWO = "no two annotators annotated a pair in common"


class AnnotatorPairs(NamedTuple):
    """The pairs of annotators that are compared, in the order of the annotators, and a note on the others."""

    pairs: list[tuple[str, str]]
    note: str | None = None


def compared_pairs(units: Mapping[str, Collection[str]], most: int = MOST_PAIRS) -> AnnotatorPairs:
    """All pairs of annotators, or those with the most ``units`` in common if there are more than ``most``."""
    pairs = list(combinations(units, 2))
    if len(pairs) <= most:
        return AnnotatorPairs(pairs)
    shared = _shared_units(units)[np.triu_indices(len(units), 1)]  # in the order of the pairs
    largest = np.argsort(-shared, kind="stable")[:most]
    chosen = np.sort(largest[shared[largest] > 0])
    together = "1 pair" if len(chosen) == 1 else f"{len(chosen):,} pairs"
    note = f"only the {together} of annotators who share most: {len(pairs) - len(chosen):,} left out"
    return AnnotatorPairs([pairs[place] for place in chosen], note)


def _shared_units(units: Mapping[str, Collection[str]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """How many units every two annotators have in common."""
    numbers: dict[str, int] = {}
    places = [[numbers.setdefault(unit, len(numbers)) for unit in by_one] for by_one in units.values()]
    annotated = np.zeros((len(units), len(numbers)), np.float32)
    for row, own in zip(annotated, places, strict=True):
        row[own] = 1
    return np.asarray(annotated @ annotated.T)


MEASURES = ("span-exact-f1", "span-partial-f1", "span-token-f1")
Annotations = Mapping[str, Sequence[Phenomenon]]


def span_coefficients(
    by_annotator: Mapping[str, Annotations], tokens: Mapping[str, TokenisedPair], setting: AgreementSetting
) -> list[Coefficient]:
    """The three measures for every two annotators; of very many pairs of them, for those who share most."""
    if len(by_annotator) < 2:
        reason = f"only one annotator ({next(iter(by_annotator))})" if by_annotator else "there are no judgements"
        return [setting.figure(name, None, 0, tuple(by_annotator), reason) for name in MEASURES]
    compared = compared_pairs(by_annotator)
    if not compared.pairs:
        return [setting.figure(name, None, 0, tuple(by_annotator), NO_TWO) for name in MEASURES]
    coefficients: list[Coefficient] = []
    for first, second in compared.pairs:
        shared = [pair for pair in by_annotator[first] if pair in by_annotator[second]]
        counts = [
            count_spans(by_annotator[first][pair], by_annotator[second][pair], tokens.get(pair)) for pair in shared
        ]
        table = np.array(counts, np.int64).reshape(-1, len(MEASURES), 2)
        coefficients += _pair_coefficients((first, second), table, setting, compared.note)
    return coefficients


def _pair_coefficients(
    annotators: tuple[str, str], counts: Ints, setting: AgreementSetting, about_all: str | None
) -> list[Coefficient]:
    same, all_of_both = (as_exact(counts[:, :, part].T, float(counts.sum())) for part in (0, 1))

    def formula(weights: Weights) -> Floats:
        return divide(np.asarray(2 * (same @ weights), np.float64), np.asarray(all_of_both @ weights, np.float64))

    n = len(counts)
    results = estimates(formula, np.ones(n, np.int64), setting.bootstrap) if n else [None] * len(MEASURES)
    names = " and ".join(annotators)
    coefficients = []
    for name, estimate in zip(MEASURES, results, strict=True):
        note = "pairs that both annotated"
        if estimate is None:
            note = f"{names} have judged no pair in common"
        elif estimate.value is None:
            note = f"neither of {names} marked anything"
        coefficients.append(setting.figure(name, estimate, n, annotators, "; ".join(filter(None, (note, about_all)))))
    return coefficients


def count_spans(
    ours: Sequence[Phenomenon], theirs: Sequence[Phenomenon], cuts: TokenisedPair | None
) -> list[tuple[int, int]]:
    """For each measure, how much both have in common, and how much they have in total."""
    spans = len(ours) + len(theirs)
    covered1, covered2 = _covered_tokens(ours, cuts), _covered_tokens(theirs, cuts)
    tokens = sum(len(places) for places in (*covered1.values(), *covered2.values()))
    common = sum(len(places & covered2[type]) for type, places in covered1.items() if type in covered2)
    exactly = (Counter(map(_key, ours)) & Counter(map(_key, theirs))).total()
    return [(exactly, spans), (_count_partial(ours, theirs), spans), (common, tokens)]


def _key(phenomenon: Phenomenon) -> tuple[object, ...]:
    return phenomenon.type, tuple(sorted(map(tuple, phenomenon.scope1))), tuple(sorted(map(tuple, phenomenon.scope2)))


def _count_partial(ours: Sequence[Phenomenon], theirs: Sequence[Phenomenon]) -> int:
    """How many spans have a counterpart of their own: a maximum matching (Kuhn 1955, by augmenting paths)."""
    matched: dict[int, int] = {}

    def find_partner(own: int, tried: set[int]) -> bool:
        for number, other in enumerate(theirs):
            if number not in tried and _touch(ours[own], other):
                tried.add(number)
                if number not in matched or find_partner(matched[number], tried):
                    matched[number] = own
                    return True
        return False

    return sum(find_partner(own, set()) for own in range(len(ours)))


def _touch(phenomenon: Phenomenon, other: Phenomenon) -> bool:
    """Whether two phenomena have the same type and overlap in every text that either marks."""
    sides = ((phenomenon.scope1, other.scope1), (phenomenon.scope2, other.scope2))
    return phenomenon.type == other.type and all(
        any(start < stop and begin < end for start, end in ranges for begin, stop in others)
        for ranges, others in sides
        if ranges or others
    )


def _covered_tokens(phenomena: Sequence[Phenomenon], cuts: TokenisedPair | None) -> dict[str, set[tuple[int, int]]]:
    """The tokens that each type covers, as text and place."""
    covered: dict[str, set[tuple[int, int]]] = {}
    for phenomenon in phenomena:
        places = covered.setdefault(phenomenon.type, set())
        for side, ranges in enumerate((phenomenon.scope1, phenomenon.scope2)):
            for start, end in ranges:
                if cuts is not None:
                    start, end = bisect_right(cuts[side].ends, start), bisect_left(cuts[side].starts, end)
                places.update((side, place) for place in range(start, end))
    return covered
