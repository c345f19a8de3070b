"""Random samples in one pass that do not depend on order: every pair gets a number, and the lowest numbers are kept.

The number follows from the seed and the two texts, so that a shuffled or renumbered corpus gives the same sample; no
more pairs are held in memory than are drawn.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from otherwords.digests import digest_bytes
from otherwords.records import Pair

BITS = 64


def seeded_digest(seed: int, *names: str | None) -> int:
    """A random number of ``BITS`` bits that depends on the seed and these names only."""
    return int.from_bytes(digest_bytes(str(seed), *(name or "" for name in names), size=BITS // 8), "big")


@dataclass(slots=True)
class RandomDraw:
    """The ``count`` pairs with the lowest random numbers among those offered."""

    count: int
    seed: int
    _heap: list[tuple[int, int, Pair]] = field(default_factory=list)  # the highest number first
    _offered: int = 0

    def offer(self, pair: Pair) -> None:
        """Keep a pair if its number is among the lowest so far."""
        if not self.count:
            return
        self._offered += 1
        entry = (-seeded_digest(self.seed, pair.text1, pair.text2, pair.label), -self._offered, pair)
        if len(self._heap) < self.count:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def drawn(self) -> list[Pair]:
        """The pairs that were kept, the lowest number first."""
        return [pair for *_, pair in sorted(self._heap, key=lambda entry: (-entry[0], -entry[1]))]
