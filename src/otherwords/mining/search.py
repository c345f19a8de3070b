"""The sentences that are nearest to one that somebody types: exact, over vectors that are mapped from their files.

A query is one vector; all rows are multiplied with it, in blocks on all cores, and the best of each block are kept.
Nothing is built for it and nothing is held in memory but what the system keeps of the files. Equal products are ordered
by row, so that the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.engine import Engine
from otherwords.errors import DataError, Refused
from otherwords.mining.encode import MINILM, TFIDF, EdgeEncoder, PoolEncoder, choose_encoder
from otherwords.mining.mine import POOL, SUMMARY, VECTORS, MineSummary
from otherwords.mining.pool.folder import Pool, open_pool
from otherwords.mining.vectors import FloatRows, open_vectors
from otherwords.models.catalogue import encoder as encoder_by_name

ROWS_PER_BLOCK = 32_768
LONGEST = 1_000  # characters of a sentence that is looked for, as in a pool
USED = ("id", "text", "source", "group", "copies", "place", "name")
# What may differ between the encoder of a pool and that of a query: how the same model is computed.
COMPUTED = ("tier:", "runtime:", "nncf-", "pool:", "batch:")

Halves = NDArray[np.float16]
FloatVector = NDArray[np.float32]


class NearRow(NamedTuple):
    """A row and its cosine to the query."""

    row: int
    cosine: float


@dataclass(frozen=True)
class VectorSearch:
    """Rows of length 1 in shards that may be mapped from files."""

    shards: Sequence[Halves]
    dimension: int
    jobs: int | None = None

    @cached_property
    def rows(self) -> int:
        return sum(map(len, self.shards))

    @cached_property
    def _halves(self) -> Any:
        return _kernels.halves_open([shard for shard in self.shards if len(shard)], self.dimension)

    def nearest(self, query: FloatVector, most: int) -> list[NearRow]:
        """The rows with the greatest cosine to a query of length 1, from the nearest on."""
        if not self.rows:
            return []
        numbers = np.ascontiguousarray(query, np.float32)

        def best(start: int) -> tuple[NDArray[np.int64], FloatVector]:
            cosines = np.empty(min(ROWS_PER_BLOCK, self.rows - start), np.float32)
            _kernels.halves_products(self._halves, start, start + len(cosines), numbers, cosines)
            kept = _greatest(cosines, most)
            return start + kept, cosines[kept]

        self._halves  # noqa: B018 - opened before threads ask for it
        blocks = list(Engine(self.jobs).map(best, range(0, self.rows, ROWS_PER_BLOCK)))
        rows, cosines = (np.concatenate(part) for part in zip(*blocks, strict=True))
        order = np.lexsort((rows, -cosines))[:most]
        return [NearRow(int(rows[place]), float(cosines[place])) for place in order]


def _greatest(cosines: FloatVector, most: int) -> NDArray[np.int64]:
    """The places of the greatest; of those that equal the last of them all, so that the order decides."""
    if len(cosines) <= most:
        return np.arange(len(cosines))
    least = np.partition(cosines, len(cosines) - most)[len(cosines) - most]
    above, equal = np.flatnonzero(cosines > least), np.flatnonzero(cosines == least)
    return np.concatenate([above, equal[: most - len(above)]])


def query_vector(encoder: PoolEncoder, sentence: str) -> FloatVector:
    """The vector of a sentence, of length 1."""
    [(rows, unread)] = encoder.encode([[sentence]])
    if unread:
        raise Refused(f"the encoder cannot read this sentence: {next(iter(unread))}", "text", code="sentence-unread")
    vector: FloatVector = unit_rows(rows)[0]
    return vector


def unit_rows(rows: FloatRows) -> FloatRows:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    return (rows / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)


def check_sentence(text: str) -> str:
    """The sentence to look for, with single blanks; too long ones are refused."""
    if len(text) > LONGEST:
        message = f"a sentence has at most {LONGEST:,} characters, not {len(text):,}; shorten it"
        raise Refused(message, "text", code="sentence-too-long")
    return " ".join(text.split())


class FoundSentence(msgspec.Struct, frozen=True):
    """A sentence of a pool, with its cosine to the query and where it is from."""

    row: int
    cosine: float
    id: str
    text: str
    source: str
    group: str | None
    copies: int
    place: str
    name: str | None


@dataclass(frozen=True, slots=True)
class PoolSearch:
    """A mined pool that is open for queries."""

    pool: Pool
    encoder: PoolEncoder
    vectors: VectorSearch

    def nearest(self, sentence: str, most: int) -> list[FoundSentence]:
        """The nearest sentences of the pool, from the nearest on."""
        found = self.vectors.nearest(query_vector(self.encoder, sentence), most)
        return [self.sentence(row, cosine) for row, cosine in found]

    def sentence(self, row: int, cosine: float) -> FoundSentence:
        """The sentence of a row."""
        [batch] = self.pool.batches(USED, row, row + 1)  # a group of rows is unpacked, not a shard
        return FoundSentence(row, cosine, **batch.to_pylist()[0])


def open_search(folder: Path) -> PoolSearch:
    """The pool and the vectors of a folder that mining has written; its encoder is made ready."""
    pool, store = open_pool(folder / POOL), open_vectors(folder / VECTORS)
    encoder = _query_encoder(folder, pool, store.manifest.encoder)
    if _model_parts(encoder.signature) != _model_parts(store.manifest.encoder):
        message = f"was made by the encoder {store.manifest.encoder}, and here is {encoder.signature}; mine it again"
        raise DataError(message, folder / VECTORS, code="search-encoder")
    if f"pool:{pool.digest}" not in store.manifest.encoder.split("|"):
        message = "belongs to another pool than the one beside it; mine it again"
        raise DataError(message, folder / VECTORS, code="search-pool")
    shards = [store.shard(number) for number in range(len(store.manifest.shards))]
    search = PoolSearch(pool, encoder, VectorSearch(shards, store.dimension))
    query_vector(encoder, next(pool.texts(0, 1), "."))  # models are loaded with their first sentence
    return search


def _query_encoder(folder: Path, pool: Pool, signature: str) -> PoolEncoder:
    """The encoder of single sentences for vectors of that signature; MiniLM without batches or fewer bits."""
    name = signature.partition("|")[0]
    if name == MINILM:
        return choose_encoder(pool, MINILM, "static") if "|tier:static|" in signature else _edge(MINILM)
    if name == TFIDF:
        return choose_encoder(pool, TFIDF, "exact")
    return _edge(_encoder_name(folder) or name)


def _edge(name: str) -> EdgeEncoder:
    return EdgeEncoder(encoder_by_name(name))


def _encoder_name(folder: Path) -> str:
    """The encoder as the run named it, which for a model of one's own is the folder that it is in."""
    try:
        return msgspec.json.decode((folder / SUMMARY).read_bytes(), type=MineSummary).encoder
    except (OSError, msgspec.MsgspecError):
        return ""


def _model_parts(signature: str) -> list[str]:
    return [part for part in signature.split("|") if not part.startswith(COMPUTED)]
