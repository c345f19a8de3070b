"""Train a language model on a user's own text: sentences in, an ARPA file out that KenLM reads.

KenLM's own trainer is a program that pip does not install. This one computes the same probabilities with numpy, so that
``pip install 'otherwords[kenlm]'`` is all that it takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from otherwords.errors import DataError, UsageError, WriteError
from otherwords.models.fluency.arpa import write_arpa
from otherwords.models.fluency.kneser_ney import smooth
from otherwords.models.fluency.ngrams import count_ngrams
from otherwords.models.fluency.words import WordSplitter

ORDERS = range(1, 7)  # that KenLM reads as pip builds it
VERSION = 1  # of the computation: another one gives other probabilities


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
