"""Features of the vectors that an encoder gives two texts: how close they are, and how their difference is spread."""

from __future__ import annotations

import numpy as np

from otherwords.learn.features.order import FeatureColumns, Floats

NAMES = ("cosine of vectors", "mean difference of vectors", "largest difference of vectors", "spread of products")


def vector_features(vectors1: Floats, vectors2: Floats) -> FeatureColumns:
    """Symmetric features of pairs of vectors of length 1."""
    if not len(vectors1):
        return {name: np.zeros(0) for name in NAMES}
    products, differences = vectors1 * vectors2, np.abs(vectors1 - vectors2)
    values = (products.sum(axis=1), differences.mean(axis=1), differences.max(axis=1), products.std(axis=1))
    return dict(zip(NAMES, values, strict=True))
