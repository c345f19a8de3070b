"""How a measure reads a text: in which case, split by which tokeniser.

The kernels split most texts themselves. A tokeniser that they do not have is applied here, and its tokens are joined
by blanks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Integers, TextColumn, Texts, column, map_texts, same_length
from otherwords.text.tokenise import Tokeniser

Case: TypeAlias = Literal["mixed", "lc"]


@dataclass(frozen=True, slots=True)
class Tokenisation:
    """A tokeniser, and whether texts are lower-cased before it."""

    tokeniser: Tokeniser
    case: Case = "mixed"

    def signature(self) -> dict[str, str]:
        return {"tok": self.tokeniser.signature, "case": self.case}

    def column(self, texts: Texts) -> TextColumn:
        """The texts, ready to be split by the kernel."""
        if self.case == "lc":
            texts = map_texts(str.lower, texts)
        if self.tokeniser.native is None:
            texts = map_texts(lambda text: " ".join(self.tokeniser.tokens(text)), texts)
        return column(texts)

    @property
    def code(self) -> int:
        """The kernel's number for the tokeniser that it has to apply."""
        return _kernels.BLANK if self.tokeniser.native is None else self.tokeniser.native

    def counts(self, texts: Texts) -> Integers:
        """How many tokens each text has."""
        prepared = self.column(texts)
        out = np.empty(len(prepared), np.int64)
        _kernels.token_counts(*prepared.buffers, out, self.code)
        return out

    def statistics(
        self, kernel: Callable[..., None], texts1: Texts, texts2: Texts, orders: int | None = None
    ) -> Integers:
        """Rows × (orders ×) three counts: what a kernel counts in text1, in text2, and in both."""
        column1, column2 = self.column(texts1), self.column(texts2)
        rows = same_length(column1, column2)
        out = np.empty((rows, 3) if orders is None else (rows, orders, 3), np.int64)
        parameters = [self.code] if orders is None else [self.code, orders]
        kernel(*column1.buffers, *column2.buffers, out, *parameters)
        return out
