"""Leaks: pairs and sentences that two corpora, or two parts of one, have in common.

Two streams of pairs in, one :class:`Leaks` out. Each pair of the second is counted at most once, under the first of
these kinds that fits it: ``exact`` (both texts, character by character), ``mirrored`` (the same the other way round,
also without case and punctuation), ``normalised`` (without case and punctuation), ``near`` (both texts similar, either
way round). ``shared_texts`` are single sentences, without case and punctuation, that both sides have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.corpora import Corpus
from otherwords.corpus.leaks_near import near_signature
from otherwords.corpus.leaks_sentences import Sentences, sentences_of
from otherwords.corpus.leaks_side import Rows, Side, firsts, joined, partners, side_of
from otherwords.corpus.leaks_similar import Ready, near_copies, ready
from otherwords.errors import UsageError
from otherwords.records import Pair

NEAR = 0.85  # one word of eight changed; about where a character cosine of 0.9 is
LEAST = 0.5  # below this nearly everything is compared with everything
KINDS = ("exact", "mirrored", "normalised", "near", "shared_texts")


@dataclass(frozen=True, slots=True)
class Copies:
    """Rows of both sides that are copies of each other, in the order of the second side's ids."""

    a: Rows
    b: Rows
    similarity: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Leaks:
    """What two sides have in common. Texts are read from disk when they are asked for."""

    a: Side
    b: Side
    copies: dict[str, Copies]
    sentences: Sentences
    least: float | None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""
        return {kind: len(found.b) for kind, found in self.copies.items()} | {"shared_texts": len(self.sentences)}

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def rows(self, kind: str) -> Iterator[dict[str, Any]]:
        """The rows of a kind: the pair of each side and, for ``near``, how similar they are."""
        if kind == "shared_texts":
            yield from self.sentences.rows()
            return
        found = self.copies[kind]
        for number, (row_a, row_b) in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True)):
            told: dict[str, Any] = {"a": self.a.at(row_a), "b": self.b.at(row_b)}
            yield told if found.similarity is None else told | {"similarity": float(found.similarity[number])}

    @property
    def between(self) -> list[str]:
        """What was compared."""
        return [self.a.name, self.b.name]

    @property
    def signature(self) -> str | None:
        """All that ``near`` depends on; None where it was not looked for."""
        return None if self.least is None else f"{near_signature()}|least:{self.least:g}"


def leaks(a: Corpus, b: Corpus, near: float | None = NEAR) -> Leaks:
    """What two corpora have in common; without ``near``, similar pairs are not looked for."""
    (found,) = _compared([side_of(a.name, a.pairs()), side_of(b.name, b.pairs())], _checked(near))
    return found


def leaks_between(parts: Mapping[str, Iterable[Pair]], near: float | None = NEAR) -> dict[tuple[str, str], Leaks]:
    """The same for every two parts; each stream is read once."""
    least = _checked(near)
    sides = [side_of(name, pairs) for name, pairs in parts.items()]
    return {(found.a.name, found.b.name): found for found in _compared(sides, least)}


def _checked(near: float | None) -> float | None:
    if near is not None and not LEAST <= near <= 1:
        raise UsageError(f"--near {near:g}: give a similarity from {LEAST:g} to 1")
    return near


def _compared(sides: list[Side], least: float | None) -> Iterator[Leaks]:
    prepared: list[Ready | None] = [None] * len(sides) if least is None else [*ready(sides, least)]
    for (a, ready_a), (b, ready_b) in combinations(zip(sides, prepared, strict=True), 2):
        copies = _copies(a, b)
        known = np.zeros(len(b), np.bool_)
        for found in copies.values():
            known[found.b] = True
        copies["near"] = Copies(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
        if least is not None and ready_a is not None and ready_b is not None:
            copies["near"] = Copies(*near_copies(ready_a, ready_b, known, least))
        yield Leaks(a, b, copies, sentences_of(a, b), least)


def _copies(a: Side, b: Side) -> dict[str, Copies]:
    """The copies that digests tell, each row of b under the first kind that fits."""
    exact, plain = (firsts(joined(*digests), a.by_id) for digests in (a.exact, a.plain))
    looked = (
        ("exact", partners(joined(*b.exact), exact)),
        ("mirrored", partners(joined(*b.exact[::-1]), exact)),
        ("mirrored", partners(joined(*b.plain[::-1]), plain)),
        ("normalised", partners(joined(*b.plain), plain)),
    )
    kinds, rows = np.full(len(b), "", "U10"), np.full(len(b), -1)
    for kind, found in looked:
        new = (rows < 0) & (found >= 0)
        kinds[new], rows[new] = kind, found[new]
    told = {kind: b.by_id[(kinds == kind)[b.by_id]] for kind in KINDS[:3]}
    return {kind: Copies(rows[here], here) for kind, here in told.items()}
