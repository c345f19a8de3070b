"""Which sets of tokens have a Jaccard similarity of at least a threshold: all of them, without comparing all.

Prefix filtering (Chaudhuri et al. 2006; Bayardo et al. 2007, AllPairs): with tokens ordered from rare to frequent, two
sets of that similarity share a token among the first few of each. Similarities are fractions of whole numbers, so the
answer is exact at the edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple


class SimilarSets(NamedTuple):
    """Two sets by their numbers, the lower first, with the tokens they share and those of both together."""

    first: int
    second: int
    shared: int
    union: int


def similar_sets(sets: Sequence[frozenset[str]], least: Fraction) -> Iterator[SimilarSets]:
    """All pairs of sets with a Jaccard similarity of at least ``least``, which is above 0; empty sets have none."""
    if not 0 < least <= 1:
        raise ValueError(f"a threshold above 0 and up to 1 is needed, not {least}")
    counts = Counter(token for tokens in sets for token in tokens)
    rank = {
        token: place for place, (token, _) in enumerate(sorted(counts.items(), key=lambda item: (item[1], item[0])))
    }
    index: dict[int, list[int]] = defaultdict(list)  # sets by the tokens of their prefix, the smaller sets first
    for number in sorted(range(len(sets)), key=lambda number: (len(sets[number]), number)):
        tokens = sets[number]
        size = len(tokens)
        if not size:
            continue
        ordered = sorted(rank[token] for token in tokens)
        smallest = ceil(least * size)
        found: set[int] = set()
        for place in ordered[: size - smallest + 1]:
            found.update(index[place])
        for other in sorted(found):
            if len(sets[other]) < smallest:
                continue
            shared = len(tokens & sets[other])
            union = size + len(sets[other]) - shared
            if shared >= least * union:
                yield SimilarSets(min(number, other), max(number, other), shared, union)
        for place in ordered[: size - ceil(2 * least / (1 + least) * size) + 1]:
            index[place].append(number)
