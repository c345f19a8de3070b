"""Pair measures against scikit-learn, sacrebleu and plain Python, on the same sentences in one run.

Ours runs on all cores, the peer as its users run it. Each line prints pairs per second of both, the
ratio, and the largest difference between the two on the peer's pairs, which has to vanish.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sacrebleu.metrics.bleu import BLEU
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer  # type: ignore[import-untyped]

from bench.sentences import sentence_pairs
from otherwords.measures import measure, score_columns

PAIRS = 100_000
CLOSE = 1e-9
RUNS = 5  # the best counts, of ours and of the peer

Floats = npt.NDArray[np.float64]
Peer = Callable[[list[str], list[str]], Floats]


@dataclass(frozen=True, slots=True)
class Contest:
    """A measure, its peer, how many pairs the peer is given, and by how much ours has to be faster."""

    spec: str
    peer_name: str
    peer: Peer
    peer_pairs: int
    target: float


def rowwise(product: Any) -> Floats:
    return np.asarray(product.sum(axis=1), np.float64).ravel()


def count_vectors(texts1: list[str], texts2: list[str]) -> Floats:
    counts = CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(texts1 + texts2)
    a, b = counts[: len(texts1)], counts[len(texts1) :]
    return rowwise(a.multiply(b)) / np.sqrt(rowwise(a.multiply(a)) * rowwise(b.multiply(b)))


def tfidf_vectors(texts1: list[str], texts2: list[str]) -> Floats:
    weights = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(texts1 + texts2)
    return rowwise(weights[: len(texts1)].multiply(weights[len(texts1) :]))


def sentence_bleu(texts1: list[str], texts2: list[str]) -> Floats:
    metric = BLEU(effective_order=True)
    return np.array([metric.sentence_score(b, [a]).score for a, b in zip(texts1, texts2, strict=True)])


def python_sets(texts1: list[str], texts2: list[str]) -> Floats:
    sets = ((set(a.split()), set(b.split())) for a, b in zip(texts1, texts2, strict=True))
    return np.array([len(a & b) / len(a | b) for a, b in sets])


CONTESTS = [
    Contest("char-cosine", "scikit-learn", count_vectors, 5_000, 100.0),
    Contest(
        "char-cosine-tfidf", "scikit-learn", tfidf_vectors, 5_000, 60.0
    ),  # reads every text twice: to fit, to score
    Contest("bleu", "sacrebleu", sentence_bleu, 5_000, 60.0),
    Contest("jaccard:tok=blank", "Python sets", python_sets, PAIRS, 5.0),
]


def ours(spec: str, texts1: pa.Array, texts2: pa.Array) -> Floats:
    chosen = measure(spec)
    chosen.fit([texts1, texts2])
    return score_columns([chosen], texts1, texts2)[chosen.name]


def seconds(work: Callable[[], Floats]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def hold(contest: Contest, texts1: list[str], texts2: list[str]) -> bool:
    """Time both in turns, so that what else the machine does meets both, and take the best run of each."""
    step = len(texts1) // contest.peer_pairs
    some1, some2 = texts1[::step], texts2[::step]
    column1, column2 = pa.array(texts1), pa.array(texts2)
    ours_seconds = peer_seconds = float("inf")
    for _ in range(RUNS):
        ours_seconds = min(ours_seconds, seconds(lambda: ours(contest.spec, column1, column2)))
        peer_seconds = min(peer_seconds, seconds(lambda: contest.peer(some1, some2)))
    difference = float(np.abs(ours(contest.spec, pa.array(some1), pa.array(some2)) - contest.peer(some1, some2)).max())
    ours_rate, peer_rate = len(texts1) / ours_seconds, len(some1) / peer_seconds
    ratio = ours_rate / peer_rate
    reached = ratio >= contest.target and difference <= CLOSE
    print(
        f"{contest.spec:<18} {ours_rate:>10,.0f}/s   {contest.peer_name:<12} {peer_rate:>8,.0f}/s   ×{ratio:<6.1f}"
        f" target ×{contest.target:<4.0f} difference {difference:.1e}   {'reached' if reached else 'MISSED'}",
        flush=True,
    )
    return reached


def run() -> bool:
    """Hold all contests; whether every target was reached."""
    texts1, texts2 = sentence_pairs(PAIRS)
    reached = [hold(contest, texts1, texts2) for contest in CONTESTS]
    return all(reached)
