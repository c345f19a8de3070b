"""Vectors of length 1; a text in which an encoder knows nothing keeps the zero vector."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


def unit(vector: npt.NDArray[np.floating]) -> Vector:
    """The vector with length 1, or zeros."""
    wide = vector.astype(np.float64)
    length = float(np.sqrt(wide @ wide))
    return (wide / length).astype(np.float32) if length > 0 else np.zeros(len(wide), np.float32)
