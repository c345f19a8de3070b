"""Clusters with their texts, and what is made of them: pairs to judge next, and sets of references.

Pairs to judge next are two seeds with up to 30 texts each of the largest cluster of a group (Dou et al. 2022, §2.5). A
set of references (at least 8 in §4) is a text with all its direct paraphrases, not those through others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from otherwords.align.posts import without_punctuation
from otherwords.corpus.clusters.graph import Cluster, ClusterGraph, PairLink, build_graph
from otherwords.corpus.clusters.links import Link, Linkage
from otherwords.errors import DataError
from otherwords.records import Pair
from otherwords.sources.io.files import atomic_write
from otherwords.sources.io.json_stream import write_object
from otherwords.sources.reading import format_for, write_records
from otherwords.text.normalise import normalise

SEEDS = 2  # MultiPIT, §2.5
TEXTS_PER_SEED = 30  # the same
METHOD = "seed-cluster"


ClusterOutput = Literal["clusters", "references", "seeds"]


@dataclass(frozen=True, slots=True)
class ClusterLink:
    """A link or a contradiction: its pair, label and strength, and the texts that it joins."""

    pair: str
    label: str | None
    strength: float
    text1: int  # position among the texts of the cluster
    text2: int
    group: str | None = None
    lang: str | None = None
    source: str | None = None


@dataclass(slots=True)
class ClusterTexts:
    """A cluster with its texts, in the order of the corpus."""

    cluster: int
    size: int
    weakest: str  # the pair of its weakest link
    strength: float
    bridge: bool
    halves: tuple[int, int]
    texts: list[str] = field(default_factory=list)
    links: list[ClusterLink] = field(default_factory=list)
    contradictions: list[ClusterLink] = field(default_factory=list)

    @property
    def held_by_one(self) -> bool:
        """Whether a single link joins two parts of several texts each."""
        return self.bridge and min(self.halves) > 1

    def as_dict(self) -> dict[str, object]:
        """Its JSON form."""
        return asdict(self) | {"held_by_one": self.held_by_one}

    def neighbours(self) -> dict[int, dict[int, float]]:
        """The strength of each direct link by both its texts, without contradicted links."""
        strengths: dict[int, dict[int, float]] = defaultdict(dict)
        for link in self.links:
            for text, other in ((link.text1, link.text2), (link.text2, link.text1)):
                strengths[text][other] = max(link.strength, strengths[text].get(other, 0.0))
        for link in self.contradictions:
            strengths[link.text1].pop(link.text2, None)
            strengths[link.text2].pop(link.text1, None)
        return strengths


@dataclass(frozen=True, slots=True)
class Clusters:
    """All clusters of a corpus that are large enough."""

    pairs: int
    identical: int
    clusters: list[ClusterTexts]
    smaller: int  # the number of clusters that are not
    notes: tuple[str, ...] = ()


def plain(text: str) -> str:
    """The key by which texts are the same if they differ only in case, punctuation and white space."""
    return without_punctuation(normalise(text))


def find_clusters(corpus: Linkage, *, min_size: int = 2, normalised: bool = False) -> Clusters:
    """The clusters of a corpus that have at least ``min_size`` texts, the largest first."""
    links = (PairLink(link.pair.text1, link.pair.text2, link.positive, link.strength) for link in corpus.read())
    graph = build_graph(links, plain if normalised else str)
    chosen = [cluster for cluster in graph.clusters if cluster.size >= min_size]
    with_texts = _read_texts(corpus.read(), graph, chosen) if chosen else []
    return Clusters(graph.pairs, graph.identical, with_texts, len(graph.clusters) - len(chosen), corpus.notes)


def _read_texts(links: Iterable[Link], graph: ClusterGraph, chosen: list[Cluster]) -> list[ClusterTexts]:
    """The chosen clusters, which are the first of the graph, with the texts of a second reading."""
    result = [
        ClusterTexts(number, cluster.size, "", cluster.strength, cluster.bridge, cluster.halves)
        for number, cluster in enumerate(chosen, 1)
    ]
    contradictions = {pair for cluster in chosen for pair in cluster.contradictions}
    weakest = {cluster.weakest for cluster in chosen}
    positions: dict[int, int] = {}  # of each text among those of its cluster
    first, second = graph.texts
    for number, link in enumerate(links):
        pair, place = link.pair, int(graph.of_pair[number])
        if not 0 <= place < len(result):
            continue
        cluster = result[place]
        for text, words in ((int(first[number]), pair.text1), (int(second[number]), pair.text2)):
            if text not in positions:
                positions[text] = len(cluster.texts)
                cluster.texts.append(words)
        ends = positions[int(first[number])], positions[int(second[number])]
        strength = round(link.strength, 6)
        entry = ClusterLink(pair.id, link.label, strength, *ends, pair.group, pair.lang, pair.source)
        (cluster.contradictions if number in contradictions else cluster.links).append(entry)
        if number in weakest:
            cluster.weakest = pair.id
    return result


def references(clusters: Iterable[ClusterTexts], fewest: int) -> Iterator[tuple[str, list[str]]]:
    """The text of each cluster that has the most direct paraphrases, with these, where there are at least so many."""
    for cluster in clusters:
        linked = cluster.neighbours()
        if not linked:
            continue
        source = min(linked, key=lambda text: (-len(linked[text]), text))
        if len(linked[source]) >= fewest:
            strongest = sorted(linked[source], key=lambda text: (-linked[source][text], text))
            yield cluster.texts[source], [cluster.texts[text] for text in strongest]


def seed_pairs(clusters: Iterable[ClusterTexts]) -> Iterator[Pair]:
    """Pairs to judge next: of each group's largest cluster the two best linked texts, each with up to 30 others."""
    largest: dict[str, tuple[ClusterTexts, list[int]]] = {}
    for cluster in clusters:
        by_group: dict[str, set[int]] = defaultdict(set)
        for link in cluster.links:
            if link.group is not None:
                by_group[link.group] |= {link.text1, link.text2}
        for group, texts in by_group.items():
            if group not in largest or len(texts) > len(largest[group][1]):
                largest[group] = (cluster, sorted(texts))
    for group, (cluster, group_texts) in sorted(largest.items(), key=lambda item: item[0]):
        yield from _group_seeds(group, cluster, group_texts)


def _group_seeds(group: str, cluster: ClusterTexts, texts: list[int]) -> Iterator[Pair]:
    degrees = Counter({text: len(linked) for text, linked in cluster.neighbours().items()})
    ranked = sorted(texts, key=lambda text: (-degrees[text], text))
    seeds = ranked[:SEEDS]
    link = next(link for link in cluster.links if link.group == group)
    for number, seed in enumerate(seeds):
        others = [text for text in ranked if text != seed and text not in seeds[:number]][:TEXTS_PER_SEED]
        for other in others:
            yield Pair(
                id=f"{METHOD}-{cluster.cluster}-{seed + 1}-{other + 1}",
                text1=cluster.texts[seed],
                text2=cluster.texts[other],
                lang=link.lang,
                source=link.source,
                group=group,
                method=METHOD,
                meta={"cluster": cluster.cluster, "seed": number + 1},
            )


def save_clusters(clusters: Clusters, path: str, output: ClusterOutput, fewest: int = 1) -> int:
    """Write clusters, sets of references or seed pairs, and count them. If there are none, nothing is written."""
    target = None if path == "-" else Path(path)
    if output == "seeds":
        format_for(path)
        pairs = list(seed_pairs(clusters.clusters))
        if not pairs:
            raise DataError("no positive pair has a group; seeds need groups", code="no-groups")
        write_records(pairs, path)
        return len(pairs)
    if output == "references":
        sets = list(references(clusters.clusters, fewest))
        if not sets:
            count = "1 reference" if fewest == 1 else f"{fewest} references"
            raise DataError(f"no text has {count}; ask for fewer, or judge more pairs", code="too-few-references")
        with atomic_write(target) as stream:
            write_object(sets, stream)
        return len(sets)
    with atomic_write(target) as stream:
        stream.writelines(msgspec.json.encode(cluster.as_dict()) + b"\n" for cluster in clusters.clusters)
    return len(clusters.clusters)
