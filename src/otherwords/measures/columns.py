"""Text columns as the kernels read them.

An Arrow array of any string type (sliced, chunked or with nulls) or a sequence of Python strings becomes one
contiguous column of offsets and bytes. A null counts as the empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.errors import DataError

Texts: TypeAlias = "pa.Array | pa.ChunkedArray | Sequence[str | None]"
Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One text per row: the bytes from one offset to the next."""

    offsets: Integers
    data: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def buffers(self) -> tuple[Integers, Any]:
        """Offsets and bytes, in the order in which the kernels take them."""
        return self.offsets, self.data


def text_array(texts: Texts) -> pa.Array:
    """The texts as one Arrow array without nulls."""
    try:
        array = _string_array(texts)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as failure:
        kind = getattr(texts, "type", type(texts).__name__)
        raise DataError(f"a column of texts is needed, this one holds {kind}", code="not-a-text-column") from failure
    except UnicodeEncodeError as failure:
        message = f"a text contains {failure.object[failure.start]!r}, half a character, and cannot be read"
        raise DataError(message, code="lone-surrogate") from None
    return pc.fill_null(array, "") if array.null_count else array


def _string_array(texts: Texts) -> pa.Array:
    if isinstance(texts, pa.ChunkedArray):
        # All chunks together may hold more than the 2 GiB that an array with 32-bit offsets can.
        return texts.cast(pa.large_string()).combine_chunks()
    if not isinstance(texts, pa.Array):
        return pa.array(texts, pa.large_string())
    if pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type):
        return texts
    return texts.cast(pa.large_string())


def column(texts: Texts) -> TextColumn:
    """The texts as the kernels read them; nothing is copied but the offsets."""
    array = text_array(texts)
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return TextColumn(np.zeros(len(array) + 1, np.int64), b"")
    width = np.int64 if pa.types.is_large_string(array.type) else np.int32
    within = np.frombuffer(offsets, width)[array.offset : array.offset + len(array) + 1]
    return TextColumn(within.astype(np.int64), data if data is not None else b"")


def map_texts(function: Callable[[str], str], texts: Texts) -> pa.Array:
    """The texts with a Python function applied to each."""
    return pa.array([function(text) for text in text_array(texts).to_pylist()], pa.large_string())


def lowered_rows(texts: Texts, rows: Integers) -> pa.Array:
    """Only those rows, through ``str.lower``."""
    return map_texts(str.lower, text_array(texts).take(pa.array(rows)))


def same_length(texts1: Sized, texts2: Sized) -> int:
    """The number of pairs that two columns make."""
    if len(texts1) != len(texts2):
        message = f"{len(texts1)} first texts but {len(texts2)} second texts: pairs need as many of both"
        raise DataError(message, code="unequal-columns")
    return len(texts1)
