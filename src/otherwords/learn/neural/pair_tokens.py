"""Two texts as one row of tokens, ``[CLS] A [SEP] B [SEP]`` or as the tokenizer of another model frames them.

Texts are tokenised once, each by itself; rows are put together for each batch, in either order. A pair that is longer
than it may be loses tokens at the end of the longer text, as in tokenizers (``longest_first``), and is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.errors import DataError
from otherwords.learn.neural.batches import PreparedPairs, Rows
from otherwords.models.edges import well_formed

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a tokenizer puts before, between and after two texts, and the types of the tokens of both."""

    before: Ids
    between: Ids
    after: Ids
    types: tuple[int, int, int, int, int]  # before, A, between, B, after
    pad: int
    typed: bool  # whether the model is given types

    @property
    def special(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)


def frame_of(tokenizer: Any, folder: Path) -> Frame:
    """How a tokenizer frames two texts, found out from an example."""
    encoded = tokenizer("a", "a")
    sides, ids = np.array([-1 if side is None else side for side in encoded.sequence_ids(0)]), encoded["input_ids"]
    types = encoded.get("token_type_ids") or [0] * len(ids)
    first, second = np.flatnonzero(sides == 0), np.flatnonzero(sides == 1)
    parts = () if not len(first) or not len(second) else (first[0], first[-1] + 1, second[0], second[-1] + 1)
    if not parts or parts[0] == 0 or parts[1] == parts[2] or parts[3] == len(ids) or tokenizer.pad_token_id is None:
        message = "its tokenizer does not frame a pair as [CLS] A [SEP] B [SEP]; use an encoder such as BERT"
        raise DataError(message, folder, code="wrong-model")
    start, end, start2, end2 = (int(part) for part in parts)
    array = np.array(ids, np.int64)
    return Frame(
        array[:start],
        array[end:start2],
        array[end2:],
        (types[0], types[start], types[end], types[start2], types[end2]),
        int(tokenizer.pad_token_id),
        "token_type_ids" in tokenizer.model_input_names,
    )


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The tokens of many texts, one after the other."""

    ids: npt.NDArray[np.int32]
    starts: Rows  # one more than there are texts

    def text(self, row: int) -> npt.NDArray[np.int32]:
        return self.ids[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> Rows:
        return np.diff(self.starts)


def text_tokens(tokenizer: Any, texts: Sequence[str]) -> TextTokens:
    """Tokenise texts, without what frames them."""
    rows = [encoding.ids for encoding in _encodings(tokenizer, [well_formed(text) for text in texts])]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]).astype(np.int64)
    flat = np.concatenate([np.array(row, np.int32) for row in rows]) if rows else np.zeros(0, np.int32)
    return TextTokens(flat, starts)


def _encodings(tokenizer: Any, texts: list[str]) -> Any:
    plain = tokenizer.backend_tokenizer
    plain.no_truncation()
    plain.no_padding()
    return plain.encode_batch(texts, add_special_tokens=False)


def cut_lengths(first: Rows, second: Rows, room: int) -> tuple[Rows, Rows]:
    """How many tokens of both texts are kept if there is room for so many, by the rule of Hugging Face's tokenizers."""
    short, long = np.minimum(first, second), np.maximum(first, second)
    kept = np.where(short > room, short, np.maximum(short, room - short))
    half = short + kept > room
    short = np.where(half, room // 2, short)
    kept = np.minimum(np.where(half, room // 2 + room % 2, kept), long)
    fits = first + second <= room
    first_is_long = first > second
    return (
        np.where(fits, first, np.where(first_is_long, kept, short)),
        np.where(fits, second, np.where(first_is_long, short, kept)),
    )


@dataclass(frozen=True)
class PairTokens:
    """Pairs whose tokens can be put together in batches."""

    frame: Frame
    first: TextTokens
    second: TextTokens
    longest: int  # tokens of a pair with its frame

    @cached_property
    def kept(self) -> tuple[Rows, Rows]:
        """How many tokens of both texts are kept."""
        return cut_lengths(self.first.lengths, self.second.lengths, self.longest - self.frame.special)

    @cached_property
    def lengths(self) -> Rows:
        return self.kept[0] + self.kept[1] + self.frame.special

    @property
    def cut(self) -> npt.NDArray[np.bool_]:
        """Which pairs are longer than they may be."""
        return self.first.lengths + self.second.lengths + self.frame.special > self.longest

    def arrays(self, rows: Rows, swapped: npt.NDArray[np.bool_] | None, width: int = 0) -> dict[str, Ids]:
        """The rows as arrays for a model, padded to the longest or to ``width``; ``spans`` is where the texts are."""
        frame, width = self.frame, width or int(self.lengths[rows].max())
        ids = np.full((len(rows), width), frame.pad, np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        spans = np.zeros((len(rows), 4), np.int64)
        for number, row in enumerate(rows.tolist()):
            texts = [self.first.text(row)[: self.kept[0][row]], self.second.text(row)[: self.kept[1][row]]]
            if swapped is not None and swapped[number]:
                texts.reverse()
            parts = (frame.before, texts[0], frame.between, texts[1], frame.after)
            ends = np.cumsum([len(part) for part in parts])
            ids[number, : ends[-1]] = np.concatenate(parts)
            mask[number, : ends[-1]] = 1
            types[number, : ends[-1]] = np.repeat(frame.types, [len(part) for part in parts])
            spans[number] = ends[:4]
        arrays = {"input_ids": ids, "attention_mask": mask, "spans": spans}
        return arrays | ({"token_type_ids": types} if frame.typed else {})


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
