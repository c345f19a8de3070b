"""Small stores of vectors, and neighbours by brute force in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.mining.vectors import VectorPlan, VectorStore, write_vectors


def clustered(rows: int, dimension: int = 32, clusters: int = 40, seed: int = 1) -> NDArray[np.float32]:
    """Rows around some centres."""
    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(clusters, dimension))
    chosen = centres[generator.integers(clusters, size=rows)]
    return (chosen + 0.4 * generator.normal(size=(rows, dimension))).astype(np.float32)


def stored(folder: Path, vectors: NDArray[Any], rows_per_shard: int = 700, normalised: bool = True) -> VectorStore:
    """Vectors in a folder."""
    plan = VectorPlan(
        dimension=vectors.shape[1],
        rows=len(vectors),
        encoder="test",
        normalised=normalised,
        rows_per_shard=rows_per_shard,
    )
    return write_vectors(folder, lambda start, stop: [vectors[start:stop]], plan)


def brute_force(vectors: NDArray[Any], metric: str = "cosine") -> NDArray[np.float64]:
    """The score of every pair, greater is nearer; the diagonal is -inf."""
    wide = vectors.astype(np.float64)
    if metric == "cosine":
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
        wide = wide / np.where(lengths > 0, lengths, 1)
        scores = wide @ wide.T
    else:
        squares = (wide**2).sum(axis=1)
        scores = -np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * wide @ wide.T, 0))
    np.fill_diagonal(scores, -np.inf)
    return scores
