"""What encoders are compared with, and together with: TF-IDF, plain mean pooling, and TF-IDF beside a vector.

TF-IDF is that of scikit-learn on character 2- and 3-grams within words (Kanerva et al. 2023, §8.1, have the same
n-grams). Combined with an encoder, a cosine is the mean of both cosines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import numpy as np

from otherwords.engine import Progress
from otherwords.errors import MissingExtra, OtherwordsError
from otherwords.learn.encoders.run import EncoderRun
from otherwords.mining.encode import PoolEncoder, ThreadedEncoder, text_encoder
from otherwords.mining.pool.folder import Pool
from otherwords.mining.rank import HiddenPool, VectorCandidates, text_vectors
from otherwords.mining.ranks import CandidateScores, Cosines, Places
from otherwords.models.edges import Device
from otherwords.models.encoders.minilm_static import MiniLMStatic

TFIDF = "tfidf"
MEAN = "mean pooling"
FITTED_TEXTS = 20_000  # of a pool, for document frequencies
BATCH = 32  # texts of a model in a folder at a time
FOLDER_PREFIX = "hf:"


@dataclass(frozen=True, slots=True)
class NamedEncoder:
    """An encoder under the name that its row has."""

    name: str
    encoder: PoolEncoder

    def candidates(
        self, texts: Sequence[str], hidden_in: HiddenPool | None, progress: Progress
    ) -> tuple[CandidateScores, Counter[str]]:
        """The vectors of texts and, behind them, of a pool; and texts without a vector, by reason."""
        own, reasons = text_vectors(self.encoder, texts)
        if hidden_in is None:
            return VectorCandidates(own), reasons
        store, unread = hidden_in.vectors(self.encoder, progress)
        return VectorCandidates(own, store), reasons + unread


@dataclass(slots=True)
class TfidfCandidates:
    """Sparse vectors of texts and, block by block, of a pool."""

    vectoriser: Any
    own: Any
    pool: Pool | None = None
    _last: tuple[int, int, Any] = field(default=(0, 0, None), repr=False)

    @property
    def candidates(self) -> int:
        return int(self.own.shape[0]) + (self.pool.rows if self.pool is not None else 0)

    def block(self, queries: Places, start: int, stop: int) -> Cosines:
        if self._last[:2] != (start, stop) or self._last[2] is None:
            self._last = (start, stop, self._rows(start, stop))
        return np.ascontiguousarray((self._last[2] @ self.own[queries].T).toarray().T, np.float32)

    def _rows(self, start: int, stop: int) -> Any:
        size = int(self.own.shape[0])
        if self.pool is None or stop <= size:
            return self.own[start:stop]
        return self.vectoriser.transform(list(self.pool.texts(start - size, stop - size)))


@dataclass(frozen=True, slots=True)
class CombinedCandidates:
    """Two kinds of vectors side by side, with the same weight."""

    first: CandidateScores
    second: CandidateScores

    @property
    def candidates(self) -> int:
        return self.first.candidates

    def block(self, queries: Places, start: int, stop: int) -> Cosines:
        return np.asarray(
            (self.first.block(queries, start, stop) + self.second.block(queries, start, stop)) / 2, np.float32
        )


def tfidf_candidates(texts: Sequence[str], pool: Pool | None = None) -> TfidfCandidates:
    """The baseline, with the document frequencies of the texts and of the beginning of the pool."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        raise MissingExtra("learn", "the baseline TF-IDF") from None
    vectoriser = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), dtype=np.float32)
    vectoriser.fit([*texts, *(pool.texts(0, FITTED_TEXTS) if pool is not None else ())])
    return TfidfCandidates(vectoriser, vectoriser.transform(texts), pool)


def tfidf_signature() -> str:
    """What the baseline is, with the version of the library."""
    from importlib.metadata import version

    return f"tfidf|char_wb:2-3|scikit-learn-{version('scikit-learn')}"


def model_name(path: str, device: Device = "auto", **options: str) -> str:
    """The name by which the model in a folder is an encoder everywhere."""
    marks = {"batch": str(BATCH), **({} if device == "auto" else {"device": device}), **options}
    return f"{FOLDER_PREFIX}{quote(path)}?{'&'.join(f'{name}={value}' for name, value in marks.items())}"


def mean_pooling(names: Sequence[str | EncoderRun], device: Device, notes: list[str]) -> list[NamedEncoder]:
    """Plain mean pooling beside encoders: of the bases of runs and of other models in folders; or without context.

    An encoder that is no transformer in a folder stands beside the mean of MiniLM's pieces of words, without layers.
    """
    bases = dict.fromkeys(filter(None, map(_base, names)))
    if not bases:
        try:
            return [NamedEncoder(f"{MEAN} (word pieces)", ThreadedEncoder(MiniLMStatic().load()))]
        except OtherwordsError as problem:
            notes.append(f"{MEAN} is not beside the others: {problem}")
            return []
    found = []
    for base in bases:
        if base in names:
            notes.append(f"{base} is itself the plain mean of its tokens")
            continue
        path = base.removeprefix(FOLDER_PREFIX)
        name = base if path == base else model_name(path, device, pooling="mean")
        try:
            found.append(NamedEncoder(f"{MEAN} ({base})", text_encoder(name)))
        except OtherwordsError as problem:
            notes.append(f"{MEAN} of {base} is not beside the others: {problem}")
    return found


def _base(named: str | EncoderRun) -> str | None:
    """The model whose tokens are pooled, as an encoder's name."""
    if isinstance(named, EncoderRun):
        return named.record.base
    return named.partition("?")[0] if named.startswith(FOLDER_PREFIX) else None
