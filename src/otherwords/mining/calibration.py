"""How fast this machine is: the constants of a plan, measured in about a minute and kept in a file.

Rates are those of one core, measured on sentences that are made for it and on random vectors.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from otherwords.engine import cores
from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.mining.hashed_tfidf import fit_tfidf
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.models.catalogue import encoder as encoder_by_name
from otherwords.models.edges import Item
from otherwords.models.encoders.minilm_batches import MiniLMBatches
from otherwords.models.encoders.minilm_static import MiniLMStatic
from otherwords.models.fixed_shapes import Tier
from otherwords.sources.io.files import atomic_write
from otherwords.sources.source import ReadLog
from otherwords.text.identification import identify

MEASURED = ("tfidf", "minilm-static", "minilm", "minilm-int8")  # encoders
SENTENCES = 4_000  # that are made for the measurement
FEW = 1_000  # of them, for encoders that use all cores because they are slow
DISK_BYTES = 128 * 2**20
MATRIX = 2_048
SECONDS = 3.0  # of a rate, at least
WORDS = (
    *("the", "a", "old", "quiet", "early", "harbour", "boat", "captain", "lantern", "bridge", "morning", "walked"),
    *("carried", "slowly", "over", "under", "nothing", "somebody", "market", "bread", "river", "window", "letter"),
    *("answered", "never", "again", "because", "while", "although", "nobody", "evening", "garden"),
)


ENCODE_RATES = {  # sentences a second and core
    **{"minilm": 66.0, "minilm-int8": 292.0, "minilm-static": 11_800.0},
    **{"usem3": 772.0, "tfidf": 82_700.0},
}


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """The constants of a plan, and where they were measured. The defaults are those of the machine of the docs."""

    machine: str = "2 cores of an AMD EPYC that others used as well"
    pool: float = 45_000.0  # sentences a second and core
    identify: float = 27_000.0
    encode: dict[str, float] = msgspec.field(default_factory=lambda: dict(ENCODE_RATES))
    products: float = 23.4  # 10⁹ multiplications and additions a second and core, in 32 bits
    disk: float = 1_010.0  # 10⁶ bytes a second, written and synced
    pairs: float = 60_000.0  # pairs a second


def measure_calibration(encoders: tuple[str, ...] = (), say: Callable[[str], None] = lambda line: None) -> Calibration:
    """Measure this machine; encoders that are not installed are left out."""
    texts = made_sentences(SENTENCES)
    known = Calibration()
    encode = {}
    for name in encoders or MEASURED:
        say(f"encoder {name}")
        try:
            few = texts[:FEW] if _cores_of(name) > 1 else texts
            encode[name] = _rate(_encoding(name, few), len(few)) / _cores_of(name)
        except MissingExtra as problem:
            say(str(problem))
    say("pool, products, disk")
    return Calibration(
        machine=f"{cores()} cores, {time.strftime('%Y-%m-%d')}",
        pool=_pool(texts),
        identify=_identifying(texts) or known.identify,
        encode=encode,
        products=_products(),
        disk=_disk(),
        pairs=known.pairs,
    )


def made_sentences(count: int, seed: int = 0) -> list[str]:
    """Sentences of 5 to 25 words, always the same."""
    chance = np.random.default_rng(seed)
    lengths = chance.integers(5, 26, count)
    return [f"{' '.join(chance.choice(WORDS, length))} {number}." for number, length in enumerate(lengths)]


def read_calibration(path: Path) -> Calibration:
    """The constants in a file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Calibration)
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path, code="file-unreadable") from None
    except ValueError as problem:
        message = f"is no calibration ({problem}); measure again with otherwords mine calibrate"
        raise DataError(message, path, code="bad-calibration") from None


def write_calibration(calibration: Calibration, path: Path) -> None:
    """Write the constants to a file."""
    with atomic_write(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(calibration), indent=2) + b"\n")


def _rate(work: Callable[[], object], count: int) -> float:
    """How many a second, after a first time that loads what is needed."""
    work()
    start, times = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < SECONDS and times < 20:
        work()
        times += 1
    return count * times / max(elapsed, 1e-9)


def _pool(texts: list[str]) -> float:
    """The rate of making a pool, reading and writing included."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.txt"
        file.write_text("\n".join(texts), encoding="utf-8")
        numbers = iter(range(100))  # a pool that is there would not be made again

        def make() -> None:
            build_pool([file], Path(folder) / str(next(numbers)), PoolOptions(), WorkOptions(jobs=1), ReadLog())

        return _rate(make, len(texts))


def _identifying(texts: list[str]) -> float | None:
    try:
        return _rate(lambda: identify(texts), len(texts))
    except MissingExtra:
        return None


def _encoding(name: str, texts: list[str]) -> Callable[[], object]:
    if name == "tfidf":
        model = fit_tfidf(texts)
        return lambda: model.vectors(texts)
    if name == "minilm-static":
        static = MiniLMStatic().load()
        return lambda: static.vectors(texts)
    if name.startswith("minilm"):
        tier: Tier = "int8" if name.endswith("int8") else "exact"
        batches = MiniLMBatches(tier, texts[:300])
        return lambda: batches.vectors(texts)
    edge = encoder_by_name(name)
    return lambda: list(edge.encode([Item(str(number), text) for number, text in enumerate(texts)]))


def _cores_of(name: str) -> int:
    """How many cores an encoder uses at a time."""
    if name in ("minilm", "minilm-int8") or name.startswith("hf:"):
        return cores()
    return 1


def _products() -> float:
    matrix = np.random.default_rng(0).random((MATRIX, MATRIX), np.float32)
    return _rate(lambda: matrix @ matrix, MATRIX**3) / 1e9 / cores()


def _disk() -> float:
    block = os.urandom(2**20)
    try:
        with tempfile.TemporaryFile() as file:
            start = time.perf_counter()
            for _ in range(DISK_BYTES // len(block)):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
            return DISK_BYTES / 1e6 / (time.perf_counter() - start)
    except OSError as problem:
        raise UsageError(f"the disk cannot be measured: {problem.strerror}", code="disk-not-measured") from None
