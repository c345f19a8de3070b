"""Known pairs hidden in a pool: the table of Figure 11 of Kanerva et al. (2023) for several encoders.

For each pair, the pool and the texts of all pairs are searched with the first text, and the rank of the second is
counted. The vectors of the mining run are used where they are those of the encoder; those of others are computed once
and kept in the folder ``rank`` of the run.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from otherwords.digests import digest_hex
from otherwords.engine import Progress
from otherwords.errors import DataError, UsageError
from otherwords.mining.encode import PoolEncoder, choose_encoder, encode_pool, pool_vectors
from otherwords.mining.mine import POOL, VECTORS, StageProgress, peak_memory
from otherwords.mining.pool.cleaning import near_form
from otherwords.mining.pool.folder import Pool, is_pool, open_pool
from otherwords.mining.ranks import (
    Cosines,
    HiddenPairs,
    Places,
    RankScores,
    hide_pairs,
    rank_scores,
    retrieval_ranks,
    scores_by_label,
)
from otherwords.mining.vectors import FloatRows, VectorStore
from otherwords.records import Pair

RANK_FOLDER = "rank"
TEXTS_AT_A_TIME = 8_192


class EncoderRanks(msgspec.Struct, frozen=True, kw_only=True):
    """How well an encoder finds the pairs, in all and by label; ``ties`` are pairs with a candidate that is as near."""

    encoder: str
    n: int
    candidates: int
    top: dict[str, float]
    mean_rank: float
    labels: dict[str, RankScores]
    ties: int
    without_vector: dict[str, int]
    seconds: float
    signature: str


class RankSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of all encoders, and what was left out of the pairs and of the pool."""

    pool: str
    sentences: int
    copies: int  # sentences of the pool that a pair has too, which count once
    pairs: int
    left_out: dict[str, int]
    rows: list[EncoderRanks]
    seconds: float
    rss_mb: float


@dataclass(frozen=True, slots=True)
class VectorCandidates:
    """Vectors of the texts of pairs, and behind them those of a pool."""

    own: FloatRows
    store: VectorStore | None = None

    @property
    def candidates(self) -> int:
        return len(self.own) + (self.store.rows if self.store is not None else 0)

    def block(self, queries: Places, start: int, stop: int) -> Cosines:
        size = len(self.own)
        if self.store is None or stop <= size:
            rows = self.own[start:stop]
        else:
            rows = self.store.block(start - size, stop - size)
        return np.asarray(self.own[queries] @ rows.T, np.float32)


@dataclass(frozen=True, slots=True)
class HiddenPool:
    """A pool in which pairs are hidden, and where its vectors are."""

    pool: Pool
    folder: Path  # of the mining run

    def vectors(self, encoder: PoolEncoder, progress: Progress) -> tuple[VectorStore, Counter[str]]:
        """The vectors of the run if this encoder made them, or its own."""
        try:
            return pool_vectors(self.pool, self.folder / VECTORS, encoder), Counter()
        except DataError:
            name = digest_hex(encoder.signature, size=6)
            encoded = encode_pool(self.pool, self.folder / RANK_FOLDER / name, encoder, progress)
            return encoded.store, encoded.reasons

    def copies(self, texts: Sequence[str]) -> Places:
        """The rows of the pool that are copies of texts, by the rule by which its own copies were collapsed."""
        rule = self.pool.manifest.options.copies
        forms = {near_form(text, rule) for text in texts}
        rows = (row for row, text in enumerate(self.pool.texts(0, self.pool.rows)) if near_form(text, rule) in forms)
        return np.fromiter(rows, np.int64)


def open_hidden_pool(folder: Path) -> HiddenPool:
    """The pool of a mining run, or one in a folder of its own."""
    if is_pool(folder / POOL):
        return HiddenPool(open_pool(folder / POOL), folder)
    if is_pool(folder):
        return HiddenPool(open_pool(folder), folder)
    message = "is not the folder of a mining run: it has no pool; make one with otherwords mine FILE… --out DIR"
    raise DataError(message, folder, code="not-a-mining-run")


def rank_pairs(
    folder: Path,
    pairs: Iterator[tuple[Pair, bool]],
    encoders: Sequence[str],
    jobs: int | None = None,
    progress: StageProgress = lambda stage, done, total: None,
) -> RankSummary:
    """Hide pairs, each with whether it is a paraphrase, in the pool of a run, and look for them with each encoder."""
    if not encoders:
        raise UsageError("name the encoders to compare: --encoder minilm --encoder tfidf", code="no-encoder")
    start = time.perf_counter()
    hidden_in = open_hidden_pool(folder)
    hidden = hide_pairs(pairs)
    if not len(hidden):
        why = ", ".join(f"{count:,} × {reason}" for reason, count in hidden.left_out.items())
        raise DataError(f"no pair can be hidden in the pool{f' ({why})' if why else ''}", code="no-pairs-to-hide")
    copies = hidden_in.copies(hidden.texts) + len(hidden.texts)
    chosen = [choose_encoder(hidden_in.pool, name, "exact", jobs) for name in dict.fromkeys(encoders)]
    rows = [
        _row(name, encoder, hidden_in, hidden, copies, progress)
        for name, encoder in zip(dict.fromkeys(encoders), chosen, strict=True)
    ]
    return RankSummary(
        pool=str(hidden_in.pool.folder),
        sentences=hidden_in.pool.rows,
        copies=len(copies),
        pairs=len(hidden),
        left_out=dict(hidden.left_out),
        rows=rows,
        seconds=round(time.perf_counter() - start, 3),
        rss_mb=round(peak_memory() / 2**20, 1),
    )


def _row(
    name: str,
    encoder: PoolEncoder,
    hidden_in: HiddenPool,
    hidden: HiddenPairs,
    copies: Places,
    progress: StageProgress,
) -> EncoderRanks:
    start = time.perf_counter()
    store, reasons = hidden_in.vectors(encoder, lambda done, total: progress(f"encode {name}", done, total))
    own, unread = text_vectors(encoder, hidden.texts)
    found = retrieval_ranks(
        VectorCandidates(own, store), hidden, copies, lambda done, total: progress(f"rank {name}", done, total)
    )
    scores = rank_scores(found)
    return EncoderRanks(
        encoder=name,
        n=scores.n,
        candidates=found.candidates,
        top=scores.top,
        mean_rank=scores.mean_rank,
        labels=scores_by_label(found, hidden.labels),
        ties=int(np.count_nonzero(found.ties)),
        without_vector=dict(reasons + unread),
        seconds=round(time.perf_counter() - start, 3),
        signature=f"rank|cosine|ties:after|{store.manifest.encoder}",
    )


def text_vectors(encoder: PoolEncoder, texts: Sequence[str]) -> tuple[FloatRows, Counter[str]]:
    """The vectors of texts as precise as those of a pool; zeros for what cannot be read, with the reasons."""
    reasons: Counter[str] = Counter()
    windows = (list(texts[start : start + TEXTS_AT_A_TIME]) for start in range(0, len(texts), TEXTS_AT_A_TIME))
    blocks = []
    for rows, unread in encoder.encode(windows):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        blocks.append((rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float16).astype(np.float32))
        reasons.update(unread)
    return np.concatenate(blocks) if blocks else np.zeros((0, encoder.dimension), np.float32), reasons
