"""Clusters with their texts, as people and files get them; and what is made of them.

In go links, out come clusters, seeds to be judged next (Dou et al. 2022, §2.5: two seeds with up to 30 texts of the
largest cluster of a group), and sets of several references (at least 8 in §4): a text with all that were found to be
paraphrases of it directly, and not through others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from otherwords.align.posts import without_punctuation
from otherwords.corpus.clusters import Cluster, Clustered, Linked, clustered, exact
from otherwords.corpus.clusters_reading import Link, Linkage
from otherwords.records import Pair
from otherwords.text.normalise import normalise

SEEDS = 2  # MultiPIT, §2.5
WITH_A_SEED = 30  # the same
METHOD = "seed-cluster"


@dataclass(frozen=True, slots=True)
class Told:
    """One link or contradiction: which pair, what it is called, how strong it is, and which texts it joins."""

    pair: str
    label: str | None
    strength: float
    text1: int  # its place among the texts of the cluster
    text2: int
    group: str | None = None
    lang: str | None = None
    source: str | None = None


@dataclass(slots=True)
class Whole:
    """A cluster with its texts, in the order in which they come in the corpus."""

    cluster: int
    size: int
    weakest: str  # the pair that joins it with the least strength
    strength: float
    bridge: bool
    halves: tuple[int, int]
    texts: list[str] = field(default_factory=list)
    links: list[Told] = field(default_factory=list)
    contradictions: list[Told] = field(default_factory=list)

    @property
    def held_by_one(self) -> bool:
        """Whether a single link holds two clusters together that would be some without it."""
        return self.bridge and min(self.halves) > 1

    def as_dict(self) -> dict[str, Any]:
        """Its JSON form."""
        return asdict(self) | {"held_by_one": self.held_by_one}

    def neighbours(self) -> dict[int, dict[int, float]]:
        """By text, all that are linked to it directly, and how strongly; contradicted ones left out."""
        told: dict[int, dict[int, float]] = defaultdict(dict)
        for link in self.links:
            for one, other in ((link.text1, link.text2), (link.text2, link.text1)):
                told[one][other] = max(link.strength, told[one].get(other, 0.0))
        for link in self.contradictions:
            told[link.text1].pop(link.text2, None)
            told[link.text2].pop(link.text1, None)
        return told


@dataclass(frozen=True, slots=True)
class Clusters:
    """All clusters of a corpus that are large enough."""

    pairs: int
    identical: int
    clusters: list[Whole]
    smaller: int  # clusters that are not
    notes: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Texts are the same if they differ only in case, punctuation and white space."""
    return without_punctuation(normalise(text))


def clusters(corpus: Linkage, *, min_size: int = 2, normalised: bool = False) -> Clusters:
    """The clusters of a corpus that have so many texts, the largest first."""
    linked = (Linked(one.pair.text1, one.pair.text2, one.positive, one.strength) for one in corpus.read())
    found = clustered(linked, plain if normalised else exact)
    chosen = [one for one in found.clusters if one.size >= min_size]
    whole = _with_texts(corpus.read(), found, chosen) if chosen else []
    return Clusters(found.pairs, found.identical, whole, len(found.clusters) - len(chosen), corpus.notes)


def _with_texts(links: Iterable[Link], found: Clustered, chosen: list[Cluster]) -> list[Whole]:
    """The chosen clusters, which are the first of all, filled in a second reading."""
    whole = [Whole(number, one.size, "", one.strength, one.bridge, one.halves) for number, one in enumerate(chosen, 1)]
    against = {place for one in chosen for place in one.contradictions}
    weakest = {one.weakest for one in chosen}
    places: dict[int, int] = {}
    of_pair, (first, second) = found.of_pair, found.texts
    for place, link in enumerate(links):
        number = int(of_pair[place])
        if not 0 <= number < len(whole):
            continue
        into = whole[number]
        ends = []
        for text, told in ((int(first[place]), link.pair.text1), (int(second[place]), link.pair.text2)):
            if text not in places:
                places[text] = len(into.texts)
                into.texts.append(told)
            ends.append(places[text])
        about = {name: getattr(link.pair, name) for name in ("group", "lang", "source")}
        one = Told(link.pair.id, link.label, round(link.strength, 6), ends[0], ends[1], **about)
        (into.contradictions if place in against else into.links).append(one)
        if place in weakest:
            into.weakest = link.pair.id
    return whole


def references(found: Iterable[Whole], fewest: int) -> Iterator[tuple[str, list[str]]]:
    """Sources with at least so many references each, one of a cluster: the text that has the most of them."""
    for one in found:
        linked = one.neighbours()
        if not linked:
            continue
        source = min(linked, key=lambda text: (-len(linked[text]), text))
        if len(linked[source]) >= fewest:
            strongest = sorted(linked[source], key=lambda text: (-linked[source][text], text))
            yield one.texts[source], [one.texts[text] for text in strongest]


def seed_pairs(found: Iterable[Whole]) -> Iterator[Pair]:
    """Pairs to be judged: of each group's largest cluster the two best linked texts, each with up to 30 others."""
    largest: dict[str, tuple[int, Whole, list[int]]] = {}
    for one in found:
        texts: dict[str, dict[int, None]] = defaultdict(dict)
        for link in one.links:
            if link.group is not None:
                texts[link.group] |= {link.text1: None, link.text2: None}
        for group, mine in texts.items():
            if group not in largest or len(mine) > largest[group][0]:
                largest[group] = (len(mine), one, sorted(mine))
    for group, (_, whole, texts_of_group) in sorted(largest.items()):
        yield from _of_group(group, whole, texts_of_group)


def _of_group(group: str, one: Whole, mine: list[int]) -> Iterator[Pair]:
    degrees = Counter({text: len(linked) for text, linked in one.neighbours().items()})
    ranked = sorted(mine, key=lambda text: (-degrees[text], text))
    seeds = ranked[:SEEDS]
    link = next(link for link in one.links if link.group == group)
    for place, seed in enumerate(seeds):
        rest = [text for text in ranked if text != seed and text not in seeds[:place]][:WITH_A_SEED]
        for other in rest:
            yield Pair(
                id=f"{METHOD}-{one.cluster}-{seed + 1}-{other + 1}",
                text1=one.texts[seed],
                text2=one.texts[other],
                lang=link.lang,
                source=link.source,
                group=group,
                method=METHOD,
                meta={"cluster": one.cluster, "seed": place + 1},
            )
