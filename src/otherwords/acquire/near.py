"""Candidates among the sentences of a pool: those that share many words, and any two.

Sentences that share most of their words and do not mean the same are the negatives that other methods lack (Suzuki et
al. 2017, §3.2, for the ranges from 0.7 up); two random ones of a group or a topic are what a reader would meet. Which
of them are paraphrases is for people to say.

All that share many words are found without comparing all, by prefix filtering (Chaudhuri et al. 2006; Bayardo et al.
2007, AllPairs): with tokens ordered from rare to frequent, two sets of that similarity share a token among the first
few of each. Similarities are fractions of whole numbers, so the answer is exact at the edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappush, heappushpop, nsmallest
from math import ceil
from typing import Literal, NamedTuple

from otherwords.acquire.candidates import candidate
from otherwords.align.candidates import comparable_form
from otherwords.digests import digest_number
from otherwords.measures import measure
from otherwords.measures.bins import range_names
from otherwords.records import Document, Pair
from otherwords.text import pack

SIMILARITY = "jaccard"
NEAR, RANDOM = "near", "random"
Within = Literal["anywhere", "group", "document", "other-groups"]
SAME_TEXT = "the same text but for case and white space"
BEYOND = "beyond the number wanted"
NOT_WITHIN = {
    "group": "not of one group",
    "document": "not of one document",
    "other-groups": "not of two groups",
}
OUTSIDE = "similarity outside the range"
SAME_PAIR = "the pair was drawn before"
TRIES_PER_PAIR = 200  # before a random draw gives up


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


@dataclass(frozen=True, slots=True)
class NearOptions:
    """Which pairs of sentences are wanted; the range is closed at both ends."""

    low: float = 0.5
    high: float = 1.0
    within: Within = "anywhere"
    most: int = 100
    seed: int = 0
    per_range: int = 0  # so many of each of the eleven ranges, instead of ``most``
    by_range: tuple[int, ...] = ()  # … or how many of each, where they differ

    @property
    def wanted(self) -> tuple[int, ...]:
        """How many pairs each of the eleven ranges gives; nothing where it does not matter."""
        return self.by_range or (self.per_range,) * len(range_names()) * bool(self.per_range)


@dataclass(frozen=True, slots=True)
class NearResult:
    """The chosen pairs, how many there were, and why the others were not chosen."""

    pairs: list[Pair]
    seen: int
    reasons: Counter[str]
    ranges: dict[str, dict[str, int]] = field(default_factory=dict)  # pairs and chosen pairs of each


def near_pairs(sentences: Sequence[Document], options: NearOptions, lang: str | None = None) -> NearResult:
    """Sentences whose words overlap within the range: all such pairs are found, and a random draw of them is taken."""
    low, high = (_exact(value) for value in (options.low, options.high))
    sets = [_tokens(sentence, lang) for sentence in sentences]
    return _drawn(sentences, similar_sets(sets, low), high, options)


def _drawn(
    sentences: Sequence[Document], matches: Iterable[SimilarSets], high: Fraction, options: NearOptions
) -> NearResult:
    reasons: Counter[str] = Counter()
    found: Counter[int] = Counter()
    seen = 0

    def suitable() -> Iterator[tuple[int, SimilarSets]]:
        nonlocal seen
        for match in matches:
            seen += 1
            found[_range(match)] += 1
            first, second = sentences[match.first], sentences[match.second]
            reason = _unsuitable(first, second, options.within)
            if reason is None and match.shared > high * match.union:
                reason = OUTSIDE
            if reason is None:
                yield digest_number(str(options.seed), first.id, second.id), match
            else:
                reasons[reason] += 1

    chosen = _least_of_each(suitable(), options.wanted) if options.wanted else nsmallest(options.most, suitable())
    beyond = seen - reasons.total() - len(chosen)
    if beyond:
        reasons[BEYOND] = beyond
    pairs = [_pair(NEAR, sentences, match, options.seed) for _, match in chosen]
    taken = Counter(_range(match) for _, match in chosen)
    ranges = {name: {"pairs": found[place], "chosen": taken[place]} for place, name in enumerate(range_names())}
    return NearResult(pairs, seen, reasons, ranges)


def _least_of_each(matches: Iterable[tuple[int, SimilarSets]], wanted: Sequence[int]) -> list[tuple[int, SimilarSets]]:
    """The first of each range, in the order of the draw; no more than these are kept in memory."""
    heaps: dict[int, list[tuple[int, int, SimilarSets]]] = {}
    for order, match in matches:
        if most := wanted[place := _range(match)]:
            heap = heaps.setdefault(place, [])
            add = heappush if len(heap) < most else heappushpop
            add(heap, (-order, -match.first, match))  # the largest goes first
    return [(-order, match) for place in sorted(heaps) for order, _, match in sorted(heaps[place], reverse=True)]


def _range(match: SimilarSets) -> int:
    """The range of word overlap, from 0 to 10."""
    return 10 * match.shared // match.union if match.union else 10


def random_pairs(sentences: Sequence[Document], options: NearOptions, lang: str | None = None) -> NearResult:
    """Any two sentences whose words overlap within the range, drawn one after the other."""
    low, high = (_exact(value) for value in (options.low, options.high))
    partners = _partners(sentences, options.within)
    reasons: Counter[str] = Counter()
    drawn: dict[tuple[int, int], SimilarSets] = {}
    tries = 0
    while len(drawn) < options.most and tries < TRIES_PER_PAIR * options.most and len(sentences) > 1:
        number = digest_number(str(options.seed), "first", str(tries)) % len(sentences)
        others = partners(number)
        other = others[digest_number(str(options.seed), "second", str(tries)) % len(others)]
        tries += 1
        match = _match(sentences, min(number, other), max(number, other), lang)
        reason = SAME_TEXT if number == other else _unsuitable(sentences[number], sentences[other], options.within)
        if reason is None and not low * match.union <= match.shared <= high * match.union:
            reason = OUTSIDE
        if reason is None and (match.first, match.second) in drawn:
            reason = SAME_PAIR
        if reason is None:
            drawn[match.first, match.second] = match
        else:
            reasons[reason] += 1
    pairs = [_pair(RANDOM, sentences, match, options.seed) for match in drawn.values()]
    return NearResult(pairs, tries, reasons)


def _partners(sentences: Sequence[Document], within: Within) -> Callable[[int], Sequence[int]]:
    """For a sentence, those among which its partner is drawn: its group or document, or all."""
    if within not in ("group", "document"):
        everyone = range(len(sentences))
        return lambda number: everyone
    members: dict[str | None, list[int]] = {}
    for number, sentence in enumerate(sentences):
        members.setdefault(_unit(sentence, within), []).append(number)
    return lambda number: members[_unit(sentences[number], within)]


def _unit(sentence: Document, within: Within) -> str | None:
    return str(sentence.meta.get("document") or "") or None if within == "document" else sentence.group


def _unsuitable(first: Document, second: Document, within: Within) -> str | None:
    """Why two sentences make no candidate, whatever words they share."""
    if within != "anywhere":
        units = _unit(first, within), _unit(second, within)
        together = units[0] is not None and units[0] == units[1]
        apart = None not in units and units[0] != units[1]
        if not (apart if within == "other-groups" else together):
            return NOT_WITHIN[within]
    return SAME_TEXT if comparable_form(first.text) == comparable_form(second.text) else None


def _match(sentences: Sequence[Document], first: int, second: int, lang: str | None) -> SimilarSets:
    sets = [_tokens(sentences[number], lang) for number in (first, second)]
    shared = len(sets[0] & sets[1])
    return SimilarSets(first, second, shared, len(sets[0]) + len(sets[1]) - shared)


def _tokens(sentence: Document, lang: str | None) -> frozenset[str]:
    """The tokens as :data:`SIMILARITY` counts them."""
    return frozenset(pack(sentence.lang or lang).tokens(sentence.text))


def _exact(value: float) -> Fraction:
    """A number as it is written: 0.7 and not the float next to it."""
    return Fraction(str(value))


def _pair(method: str, sentences: Sequence[Document], match: SimilarSets, seed: int) -> Pair:
    return candidate(
        method,
        sentences[match.first],
        sentences[match.second],
        scores={SIMILARITY: match.shared / match.union if match.union else 1.0},
        made={"range": range_names()[_range(match)], "seed": seed},
    )


def similarity_signature(lang: str | None) -> str:
    """What the similarity of a project's sentences depends on."""
    return measure(SIMILARITY, lang=lang).signature()
