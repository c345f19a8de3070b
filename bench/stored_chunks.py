"""Files as chunks by content, as stores such as that of the Hub keep them: what a new version of a file adds.

A gear hash of the last 64 bytes says where a chunk ends (Xia et al. 2016, FastCDC, without its normalisation); chunks
have 8 to 128 KiB, 64 in the middle, like those of Xet.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = 8 * 2**10, 128 * 2**10
MIDDLE_BITS = 16  # 64 KiB
WINDOW = 64
_GEAR = np.random.default_rng(0).integers(0, 2**64, 256, dtype=np.uint64)


def chunks(content: bytes) -> list[bytes]:
    """The chunks of a file."""
    ends, start, parts = _ends(np.frombuffer(content, np.uint8)), 0, []
    while start < len(content):
        place = int(np.searchsorted(ends, start + LEAST))
        end = int(ends[place]) if place < len(ends) else len(content)
        end = min(end, start + MOST, len(content))
        parts.append(content[start:end])
        start = end
    return parts


def _ends(content: NDArray[np.uint8]) -> NDArray[np.int64]:
    """All places at which a chunk may end."""
    hashes, length = _GEAR[content], 1
    while length < min(WINDOW, len(content)):  # that of twice as many bytes is the sum of two of them
        hashes[length:] = hashes[length:] + (hashes[:-length] << np.uint64(length))
        length *= 2
    return np.flatnonzero(hashes >> np.uint64(64 - MIDDLE_BITS) == 0) + 1


def new_chunks(before: Path, after: Path) -> tuple[int, int]:
    """How many chunks of the files in a folder are not in another folder's, and how many there are."""
    known, present = _digests(before), _digests(after)
    return sum(digest not in known for digest in present), len(present)


def _digests(folder: Path) -> list[bytes]:
    files = sorted(path for path in folder.rglob("*.parquet"))
    return [hashlib.sha256(chunk).digest() for file in files for chunk in chunks(file.read_bytes())]
