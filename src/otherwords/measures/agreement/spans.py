"""F1 of marked spans: how far two annotators marked the same stretches of the same pairs under the same type.

Three ways, from strict to lenient: *exact* asks for the same type and the same scopes in both texts, *partial* for the
same type and scopes that touch in every text that either marks, each span having one counterpart at most; *token*
counts what is covered under each type. Tokens are those of ``tokens`` where the texts are known, code points where
they are not. All are sums over pairs, so intervals are drawn like those of any other coefficient.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta_tokens import Cut, Cuts
from otherwords.measures.agreement.resampling import Weights, divided, estimates, exact
from otherwords.measures.agreement.scale import Floats
from otherwords.measures.agreement.setting import Setting
from otherwords.records import Phenomenon

MEASURES = ("span-exact-f1", "span-partial-f1", "span-token-f1")
Annotations = Mapping[str, Sequence[Phenomenon]]
Ranges = Sequence[Sequence[int]]


def figures(by_annotator: Mapping[str, Annotations], tokens: Mapping[str, Cuts], setting: Setting) -> list[Figure]:
    """The three figures for every two annotators."""
    if len(by_annotator) < 2:
        reason = f"only one annotator ({next(iter(by_annotator))})" if by_annotator else "there are no judgements"
        return [setting.figure(name, None, 0, tuple(by_annotator), reason) for name in MEASURES]
    found: list[Figure] = []
    for one, two in combinations(by_annotator, 2):
        shared = [pair for pair in by_annotator[one] if pair in by_annotator[two]]
        counts = [counted(by_annotator[one][pair], by_annotator[two][pair], tokens.get(pair)) for pair in shared]
        found += _of_two((one, two), np.array(counts, np.int64).reshape(-1, len(MEASURES), 2), setting)
    return found


def _of_two(annotators: tuple[str, str], counts: Ints, setting: Setting) -> list[Figure]:
    same, all_of_both = (exact(counts[:, :, part].T, float(counts.sum())) for part in (0, 1))

    def formula(weights: Weights) -> Floats:
        return divided(np.asarray(2 * (same @ weights), np.float64), np.asarray(all_of_both @ weights, np.float64))

    n = len(counts)
    told = estimates(formula, np.ones(n, np.int64), setting.bootstrap) if n else [None] * len(MEASURES)
    names = " and ".join(annotators)
    figures = []
    for name, estimate in zip(MEASURES, told, strict=True):
        note = "pairs that both annotated"
        if estimate is None:
            note = f"{names} have judged no pair in common"
        elif estimate.value is None:
            note = f"neither of {names} marked anything"
        figures.append(setting.figure(name, estimate, n, annotators, note))
    return figures


def counted(ours: Sequence[Phenomenon], theirs: Sequence[Phenomenon], cuts: Cuts | None) -> list[tuple[int, int]]:
    """For each measure what both have in common, and what both have in all."""
    spans = len(ours) + len(theirs)
    one, two = _covered(ours, cuts), _covered(theirs, cuts)
    tokens = sum(len(places) for places in (*one.values(), *two.values()))
    common = sum(len(places & two[type]) for type, places in one.items() if type in two)
    exactly = (Counter(map(_key, ours)) & Counter(map(_key, theirs))).total()
    return [(exactly, spans), (_partly(ours, theirs), spans), (common, tokens)]


def _key(one: Phenomenon) -> tuple[object, ...]:
    return one.type, tuple(sorted(map(tuple, one.scope1))), tuple(sorted(map(tuple, one.scope2)))


def _partly(ours: Sequence[Phenomenon], theirs: Sequence[Phenomenon]) -> int:
    """How many spans have a counterpart of their own: the most that can be paired (Kuhn 1955, by augmenting paths)."""
    matched: dict[int, int] = {}

    def paired(one: int, tried: set[int]) -> bool:
        for two, other in enumerate(theirs):
            if two not in tried and _touch(ours[one], other):
                tried.add(two)
                if two not in matched or paired(matched[two], tried):
                    matched[two] = one
                    return True
        return False

    return sum(paired(one, set()) for one in range(len(ours)))


def _touch(one: Phenomenon, other: Phenomenon) -> bool:
    sides = ((one.scope1, other.scope1), (one.scope2, other.scope2))
    return one.type == other.type and all(_overlap(*side) for side in sides if side[0] or side[1])


def _overlap(one: Ranges, other: Ranges) -> bool:
    return any(start < stop and begin < end for start, end in one for begin, stop in other)


def _covered(phenomena: Sequence[Phenomenon], cuts: Cuts | None) -> dict[str, set[tuple[int, int]]]:
    """The tokens that each type covers, by text and place."""
    covered: dict[str, set[tuple[int, int]]] = {}
    for one in phenomena:
        places = covered.setdefault(one.type, set())
        for side, ranges in enumerate((one.scope1, one.scope2)):
            for start, end in ranges:
                places.update((side, place) for place in _places(start, end, cuts[side] if cuts else None))
    return covered


def _places(start: int, end: int, cut: Cut | None) -> Sequence[int]:
    if cut is None:
        return range(start, end)
    return range(bisect_right(cut.ends, start), bisect_left(cut.starts, end))
