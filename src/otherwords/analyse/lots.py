"""Chance in one pass that does not depend on order: every pair draws a lot, and the lowest lots are kept.

A lot follows from the seed and the two texts, so that a corpus that was shuffled, or numbered anew, gives the same
sample; at no time are more pairs held than asked for.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from hashlib import blake2b

from otherwords.records import Pair

BITS = 64


def lot(seed: int, *names: str | None) -> int:
    """The lot that these names draw: the same everywhere and always."""
    told = "\0".join([str(seed), *(name or "" for name in names)])
    return int.from_bytes(blake2b(told.encode("utf-8", "surrogatepass"), digest_size=BITS // 8).digest(), "big")


@dataclass(slots=True)
class Lots:
    """The pairs with the lowest lots of all that were offered."""

    count: int
    seed: int
    _kept: list[tuple[int, int, Pair]] = field(default_factory=list)  # a heap, the highest lot first
    _offered: int = 0

    def offer(self, pair: Pair) -> None:
        """Keep a pair if its lot is among the lowest so far."""
        if not self.count:
            return
        self._offered += 1
        entry = (-lot(self.seed, pair.text1, pair.text2, pair.label), -self._offered, pair)
        if len(self._kept) < self.count:
            heapq.heappush(self._kept, entry)
        elif entry > self._kept[0]:
            heapq.heapreplace(self._kept, entry)

    def drawn(self) -> list[Pair]:
        """Those that were kept, in the order of their lots."""
        return [pair for *_, pair in sorted(self._kept, key=lambda entry: (-entry[0], -entry[1]))]
