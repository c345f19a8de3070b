"""Prompts: pairs as an encoder-decoder reads them, and the tokens of the labels that it writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.errors import DataError
from otherwords.learn.neural.batches import PreparedPairs, Rows
from otherwords.models.edges import well_formed


@dataclass(frozen=True, slots=True)
class PromptReader:
    """Puts both texts of a pair into a prompt."""

    tokenizer: Any
    prompt: str
    longest: int

    def prepare(self, texts1: Sequence[str], texts2: Sequence[str]) -> tuple[PreparedPairs, Rows]:
        """The end of a prompt that is too long is cut off, but never its last token, which says that it ends."""
        orders = [self._tokens(texts1, texts2), self._tokens(texts2, texts1)]
        whole = np.array([len(tokens) for tokens in orders[0]], np.int64)
        cut = [[self._cut(tokens) for tokens in order] for order in orders]
        pad = int(self.tokenizer.pad_token_id)

        def arrays(rows: Rows, swapped: npt.NDArray[np.bool_] | None) -> dict[str, npt.NDArray[np.generic]]:
            chosen = [
                cut[int(swapped is not None and bool(swapped[number]))][row] for number, row in enumerate(rows.tolist())
            ]
            width = max(map(len, chosen))
            ids, mask = np.full((len(rows), width), pad, np.int64), np.zeros((len(rows), width), np.int64)
            for number, tokens in enumerate(chosen):
                ids[number, : len(tokens)] = tokens
                mask[number, : len(tokens)] = 1
            return {"input_ids": ids, "attention_mask": mask}

        return PreparedPairs(np.minimum(whole, self.longest), arrays), np.flatnonzero(whole > self.longest)

    @property
    def limit(self) -> str:
        return f"{self.longest:,} tokens"

    def _tokens(self, texts1: Sequence[str], texts2: Sequence[str]) -> list[list[int]]:
        plain = self.tokenizer.backend_tokenizer
        plain.no_truncation()
        plain.no_padding()
        filled = [self._filled(first, second) for first, second in zip(texts1, texts2, strict=True)]
        return [encoding.ids for encoding in plain.encode_batch(filled)]

    def _filled(self, text1: str, text2: str) -> str:
        """The prompt; braces in the texts are left alone."""
        before, _, rest = self.prompt.partition("{text1}")
        between, _, after = rest.partition("{text2}")
        return f"{before}{well_formed(text1)}{between}{well_formed(text2)}{after}"

    def _cut(self, tokens: list[int]) -> list[int]:
        return tokens if len(tokens) <= self.longest else [*tokens[: self.longest - 1], tokens[-1]]


def label_tokens(tokenizer: Any, words: Sequence[str], folder: Path) -> list[list[int]]:
    """The tokens of each label, with the one that ends a text."""
    rows = [tokenizer(word)["input_ids"] for word in words]
    if tokenizer.eos_token_id is not None:
        rows = [row if row and row[-1] == tokenizer.eos_token_id else [*row, tokenizer.eos_token_id] for row in rows]
    unknown = [word for word, row in zip(words, rows, strict=True) if tokenizer.unk_token_id in row]
    if unknown or len({tuple(row) for row in rows}) < len(rows):
        message = f"its tokenizer cannot write the labels apart: {', '.join(unknown or words)}"
        raise DataError(message, folder, code="labels-unwritable")
    return rows
