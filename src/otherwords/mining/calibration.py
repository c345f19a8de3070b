"""How fast this machine is: the constants of a plan, measured in about a minute and kept in a file.

Rates are those of one core, by the time that cores have worked, so that other work on the machine changes them little.
They are measured on sentences that are made for it and on invented vectors.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from otherwords.engine import Engine, cores
from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.mining.hashed_tfidf import fit_tfidf
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.pairs import write_pairs
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.folder import Pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.vectors import VectorPlan, VectorStore, write_vectors
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
NEIGHBOUR_ROWS = 40_000  # vectors whose neighbours are looked for: so many that they are divided into cells
NEIGHBOUR_DIMENSION = 384
SECONDS = 3.0  # of a rate, at least
WORDS = (
    *("the", "a", "old", "quiet", "early", "harbour", "boat", "captain", "lantern", "bridge", "morning", "walked"),
    *("carried", "slowly", "over", "under", "nothing", "somebody", "market", "bread", "river", "window", "letter"),
    *("answered", "never", "again", "because", "while", "although", "nobody", "evening", "garden"),
)
SYLLABLES = ("ba", "dor", "fen", "gri", "kal", "lu", "mor", "ni", "pes", "ra", "sto", "tul", "vy", "wen")
NAME_EVERY = 5  # words: names are cut into more pieces than other words


ENCODE_RATES = {  # sentences a second and core
    **{"minilm": 66.0, "minilm-int8": 292.0, "minilm-static": 11_800.0},
    **{"usem3": 772.0, "tfidf": 114_800.0},
}


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """The constants of a plan, and where they were measured. The defaults are those of the machine of the docs."""

    machine: str = "2 cores of an AMD EPYC that others used as well"
    pool: float = 71_800.0  # sentences a second and core
    identify: float = 27_000.0
    encode: dict[str, float] = msgspec.field(default_factory=lambda: dict(ENCODE_RATES))
    neighbours: float = 43_000.0  # rows of 384 numbers a second and core, among as many as are measured
    disk: float = 590.0  # 10⁶ bytes a second, written and synced
    pairs: float = 57_600.0  # pairs a second and core


def measure_calibration(encoders: tuple[str, ...] = (), say: Callable[[str], None] = lambda line: None) -> Calibration:
    """Measure this machine; encoders that are not installed are left out."""
    texts = made_sentences(SENTENCES)
    known = Calibration()
    encode = {}
    for name in encoders or MEASURED:
        say(f"encoder {name}")
        try:
            few = texts[:FEW] if _is_slow(name) else texts
            encode[name] = _rate(_encoding(name, few), len(few))
        except MissingExtra as problem:
            say(str(problem))
    say("pool, neighbours, pairs, disk")
    with tempfile.TemporaryDirectory() as folder:
        return Calibration(
            machine=f"{cores()} cores, {time.strftime('%Y-%m-%d')}",
            pool=_pool(texts, Path(folder)),
            identify=_identifying(texts) or known.identify,
            encode=encode,
            neighbours=_neighbours(Path(folder)),
            pairs=_pairs(texts, Path(folder)),
            disk=_disk(),
        )


def made_sentences(count: int, seed: int = 0) -> list[str]:
    """Sentences of 5 to 25 words, some of them invented names, always the same."""
    chance = np.random.default_rng(seed)

    def words(length: int) -> list[str]:
        found = [str(word) for word in chance.choice(WORDS, length)]
        for place in range(0, length, NAME_EVERY):
            found[place] = "".join(chance.choice(SYLLABLES, 3)).capitalize()
        return found

    lengths = chance.integers(5, 26, count).tolist()
    return [f"{' '.join(words(length))} {number}." for number, length in enumerate(lengths)]


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
    """How many a second and core, after a first time that loads what is needed."""
    work()
    start, times = time.process_time(), 0
    while (used := time.process_time() - start) < SECONDS and times < 20:
        work()
        times += 1
    return count * times / max(used, 1e-9)


def _pool(texts: list[str], folder: Path) -> float:
    """The rate of making a pool, reading and writing included."""
    numbers = iter(range(100))  # a pool that is there would not be made again
    return _rate(lambda: _made_pool(texts, folder / f"pool-{next(numbers)}"), len(texts))


def _made_pool(texts: list[str], folder: Path) -> Pool:
    file = folder.with_suffix(".txt")
    file.write_text("\n".join(texts), encoding="utf-8")
    return build_pool([file], folder, PoolOptions(), WorkOptions(jobs=1), ReadLog())


def _neighbours(folder: Path) -> float:
    """The rate of looking for the neighbours of rows in cells."""
    chance = np.random.default_rng(0)
    middles = chance.standard_normal((NEIGHBOUR_ROWS // 20 + 1, NEIGHBOUR_DIMENSION), np.float32)
    own = middles[chance.integers(len(middles), size=NEIGHBOUR_ROWS)]
    rows = own + 0.7 * chance.standard_normal(own.shape, np.float32)
    store = _stored(rows, folder / "vectors")
    start = time.process_time()
    nearest_neighbours(store, folder / "lists", NeighbourOptions(k=5, recall=0.9), all_pairs=0)
    return len(rows) / max(time.process_time() - start, 1e-9)


def _pairs(texts: list[str], folder: Path) -> float:
    """The rate of writing pairs."""
    pool = _made_pool(texts, folder / "paired")
    store = _stored(fit_tfidf(texts).vectors(list(pool.texts(0, pool.rows))), folder / "paired-vectors")
    lists = nearest_neighbours(store, folder / "paired-lists", NeighbourOptions(k=5))
    numbers = iter(range(100))
    counts = write_pairs(pool, lists, folder / "pairs.parquet", Engine(1))
    return _rate(lambda: write_pairs(pool, lists, folder / f"pairs-{next(numbers)}.parquet", Engine(1)), counts.pairs)


def _stored(rows: npt.NDArray[np.float32], folder: Path) -> VectorStore:
    plan = VectorPlan(dimension=rows.shape[1], rows=len(rows), encoder="invented", normalised=True)
    return write_vectors(folder, lambda start, stop: [rows[start:stop]], plan)


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


def _is_slow(name: str) -> bool:
    return name in ("minilm", "minilm-int8") or name.startswith("hf:")


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
