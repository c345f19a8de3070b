"""Readers: how the texts of pairs become the arrays of encoders that read both together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.learn.neural.batches import Rows
from otherwords.learn.neural.inference import PreparedPairs
from otherwords.learn.neural.pair_tokens import Frame, PairTokens, text_tokens


@dataclass(frozen=True, slots=True)
class TokenReader:
    """Reads pairs by the tokenizer of a model."""

    tokenizer: Any
    frame: Frame
    longest: int

    def tokens(self, texts1: Sequence[str], texts2: Sequence[str]) -> PairTokens:
        """The tokens of pairs."""
        first, second = text_tokens(self.tokenizer, texts1), text_tokens(self.tokenizer, texts2)
        return PairTokens(self.frame, first, second, self.longest)

    def prepare(self, texts1: Sequence[str], texts2: Sequence[str]) -> tuple[PreparedPairs, Rows]:
        tokens = self.tokens(texts1, texts2)
        return PreparedPairs(tokens.lengths, tokens.arrays), np.flatnonzero(tokens.cut)

    @property
    def limit(self) -> str:
        return f"{self.longest:,} tokens"
