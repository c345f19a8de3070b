"""Clusters: texts that are paraphrases of each other because each is one of the next (Dou et al. 2022, §2.5).

In go pairs, each positive, negative or neither, with the strength of what links it; out come the connected components
of the positive ones. Texts are told apart by digests, numbers alone are held, and the links are joined strongest first:
so the last link that joins a cluster is the weakest on the strongest way through it. A cluster that falls into two
without that link is held together by it alone. A negative pair inside a cluster contradicts it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Key = Callable[[str], str]
Rows = NDArray[np.int64]
NO_CLUSTER = -1


@dataclass(frozen=True, slots=True)
class Linked:
    """A pair as clusters see it."""

    text1: str
    text2: str
    positive: bool | None
    strength: float = 1.0  # between 0 and 1: the share of those who say yes, or how good the label is


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster, by the places of its pairs in the corpus."""

    size: int  # texts
    links: tuple[int, ...]  # positive pairs
    weakest: int  # the link that joins it with the least strength
    strength: float  # of that link
    bridge: bool  # nothing else holds its two halves together
    halves: tuple[int, int]  # how many texts that link joins to how many
    contradictions: tuple[int, ...] = ()  # negative pairs


@dataclass(frozen=True, slots=True)
class Clustered:
    """All clusters of a corpus, the largest first; of those of a size, the one that begins first."""

    clusters: list[Cluster]
    of_pair: Rows  # by place in the corpus: the number of its cluster, or NO_CLUSTER
    texts: tuple[Rows, Rows]  # by place in the corpus: a number for each different text
    pairs: int
    identical: int  # pairs of one text with itself, which link nothing


class _Joined:
    """Which texts belong together so far."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))
        self.size = [1] * count

    def find(self, text: int) -> int:
        parent = self.parent
        while parent[text] != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    def join(self, one: int, other: int) -> tuple[int, int] | None:
        """Join what two texts belong to; the sizes of both, or None where they belong together already."""
        first, second = self.find(one), self.find(other)
        if first == second:
            return None
        if self.size[first] < self.size[second]:
            first, second = second, first
        halves = (self.size[first], self.size[second])
        self.parent[second] = first
        self.size[first] += self.size[second]
        return halves


def exact(text: str) -> str:
    """Texts are the same if they are equal, character by character."""
    return text


def clustered(pairs: Iterable[Linked], key: Key = exact) -> Clustered:
    """The clusters of a corpus; ``key`` says which texts are the same."""
    digests1, digests2, signs, strengths = array("Q"), array("Q"), array("b"), array("d")
    for pair in pairs:
        digests1.append(_digest(key(pair.text1)))
        digests2.append(_digest(key(pair.text2)))
        signs.append(0 if pair.positive is None else 1 if pair.positive else -1)
        strengths.append(pair.strength)
    both = np.concatenate([np.array(digests1, np.uint64), np.array(digests2, np.uint64)])
    different, numbers = np.unique(both, return_inverse=True)
    first, second = np.split(numbers.astype(np.int64), 2)
    signed = np.array(signs, np.int8)
    linking = np.flatnonzero((signed > 0) & (first != second))
    links = linking[np.argsort(-np.array(strengths)[linking], kind="stable")]
    return _assembled((first, second), signed, np.array(strengths), links, len(different))


def _assembled(
    texts: tuple[Rows, Rows], signs: NDArray[np.int8], strengths: NDArray[np.float64], links: Rows, count: int
) -> Clustered:
    joined, weakest = _Joined(count), dict[int, tuple[int, tuple[int, int]]]()
    ends = [(place, int(texts[0][place]), int(texts[1][place])) for place in links.tolist()]
    for place, one, other in ends:
        if halves := joined.join(one, other):
            weakest[joined.find(one)] = (place, halves)
    roots = {joined.find(one) for _, one, _ in ends}
    bridges = _bridges(ends, {weakest[root][0] for root in roots}, count)
    members: dict[int, list[int]] = defaultdict(list)
    for place, one, _ in sorted(ends):
        members[joined.find(one)].append(place)
    against = _contradictions(texts, signs, joined)
    order = sorted(members, key=lambda root: (-joined.size[root], members[root][0]))
    found = [
        Cluster(
            size=joined.size[root],
            links=tuple(members[root]),
            weakest=weakest[root][0],
            strength=float(strengths[weakest[root][0]]),
            bridge=weakest[root][0] in bridges,
            halves=weakest[root][1],
            contradictions=tuple(against.get(root, ())),
        )
        for root in order
    ]
    of_pair = np.full(len(signs), NO_CLUSTER, np.int64)
    for number, cluster in enumerate(found):
        of_pair[[*cluster.links, *cluster.contradictions]] = number
    return Clustered(found, of_pair, texts, len(signs), int((texts[0] == texts[1]).sum()))


def _bridges(ends: list[tuple[int, int, int]], weakest: set[int], count: int) -> set[int]:
    """Those of the weakest links that nothing stands in for: without them all, their ends lie apart."""
    rest = _Joined(count)
    for place, one, other in ends:
        if place not in weakest:
            rest.join(one, other)
    return {place for place, one, other in ends if place in weakest and rest.find(one) != rest.find(other)}


def _contradictions(texts: tuple[Rows, Rows], signs: NDArray[np.int8], joined: _Joined) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for place in np.flatnonzero((signs < 0) & (texts[0] != texts[1])).tolist():
        root = joined.find(int(texts[0][place]))
        if root == joined.find(int(texts[1][place])):
            found[root].append(place)
    return found


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
