"""Train a language model on a user's own text: sentences in, an ARPA file out that KenLM reads.

KenLM's own trainer is a program that pip does not install. This one computes the same probabilities with numpy, so that
``pip install 'otherwords[kenlm]'`` is all that it takes. ARPA is the text format that KenLM, SRILM and others read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.errors import DataError, UsageError, WriteError
from otherwords.models.fluency.kneser_ney import SmoothedOrder, smooth
from otherwords.models.fluency.ngrams import CountedText, count_ngrams
from otherwords.models.fluency.words import WordSplitter

ORDERS = range(2, 7)  # that KenLM reads as pip builds it
VERSION = 1  # of the computation: another one gives other probabilities
LINES_AT_ONCE = 100_000
BLANK = pa.scalar(" ", pa.large_string())


class TrainedModel(msgspec.Struct, frozen=True):
    """What a language model was trained on."""

    sentences: int
    tokens: int
    ngrams: tuple[int, ...]  # by order


def train(sentences: Iterable[str], out: Path, splitter: WordSplitter, *, order: int = 3) -> TrainedModel:
    """Train a model of n-grams up to ``order`` and write it to a file, whole or not at all."""
    if order not in ORDERS:
        message = f"n-grams have from {ORDERS[0]} to {ORDERS[-1]} words, not {order}"
        raise UsageError(message, code="bad-model-option")
    counted = count_ngrams((splitter.words(sentence) for sentence in sentences), order)
    if not counted.sentences:
        raise DataError("there are no words to train a language model on", code="nothing-to-train")
    smoothed = smooth(counted)
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            write_arpa(counted, smoothed, file)
        part.replace(out)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise WriteError(f"{out}: cannot be written: {problem.strerror}", code="cannot-write") from None
    return TrainedModel(counted.sentences, counted.tokens, tuple(map(len, counted.orders)))


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
