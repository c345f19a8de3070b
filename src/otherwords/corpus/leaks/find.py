"""Leaks: pairs and sentences that two corpora, or two parts of one, have in common.

Each pair of the second side is counted at most once, under the first kind that fits: ``exact`` (both texts, character
by character), ``mirrored`` (the same with its texts swapped, also without case and punctuation), ``normalised``
(without case and punctuation), ``near`` (both texts similar, in either order). ``shared_texts`` are single sentences,
without case and punctuation, that both sides have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.leaks.near import NOTHING_NEAR, best_copies, find_near
from otherwords.corpus.leaks.side import PairDigests, Rows, combine, distinct, first_rows, partners, read_side
from otherwords.corpus.leaks.trigrams import N
from otherwords.corpus.splits.columns import Digests
from otherwords.errors import UsageError
from otherwords.measures.options import signature
from otherwords.records import Pair

NEAR = 0.85  # one word of eight changed; about where a character cosine of 0.9 is
LOWEST = 0.5  # below this, nearly all pairs would be compared with each other
IDS_SHOWN = 10  # of the pairs that have a sentence
KINDS = ("exact", "mirrored", "normalised", "near", "shared_texts")


@dataclass(frozen=True, slots=True)
class Copies:
    """Rows of both sides that are copies of each other, in the order of the second side's ids."""

    a: Rows
    b: Rows
    similarity: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where sentences occur on one side: sentence i at ``places[starts[i]:starts[i + 1]]``, two places per row."""

    side: PairDigests
    starts: Rows
    places: Rows

    def places_of(self, number: int) -> Rows:
        """The places of a sentence, in the order of ids."""
        return self.places[self.starts[number] : self.starts[number + 1]]

    def ids_at(self, places: Rows) -> list[str]:
        """The ids of the pairs at some places."""
        return [self.side.pairs["id"][place // 2].as_py() for place in places.tolist()]


@dataclass(frozen=True, slots=True)
class SharedSentences:
    """Sentences that both sides have, in the order of the second side's ids."""

    a: Occurrences
    b: Occurrences
    order: Rows

    def __len__(self) -> int:
        return len(self.order)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each sentence as the second side has it, with some ids of both sides, and the number of pairs it is in."""
        for number in self.order.tolist():
            places_a, places_b = self.a.places_of(number), self.b.places_of(number)
            pair = self.b.side.at(int(places_b[0]) // 2)
            yield {
                "text": pair["text2"] if places_b[0] % 2 else pair["text1"],
                "a": self.a.ids_at(places_a[:IDS_SHOWN]),
                "b": self.b.ids_at(places_b[:IDS_SHOWN]),
                "in_a": len(places_a),
                "in_b": len(places_b),
            }


@dataclass(frozen=True, slots=True)
class Leaks:
    """What two sides have in common. Texts are read from disk when rows are asked for."""

    a: PairDigests
    b: PairDigests
    copies: dict[str, Copies]
    sentences: SharedSentences
    threshold: float | None  # None: near copies were not looked for

    @property
    def counts(self) -> dict[str, int]:
        """The number of leaks of each kind."""
        return {kind: len(copies.b) for kind, copies in self.copies.items()} | {"shared_texts": len(self.sentences)}

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def rows(self, kind: str) -> Iterator[dict[str, Any]]:
        """The leaks of a kind: the pair of each side and, for ``near``, their similarity."""
        if kind == "shared_texts":
            yield from self.sentences.rows()
            return
        copies = self.copies[kind]
        for number, (row_a, row_b) in enumerate(zip(copies.a.tolist(), copies.b.tolist(), strict=True)):
            row: dict[str, Any] = {"a": self.a.at(row_a), "b": self.b.at(row_b)}
            yield row if copies.similarity is None else row | {"similarity": float(copies.similarity[number])}

    @property
    def between(self) -> list[str]:
        """The names of the two sides."""
        return [self.a.name, self.b.name]

    @property
    def signature(self) -> str | None:
        """All that ``near`` depends on; None where it was not looked for."""
        if self.threshold is None:
            return None
        return f"{signature('dice', {'n': N, 'tok': 'char', 'text': 'plain', 'of': 'min'})}|least:{self.threshold:g}"


def compare_parts(parts: Mapping[str, Iterable[Pair]], near: float | None = NEAR) -> dict[tuple[str, str], Leaks]:
    """What every two parts have in common; each stream is read once. Without ``near`` similar pairs do not count."""
    if near is not None and not LOWEST <= near <= 1:
        raise UsageError(f"--near {near:g}: give a similarity from {LOWEST:g} to 1", code="similarity-out-of-range")
    sides = [read_side(name, pairs) for name, pairs in parts.items()]
    similar = {} if near is None else find_near(sides, near)
    compared: dict[tuple[str, str], Leaks] = {}
    for (number_a, a), (number_b, b) in combinations(enumerate(sides), 2):
        copies = _copies(a, b)
        known = np.zeros(len(b), np.bool_)
        for exact in copies.values():
            known[exact.b] = True
        copies["near"] = Copies(*best_copies(a, b, similar.get((number_a, number_b), NOTHING_NEAR), known))
        compared[a.name, b.name] = Leaks(a, b, copies, _shared_sentences(a, b), near)
    return compared


def _copies(a: PairDigests, b: PairDigests) -> dict[str, Copies]:
    """The copies that have equal digests, each row of b under the first kind that fits."""
    exact, plain = (first_rows(combine(*digests), a.by_id) for digests in (a.exact, a.plain))
    matches = (
        ("exact", partners(combine(*b.exact), exact)),
        ("mirrored", partners(combine(*b.exact[::-1]), exact)),
        ("mirrored", partners(combine(*b.plain[::-1]), plain)),
        ("normalised", partners(combine(*b.plain), plain)),
    )
    kinds, rows_a = np.full(len(b), "", "U10"), np.full(len(b), -1)
    for kind, partner in matches:
        new = (rows_a < 0) & (partner >= 0)
        kinds[new], rows_a[new] = kind, partner[new]
    rows_b = {kind: b.by_id[(kinds == kind)[b.by_id]] for kind in KINDS[:3]}
    return {kind: Copies(rows_a[rows], rows) for kind, rows in rows_b.items()}


def _shared_sentences(a: PairDigests, b: PairDigests) -> SharedSentences:
    """All sentences that both sides have, apart from case and punctuation."""
    sentences_a, sentences_b = distinct(np.concatenate(a.plain)), distinct(np.concatenate(b.plain))
    shared = np.intersect1d(sentences_a, sentences_b, assume_unique=True)
    in_a, in_b = _occurrences(a, shared), _occurrences(b, shared)
    rank = np.empty(len(b), np.int64)
    rank[b.by_id] = np.arange(len(b))
    first = in_b.places[in_b.starts[:-1]]
    return SharedSentences(in_a, in_b, np.lexsort((first % 2, rank[first // 2])))


def _occurrences(side: PairDigests, sentences: Digests) -> Occurrences:
    first, second = (digests[side.by_id] for digests in side.plain)
    keys = np.stack([first, second], axis=1).reshape(-1)
    places = np.stack([2 * side.by_id, 2 * side.by_id + 1], axis=1).reshape(-1)
    once = np.stack([np.ones(len(first), np.bool_), first != second], axis=1).reshape(-1)  # not twice per pair
    chosen = once & np.isin(keys, sentences)
    keys, places = keys[chosen], places[chosen]
    order = np.argsort(keys, kind="stable")
    starts = np.append(np.searchsorted(keys[order], sentences), len(keys))
    return Occurrences(side, starts, places[order])
