"""The word pieces of MiniLM as static vectors: some fifty times as fast as the model, and cruder.

A sentence is the mean of the vectors that its pieces have before the first layer, from which the mean of all pieces is
taken away. Order and context are lost, so that a pool can be looked through cheaply before it is encoded for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.models.edges import well_formed
from otherwords.models.encoders.minilm import DIMENSION, WEIGHTS, load_tokenizer, load_weights
from otherwords.models.model_files import SHOWN

PIECES = "embeddings.word_embeddings.weight"
UNUSED = 999  # the first entries of the vocabulary, which stand for nothing
TEXTS_PER_BLOCK = 512  # whose pieces are looked up together


@dataclass(slots=True)
class MiniLMStatic:
    """The vectors of pieces, which are loaded when they are first needed."""

    _tokenizer: Any = field(default=None, repr=False)
    _pieces: npt.NDArray[np.float32] | None = field(default=None, repr=False)

    @property
    def signature(self) -> str:
        return f"minilm|file:{WEIGHTS[1][:SHOWN]}|tier:static|centred"

    @property
    def dimension(self) -> int:
        return DIMENSION

    def load(self) -> MiniLMStatic:
        """The same, with what it needs in memory."""
        if self._pieces is None:
            self._tokenizer = load_tokenizer()
            pieces = load_weights()[PIECES]
            self._pieces = pieces - pieces[UNUSED:].mean(axis=0)
        return self

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A vector for each text; zeros for a text without pieces."""
        self.load()
        rows = np.zeros((len(texts), DIMENSION), np.float32)
        for start in range(0, len(texts), TEXTS_PER_BLOCK):
            block = [well_formed(text) for text in texts[start : start + TEXTS_PER_BLOCK]]
            self._block(block, rows[start : start + TEXTS_PER_BLOCK])
        return rows

    def _block(self, texts: Sequence[str], out: npt.NDArray[np.float32]) -> None:
        assert self._pieces is not None
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        numbers = [encoding.ids for encoding in encodings]
        lengths = np.array([len(row) for row in numbers], np.int64)
        filled = np.flatnonzero(lengths)
        if len(filled):
            flat = np.concatenate([np.array(numbers[place], np.int64) for place in filled])
            starts = np.cumsum([0, *lengths[filled][:-1]])
            out[filled] = np.add.reduceat(self._pieces[flat], starts, axis=0) / lengths[filled][:, None]
