"""How a measure reads a text: in which case, cut by which tokeniser.

In go two columns of texts, out come two columns and the number of the tokeniser with which the kernel
is to cut them. A tokeniser that the kernels do not have is applied here, and its tokens are joined by
blanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Column, Integers, Texts, column, map_texts, same_length
from otherwords.text.tokenise import Tokeniser, tokeniser

Case: TypeAlias = Literal["mixed", "lc"]


@dataclass(frozen=True, slots=True)
class Cut:
    """A tokeniser, and whether texts are lower-cased before it."""

    tokeniser: Tokeniser
    case: Case = "mixed"

    def signature(self) -> dict[str, str]:
        return {"tok": self.tokeniser.signature, "case": self.case}

    def column(self, texts: Texts) -> Column:
        """The texts, ready to be cut by the kernel."""
        if self.case == "lc":
            texts = map_texts(str.lower, texts)
        if self.tokeniser.native is None:
            texts = map_texts(lambda text: " ".join(self.tokeniser.tokens(text)), texts)
        return column(texts)

    @property
    def code(self) -> int:
        """The kernel's number for what is left to be done."""
        return _kernels.BLANK if self.tokeniser.native is None else self.tokeniser.native

    def counts(self, texts: Texts) -> Integers:
        """How many tokens each text has."""
        one = self.column(texts)
        out = np.empty(len(one), np.int64)
        _kernels.token_counts(one.offsets, one.data, out, self.code)
        return out

    def clipped(self, texts1: Texts, texts2: Texts, orders: int) -> Integers:
        """Rows × orders × (n-grams of text1, of text2, matched and clipped)."""
        one, two = self.column(texts1), self.column(texts2)
        out = np.empty((same_length(one, two), orders, 3), np.int64)
        _kernels.clipped_tokens(one.offsets, one.data, two.offsets, two.data, out, self.code, orders)
        return out

    def distinct(self, texts1: Texts, texts2: Texts, orders: int) -> Integers:
        """Rows × orders × (distinct n-grams of text1, of text2, of both)."""
        one, two = self.column(texts1), self.column(texts2)
        out = np.empty((same_length(one, two), orders, 3), np.int64)
        _kernels.distinct_tokens(one.offsets, one.data, two.offsets, two.data, out, self.code, orders)
        return out

    def subsequences(self, texts1: Texts, texts2: Texts) -> Integers:
        """Rows × (tokens of text1, of text2, of their longest common subsequence)."""
        one, two = self.column(texts1), self.column(texts2)
        out = np.empty((same_length(one, two), 3), np.int64)
        _kernels.common_subsequence(one.offsets, one.data, two.offsets, two.data, out, self.code)
        return out


def token_counts(texts: Texts, name: str | None = None) -> Integers:
    """How many tokens each text has, by the tokeniser of that name (``words`` unless given)."""
    return Cut(tokeniser(name or "words")).counts(texts)
