"""Clusters: texts that are paraphrases of each other, directly or through others (Dou et al. 2022, §2.5).

Clusters are the connected components of positive pairs. Texts are identified by digests, so that only numbers are held
in memory. Links are joined strongest first, so the last link that joins a cluster is its weakest (the bottleneck of its
maximum spanning tree). That link is a bridge if the cluster falls into two without it. A negative pair inside a cluster
contradicts it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.digests import digest_number

Key = Callable[[str], str]
Rows = NDArray[np.int64]
NO_CLUSTER = -1


@dataclass(frozen=True, slots=True)
class PairLink:
    """A pair as an edge between two texts."""

    text1: str
    text2: str
    positive: bool | None
    strength: float = 1.0  # between 0 and 1: the share of positive votes, or the grade of the label


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster; pairs are positions in the corpus."""

    size: int  # texts
    links: tuple[int, ...]  # positive pairs
    weakest: int  # the weakest link that it needs
    strength: float  # of that link
    bridge: bool  # whether that link alone holds its two halves together
    halves: tuple[int, int]  # the numbers of texts that the link joins
    contradictions: tuple[int, ...] = ()  # negative pairs


@dataclass(frozen=True, slots=True)
class ClusterGraph:
    """All clusters of a corpus, the largest first; clusters of equal size in the order of their first pair."""

    clusters: list[Cluster]
    of_pair: Rows  # by position in the corpus: the number of its cluster, or NO_CLUSTER
    texts: tuple[Rows, Rows]  # by position in the corpus: a number for each different text
    pairs: int
    identical: int  # pairs of one text with itself, which link nothing


class _UnionFind:
    """Which texts are connected so far."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))
        self.size = [1] * count

    def find(self, text: int) -> int:
        parent = self.parent
        while parent[text] != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    def join(self, text1: int, text2: int) -> tuple[int, int] | None:
        """Join the sets of two texts; the sizes of both sets, or None where it is one set already."""
        first, second = self.find(text1), self.find(text2)
        if first == second:
            return None
        if self.size[first] < self.size[second]:
            first, second = second, first
        halves = (self.size[first], self.size[second])
        self.parent[second] = first
        self.size[first] += self.size[second]
        return halves


def build_graph(pairs: Iterable[PairLink], key: Key = str) -> ClusterGraph:
    """The clusters of a corpus; texts with the same ``key`` are the same, by default those that are equal."""
    digests1, digests2, signs, strengths = array("Q"), array("Q"), array("b"), array("d")
    for pair in pairs:
        digests1.append(digest_number(key(pair.text1)))
        digests2.append(digest_number(key(pair.text2)))
        signs.append(0 if pair.positive is None else 1 if pair.positive else -1)
        strengths.append(pair.strength)
    both = np.concatenate([np.array(digests1, np.uint64), np.array(digests2, np.uint64)])
    different, numbers = np.unique(both, return_inverse=True)
    first, second = np.split(numbers.astype(np.int64), 2)
    signed = np.array(signs, np.int8)
    linking = np.flatnonzero((signed > 0) & (first != second))
    links = linking[np.argsort(-np.array(strengths)[linking], kind="stable")]
    return _assemble((first, second), signed, np.array(strengths), links, len(different))


def _assemble(
    texts: tuple[Rows, Rows], signs: NDArray[np.int8], strengths: NDArray[np.float64], links: Rows, count: int
) -> ClusterGraph:
    sets, weakest = _UnionFind(count), dict[int, tuple[int, tuple[int, int]]]()
    edges = [(pair, int(texts[0][pair]), int(texts[1][pair])) for pair in links.tolist()]
    for pair, text1, text2 in edges:
        if halves := sets.join(text1, text2):
            weakest[sets.find(text1)] = (pair, halves)
    members: dict[int, list[int]] = defaultdict(list)
    for pair, text1, _ in sorted(edges):
        members[sets.find(text1)].append(pair)
    bridges = _bridges(edges, {weakest[root][0] for root in members}, count)
    contradictions: dict[int, list[int]] = defaultdict(list)  # the negative pairs inside each cluster, by its root
    for pair in np.flatnonzero((signs < 0) & (texts[0] != texts[1])).tolist():
        root = sets.find(int(texts[0][pair]))
        if root == sets.find(int(texts[1][pair])):
            contradictions[root].append(pair)
    order = sorted(members, key=lambda root: (-sets.size[root], members[root][0]))
    clusters = [
        Cluster(
            size=sets.size[root],
            links=tuple(members[root]),
            weakest=weakest[root][0],
            strength=float(strengths[weakest[root][0]]),
            bridge=weakest[root][0] in bridges,
            halves=weakest[root][1],
            contradictions=tuple(contradictions[root]),
        )
        for root in order
    ]
    of_pair = np.full(len(signs), NO_CLUSTER, np.int64)
    for number, cluster in enumerate(clusters):
        of_pair[[*cluster.links, *cluster.contradictions]] = number
    return ClusterGraph(clusters, of_pair, texts, len(signs), int((texts[0] == texts[1]).sum()))


def _bridges(edges: list[tuple[int, int, int]], weakest: set[int], count: int) -> set[int]:
    """The weakest links that have no alternative: without all of them, their texts are not connected."""
    rest = _UnionFind(count)
    for pair, text1, text2 in edges:
        if pair not in weakest:
            rest.join(text1, text2)
    return {pair for pair, text1, text2 in edges if pair in weakest and rest.find(text1) != rest.find(text2)}
