"""Single sentences that two sides have in common, each with the pairs it is in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.corpus.leaks_plain import Digests
from otherwords.corpus.leaks_side import Rows, Side, distinct

IDS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where sentences are on one side: sentence i in the ``places`` from ``starts[i]`` on, two a row, by id."""

    side: Side
    starts: Rows
    places: Rows

    def of(self, number: int) -> Rows:
        """The places of a sentence, those of the smallest ids first."""
        return self.places[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of both sides, in the order of the second side's ids."""

    a: Occurrences
    b: Occurrences
    order: Rows

    def __len__(self) -> int:
        return len(self.order)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each with its text as the second side has it, the first ids of both, and in how many pairs it is."""
        for number in self.order.tolist():
            here, there = self.b.of(number), self.a.of(number)
            pair = self.b.side.at(int(here[0]) // 2)
            told = {"text": pair["text2"] if here[0] % 2 else pair["text1"], "a": _ids(self.a.side, there)}
            yield told | {"b": _ids(self.b.side, here), "in_a": len(there), "in_b": len(here)}


def sentences_of(a: Side, b: Side) -> Sentences:
    """All sentences that are, but for case and punctuation, on both sides."""
    here, there = distinct(np.concatenate(a.plain)), distinct(np.concatenate(b.plain))
    both = np.intersect1d(here, there, assume_unique=True)
    one, two = _occurrences(a, both), _occurrences(b, both)
    rank = np.empty(len(b), np.int64)
    rank[b.by_id] = np.arange(len(b))
    first = two.places[two.starts[:-1]]
    return Sentences(one, two, np.lexsort((first % 2, rank[first // 2])))


def _occurrences(side: Side, sentences: Digests) -> Occurrences:
    one, two = (each[side.by_id] for each in side.plain)
    keys = np.stack([one, two], axis=1).reshape(-1)
    places = np.stack([2 * side.by_id, 2 * side.by_id + 1], axis=1).reshape(-1)
    once = np.stack([np.ones(len(one), np.bool_), one != two], axis=1).reshape(-1)  # a pair of equals has it once
    chosen = once & np.isin(keys, sentences)
    keys, places = keys[chosen], places[chosen]
    order = np.argsort(keys, kind="stable")
    starts = np.append(np.searchsorted(keys[order], sentences), len(keys))
    return Occurrences(side, starts, places[order])


def _ids(side: Side, places: Rows) -> list[str]:
    return [side.pairs["id"][int(place) // 2].as_py() for place in places[:IDS_SHOWN]]
