"""Which pairs of a corpus count where a paper speaks of paraphrases: the positive ones.

A corpus whose labels never say whether a pair is one (Tatoeba has no labels at all) is taken at its word: all its pairs
count, and a remark says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ALL_COUNT = "no label says which pairs are paraphrases, so all of them count"
NONE_COUNT = "no pair is labelled as a paraphrase"


class Polarities:
    """How often the labels of a corpus said yes, no, or nothing."""

    def __init__(self) -> None:
        self._seen: Counter[bool | None] = Counter()

    def add(self, positive: Iterable[bool | None]) -> None:
        """Take some more pairs into account."""
        self._seen.update(positive)

    @property
    def counted(self) -> bool | None:
        """What the label of a pair that counts says."""
        return True if self._seen[True] or self._seen[False] else None

    def remarks(self) -> list[str]:
        """A word about which pairs count, where they are not simply the positive ones."""
        if self.counted is None and self._seen:
            return [ALL_COUNT]
        if not self._seen[True] and self._seen:
            return [NONE_COUNT]
        return []

    def left_out(self) -> list[str]:
        """A word about pairs whose label does not say."""
        count = self._seen[None] if self.counted else 0
        return [f"left out are pairs whose label does not say whether they are paraphrases: {count:,}"] * bool(count)
