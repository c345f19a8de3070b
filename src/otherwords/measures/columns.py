"""Text columns as the kernels read them.

In goes what a caller has: an Arrow array of any string type, sliced, chunked or with nulls, or plain
Python strings. Out comes one contiguous column of offsets and bytes. A null counts as the empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
class Column:
    """One text per row: the bytes from one offset to the next."""

    offsets: Integers
    data: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1


def text_array(texts: Texts) -> pa.Array:
    """The texts as one Arrow array without nulls."""
    if not isinstance(texts, pa.Array | pa.ChunkedArray):
        texts = pa.array(texts, pa.large_string())
    if isinstance(texts, pa.ChunkedArray):
        # A chunked column may hold more than the 2 GiB that one array with 32-bit offsets can.
        texts = texts.cast(pa.large_string()).combine_chunks()
    if not (pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)):
        texts = _cast(texts)
    return pc.fill_null(texts, "") if texts.null_count else texts


def _cast(texts: pa.Array) -> pa.Array:
    try:
        return texts.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as failure:
        raise DataError(f"a column of texts is needed, this one holds {texts.type}") from failure


def column(texts: Texts) -> Column:
    """The texts as the kernels read them; nothing is copied but the offsets."""
    array = text_array(texts)
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return Column(np.zeros(len(array) + 1, np.int64), b"")
    width = np.int64 if pa.types.is_large_string(array.type) else np.int32
    within = np.frombuffer(offsets, width)[array.offset : array.offset + len(array) + 1]
    return Column(within.astype(np.int64), data if data is not None else b"")


def map_texts(function: Callable[[str], str], texts: Texts) -> pa.Array:
    """The texts with a Python function applied to each."""
    return pa.array([function(text) for text in text_array(texts).to_pylist()], pa.large_string())


def lowered_rows(texts: Texts, rows: Integers) -> pa.Array:
    """Those rows alone, through ``str.lower``."""
    return map_texts(str.lower, text_array(texts).take(pa.array(rows)))


def same_length(texts1: Column, texts2: Column) -> int:
    """How many pairs two columns make."""
    if len(texts1) != len(texts2):
        raise DataError(f"{len(texts1)} first texts but {len(texts2)} second texts: pairs need as many of both")
    return len(texts1)
