"""Which pairs count where a paper speaks of paraphrases: the positive ones.

In a corpus whose labels never say whether a pair is a paraphrase (Tatoeba has no labels at all) every pair counts, and
a remark says so. Clusters, samples and analyses ask here, so that they count the same pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ALL_COUNT = "no label says which pairs are paraphrases, so all of them count"
NONE_COUNT = "no pair is labelled as a paraphrase"


class Polarities:
    """How many pairs are labelled as paraphrases, how many as none, and how many as neither."""

    def __init__(self) -> None:
        self._counts: Counter[bool | None] = Counter()

    def add(self, positive: Iterable[bool | None]) -> None:
        self._counts.update(positive)

    @property
    def counted(self) -> bool | None:
        """The polarity of the pairs that count: True, or None where no label says yes or no."""
        return True if self._counts[True] or self._counts[False] else None

    def remarks(self) -> list[str]:
        """Which pairs count, where they are not simply the positive ones."""
        if self.counted is None and self._counts:
            return [ALL_COUNT]
        if not self._counts[True] and self._counts:
            return [NONE_COUNT]
        return []

    def left_out(self) -> list[str]:
        """How many pairs are left out because their label does not say."""
        count = self._counts[None] if self.counted else 0
        remark = f"pairs left out because their label does not say whether they are paraphrases: {count:,}"
        return [remark] if count else []
