"""Lists of neighbours on disk: ids and scores, a row each, with a manifest that states the recall of the search.

The manifest is written last: a folder with it is whole. Files are memory-mapped when they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.errors import DataError
from otherwords.measures.options import signature
from otherwords.sources.io.files import atomic_write

MANIFEST = "neighbours.json"
IDS, SCORES = "ids.npy", "scores.npy"
FORMAT = 1
BLOCK = 65_536


class RecallEstimate(msgspec.Struct, frozen=True):
    """The share of the true neighbours of randomly chosen rows that a search has found, and its interval of 95 %."""

    share: float
    low: float
    high: float
    rows: int  # chosen
    seed: int


class NeighbourManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of lists holds and how it was made."""

    format: int = FORMAT
    rows: int
    k: int
    ids: str  # the type of the numbers in the file
    metric: str
    scope: str
    encoder: str
    method: str  # exact, bytes or cells
    probes: int = 0
    rounds: int = 0
    recall: RecallEstimate

    @property
    def signature(self) -> str:
        """What two searches must share to be compared, with the recall."""
        parts = {"k": self.k, "scope": self.scope, "method": self.method}
        if self.method == "cells":
            parts |= {"probes": self.probes, "rounds": self.rounds}
        shown = f"{self.recall.share:.4f}[{self.recall.low:.4f},{self.recall.high:.4f}]"
        return signature(self.metric, {**parts, "recall": shown, "sample": self.recall.rows, "seed": self.recall.seed})


@dataclass(frozen=True)
class NeighbourLists:
    """The neighbours of every row, from the nearest on; -1 and NaN where there are fewer than ``k``."""

    folder: Path
    manifest: NeighbourManifest

    @cached_property
    def ids(self) -> NDArray[Any]:
        return self._mapped(IDS)

    @cached_property
    def scores(self) -> NDArray[np.float32]:
        return self._mapped(SCORES)

    def blocks(self, rows: int = BLOCK) -> Iterator[tuple[int, NDArray[Any], NDArray[np.float32]]]:
        """The first row, the ids and the scores, some rows at a time."""
        for start in range(0, self.manifest.rows, rows):
            yield start, self.ids[start : start + rows], self.scores[start : start + rows]

    def _mapped(self, name: str) -> NDArray[Any]:
        path, shape = self.folder / name, (self.manifest.rows, self.manifest.k)
        try:
            numbers: NDArray[Any] = np.load(path, mmap_mode="r") if self.manifest.rows else np.load(path)
        except (OSError, EOFError, ValueError) as problem:
            raise DataError(f"cannot be read: {problem}", path, code="neighbours-unreadable") from None
        if numbers.shape != shape:
            reason = f"has the shape {numbers.shape}, not {shape}; search again"
            raise DataError(reason, path, code="neighbours-unreadable")
        return numbers


def open_neighbours(folder: Path) -> NeighbourLists:
    """The lists in a folder, if they are whole."""
    path = folder / MANIFEST
    try:
        lists = NeighbourLists(folder, msgspec.json.decode(path.read_bytes(), type=NeighbourManifest))
    except FileNotFoundError:
        raise DataError("holds no whole lists of neighbours; search again", folder, code="neighbours-missing") from None
    except (OSError, ValueError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="neighbours-unreadable") from None
    assert lists.ids.shape == lists.scores.shape
    return lists


def write_neighbours(
    folder: Path, blocks: Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]], manifest: NeighbourManifest
) -> NeighbourLists:
    """Write ids and scores as they come, and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    shape = (manifest.rows, manifest.k)
    with atomic_write(folder / IDS) as ids_file, atomic_write(folder / SCORES) as scores_file:
        for stream, dtype in ((ids_file, np.dtype(manifest.ids)), (scores_file, np.dtype(np.float32))):
            header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(stream, header)
        for ids, scores in blocks:
            ids_file.write(np.ascontiguousarray(ids, manifest.ids).tobytes())
            scores_file.write(np.ascontiguousarray(scores, np.float32).tobytes())
    with atomic_write(folder / MANIFEST) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return NeighbourLists(folder, manifest)
