"""The texts of a block as rules look at them; what several rules need is computed once."""

from __future__ import annotations

from functools import cached_property

import pyarrow as pa

from otherwords.acquire.filters.characters_of import CharacterCounts
from otherwords.measures.columns import Integers
from otherwords.measures.cut import Tokenisation


class BlockTexts:
    """The two texts of every pair of a block, all of one language."""

    def __init__(self, texts1: pa.Array, texts2: pa.Array, lang: str | None = None) -> None:
        self.first, self.second, self.lang = texts1, texts2, lang
        self._tokens: dict[Tokenisation, tuple[Integers, Integers]] = {}

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def characters(self) -> tuple[CharacterCounts, CharacterCounts]:
        """How many characters of each class the first and the second texts have."""
        return CharacterCounts.of(self.first), CharacterCounts.of(self.second)

    def tokens(self, cut: Tokenisation) -> tuple[Integers, Integers]:
        """How many tokens the first and the second texts have."""
        if cut not in self._tokens:
            self._tokens[cut] = cut.counts(self.first), cut.counts(self.second)
        return self._tokens[cut]
