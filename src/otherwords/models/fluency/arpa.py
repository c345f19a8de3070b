"""Language models as ARPA files, the text format that KenLM, SRILM and others read."""

from __future__ import annotations

from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.models.fluency.kneser_ney import SmoothedOrder
from otherwords.models.fluency.ngrams import CountedText

LINES_AT_ONCE = 100_000
BLANK = pa.scalar(" ", pa.large_string())


def write_arpa(counted: CountedText, smoothed: list[SmoothedOrder], file: IO[bytes]) -> None:
    """Write the probabilities of the n-grams of a text."""
    sizes = [f"ngram {length}={len(order)}" for length, order in enumerate(counted.orders, 1)]
    file.write("\n".join(["\\data\\", *sizes, ""]).encode())
    words = pa.array(counted.words, pa.large_string())
    texts = words
    for length, (order, values) in enumerate(zip(counted.orders, smoothed, strict=True), 1):
        if length > 1:
            first, last = texts.take(pa.array(order.prefix)), words.take(pa.array(order.last))
            texts = pc.binary_join_element_wise(first, last, BLANK)
        file.write(f"\n\\{length}-grams:\n".encode())
        for start in range(0, len(order), LINES_AT_ONCE):
            file.write(_lines(texts, values, start).encode("utf-8"))
    file.write(b"\n\\end\\\n")


def _lines(texts: pa.Array, values: SmoothedOrder, start: int) -> str:
    part = slice(start, start + LINES_AT_ONCE)
    columns = [values.probabilities[part], *([values.backoffs[part]] if values.backoffs is not None else [])]
    probabilities, *backoffs = ([f"{value:.7g}" for value in column.astype(np.float32)] for column in columns)
    shown = texts[part.start : part.stop].to_pylist()
    return "".join("\t".join(row) + "\n" for row in zip(probabilities, shown, *backoffs, strict=True))
