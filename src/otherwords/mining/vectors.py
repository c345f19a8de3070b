"""Vectors on disk: a folder of float16 shards with a manifest, written shard by shard and read by blocks.

Shards are written one by one, each aside and then into place, and the manifest last: a folder with a manifest is whole,
one without is the beginning of a run that can go on where it stopped. What the shards are made of (encoder, dimension,
rows) is written first, so that vectors of another encoder are never kept. Shards are memory-mapped when they are read;
rows come out as float32.
"""

from __future__ import annotations

import hashlib
import mmap
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.digests import digest_file
from otherwords.engine import Progress
from otherwords.errors import DataError
from otherwords.sources.io.files import atomic_write

MANIFEST = "vectors.json"
PLAN = "plan.json"  # what the shards are made of, also those of a run that has not ended
SHARD = "part-{:05}.npy"  # with its number
FORMAT = 1
DTYPE = "float16"
ROWS_PER_SHARD = 100_000
ROWS_PER_BLOCK = 8_192
MAX_FLOAT16 = 65_504.0

FloatRows: TypeAlias = NDArray[np.float32]
Encode: TypeAlias = Callable[
    [int, int], Iterable[NDArray[Any]]
]  # the rows from a start to a stop, in blocks of any size


class VectorShard(msgspec.Struct, frozen=True):
    """One file of vectors."""

    name: str
    rows: int
    sha256: str


class VectorPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What vectors are made of; shards of another plan are not kept."""

    format: int = FORMAT
    dimension: int
    dtype: str = DTYPE
    rows: int
    encoder: str  # the signature of the encoder
    normalised: bool
    rows_per_shard: int = ROWS_PER_SHARD

    @property
    def shards(self) -> int:
        return -(-self.rows // self.rows_per_shard)

    def span(self, number: int) -> tuple[int, int]:
        """The first row of a shard, and the end."""
        return number * self.rows_per_shard, min((number + 1) * self.rows_per_shard, self.rows)


class VectorManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of vectors holds."""

    format: int
    dimension: int
    dtype: str
    rows: int
    shards: list[VectorShard]
    encoder: str
    normalised: bool


@dataclass(frozen=True)
class VectorStore:
    """Vectors on disk that are whole, by row."""

    folder: Path
    manifest: VectorManifest

    @property
    def rows(self) -> int:
        return self.manifest.rows

    @property
    def dimension(self) -> int:
        return self.manifest.dimension

    @property
    def bytes(self) -> int:
        """What the vectors take in their files."""
        return self.rows * self.dimension * np.dtype(DTYPE).itemsize

    @cached_property
    def starts(self) -> list[int]:
        """The first row of every shard, and the end."""
        return list(accumulate((shard.rows for shard in self.manifest.shards), initial=0))

    @cached_property
    def _mapped(self) -> list[NDArray[np.float16]]:
        return [np.load(self.folder / shard.name, mmap_mode="r") for shard in self.manifest.shards]

    def shard(self, number: int) -> NDArray[np.float16]:
        """The rows of a shard, mapped from its file."""
        return self._mapped[number]

    def read_as_asked(self) -> None:
        """Keep the system from reading what is around a row, which it does for rows that are read in their order."""
        for shard in self._mapped:
            if isinstance(shard.base, mmap.mmap):
                shard.base.madvise(mmap.MADV_RANDOM)

    def block(self, start: int, stop: int) -> FloatRows:
        """The rows from ``start`` to ``stop``, which may lie in several shards."""
        stop = min(stop, self.rows)
        out = np.empty((max(stop - start, 0), self.dimension), np.float32)
        at = start
        while at < stop:
            shard = bisect_right(self.starts, at) - 1
            first, end = self.starts[shard], min(self.starts[shard + 1], stop)
            out[at - start : end - start] = self._mapped[shard][at - first : end - first]
            at = end
        return out

    def blocks(self, rows: int = ROWS_PER_BLOCK) -> Iterator[tuple[int, FloatRows]]:
        """All rows in their order, some at a time, each block with its first row."""
        for start in range(0, self.rows, rows):
            yield start, self.block(start, start + rows)

    def take(self, rows: NDArray[np.integer[Any]]) -> FloatRows:
        """Chosen rows, in the order of their numbers in ``rows``."""
        out = np.empty((len(rows), self.dimension), np.float32)
        shards = np.searchsorted(self.starts, rows, side="right") - 1
        for shard in np.unique(shards):
            here = shards == shard
            out[here] = self._mapped[shard][rows[here] - self.starts[shard]]
        return out

    def verify(self) -> None:
        """Read every shard and compare its digest with the manifest."""
        for shard in self.manifest.shards:
            path = self.folder / shard.name
            if digest_file(path) != shard.sha256:
                raise DataError("is not what was written; encode the pool again", path, code="vectors-changed")


def open_vectors(folder: Path, encoder: str | None = None) -> VectorStore:
    """The vectors in a folder, if they are whole and, where it is named, made by this encoder."""
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=VectorManifest)
    except FileNotFoundError:
        reason = f"holds no whole vectors ({MANIFEST} is missing); encode the pool again, it goes on where it stopped"
        raise DataError(reason, folder, code="vectors-incomplete") from None
    except (OSError, ValueError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="vectors-unreadable") from None
    if manifest.format != FORMAT or manifest.dtype != DTYPE:
        reason = (
            f"is of format {manifest.format} with {manifest.dtype}; this version reads format {FORMAT} with {DTYPE}"
        )
        raise DataError(reason, path, code="vectors-format")
    if sum(shard.rows for shard in manifest.shards) != manifest.rows:
        raise DataError(f"its shards do not add up to {manifest.rows:,} rows", path, code="vectors-unreadable")
    if encoder is not None and manifest.encoder != encoder:
        reason = f"was made by the encoder {manifest.encoder}, not by {encoder}; encode the pool again"
        raise DataError(reason, path, code="vectors-encoder")
    for shard in manifest.shards:
        _check_shard(folder / shard.name, (shard.rows, manifest.dimension))
    return VectorStore(folder, manifest)


def write_vectors(
    folder: Path,
    encode: Encode,
    plan: VectorPlan,
    progress: Progress | None = None,
) -> VectorStore:
    """Write the vectors of a pool; ``encode`` is asked only for the rows of shards that are not there yet.

    Rows are scaled to length 1 if the plan says so; rows of zeros stay.
    """
    start_vectors(folder, plan)
    shards: list[VectorShard] = []
    for number in range(plan.shards):
        shards.append(write_shard(folder, plan, number, encode))
        if progress is not None:
            progress(plan.span(number)[1], plan.rows)
    return finish_vectors(folder, plan, shards)


def start_vectors(folder: Path, plan: VectorPlan) -> None:
    """Make the folder, and remove its shards unless they belong to the same plan."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / PLAN
    encoded = msgspec.json.encode(plan)
    if path.is_file() and path.read_bytes() == encoded:
        return
    for stale in (folder / MANIFEST, *folder.glob(SHARD.format(0).replace("00000", "*"))):
        stale.unlink(missing_ok=True)
    with atomic_write(path) as stream:
        stream.write(encoded)


def write_shard(folder: Path, plan: VectorPlan, number: int, encode: Encode) -> VectorShard:
    """Write one shard unless it is there."""
    start, stop = plan.span(number)
    path = folder / SHARD.format(number)
    if _is_whole(path, (stop - start, plan.dimension)):
        digest = digest_file(path)
    else:
        digest = _write_rows(path, encode(start, stop), stop - start, plan)
    return VectorShard(path.name, stop - start, digest)


def finish_vectors(folder: Path, plan: VectorPlan, shards: list[VectorShard]) -> VectorStore:
    """Write the manifest, which makes the vectors whole."""
    manifest = VectorManifest(
        format=plan.format,
        dimension=plan.dimension,
        dtype=plan.dtype,
        rows=plan.rows,
        shards=shards,
        encoder=plan.encoder,
        normalised=plan.normalised,
    )
    with atomic_write(folder / MANIFEST) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return VectorStore(folder, manifest)


def _write_rows(path: Path, blocks: Iterable[NDArray[Any]], rows: int, plan: VectorPlan) -> str:
    """Write the rows of one shard as they come; its digest."""
    digest, count = hashlib.sha256(), 0
    with atomic_write(path) as stream:

        def write(part: bytes) -> None:
            digest.update(part)
            stream.write(part)

        write(_header((rows, plan.dimension)))
        for block in blocks:
            if block.ndim != 2 or block.shape[1] != plan.dimension:
                reason = f"the encoder gave vectors of shape {block.shape}, not of {plan.dimension} numbers each"
                raise DataError(reason, path, code="vectors-dimension")
            write(_as_float16(np.asarray(block, np.float32), plan, path).tobytes())
            count += len(block)
        if count != rows:
            raise DataError(f"the encoder gave {count:,} vectors for {rows:,} rows", path, code="vectors-count")
    return digest.hexdigest()


def _as_float16(block: FloatRows, plan: VectorPlan, path: Path) -> NDArray[np.float16]:
    if plan.normalised:
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block, dtype=np.float64))
        block = (block / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
    if not np.all(np.abs(block) <= MAX_FLOAT16):
        reason = f"the encoder gave numbers that are not finite or beyond ±{MAX_FLOAT16:g}"
        raise DataError(reason, path, code="vectors-not-finite")
    return block.astype(np.float16)


def _header(shape: tuple[int, int]) -> bytes:
    """The header of a .npy file of version 1.0, whose length is a multiple of 64."""
    text = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("latin-1")


def _is_whole(path: Path, shape: tuple[int, int]) -> bool:
    """Whether a shard is there with its header and all its bytes."""
    header = _header(shape)
    try:
        with path.open("rb") as stream:
            return stream.read(len(header)) == header and path.stat().st_size == len(header) + 2 * shape[0] * shape[1]
    except FileNotFoundError:
        return False


def _check_shard(path: Path, shape: tuple[int, int]) -> None:
    if not path.is_file():
        raise DataError("a shard of the vectors is missing; encode the pool again", path, code="vectors-missing-shard")
    if not _is_whole(path, shape):
        reason = f"does not hold {shape[0]:,} vectors of {shape[1]} numbers; encode the pool again"
        raise DataError(reason, path, code="vectors-damaged-shard")
