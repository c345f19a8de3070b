"""The vectors of the sentences of a project's pairs, in a cache that grows with the corpus.

The cache holds no words: a row is the number of a pair, which of its texts it is, the digest of that text and a vector.
The words are read from the ledger when something is found, and a text with another digest is none that was encoded. So
what is withdrawn, removed or replaced is never found; a withdrawal deletes the cache, since vectors follow from words.

Rows are appended, and the state, which says how many of them count, is written after them: an interrupted run goes on
where it stopped. One thread of all processes writes at a time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from otherwords.digests import digest_bytes, digest_hex
from otherwords.engine import Progress
from otherwords.errors import MissingExtra, ProjectError, UsageError
from otherwords.mining.encode import TFIDF, EdgeEncoder, PoolEncoder, ThreadedEncoder
from otherwords.mining.hashed_tfidf import FITTED_TEXTS, HashedTfidf, fit_tfidf
from otherwords.mining.search import VectorSearch, query_vector, unit_rows
from otherwords.models.catalogue import encoder as encoder_by_name
from otherwords.models.defaults import default_encoder
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.permissions import PRIVATE_FILE, PRIVATE_FOLDER, create_private
from otherwords.project.project import Project
from otherwords.project.search import index_folder, newest_state
from otherwords.sources.io.files import atomic_write

FOLDER, LOCK, STATE = "nearest", "nearest.lock", "state.json"
VECTORS, ROWS, WEIGHTS = "vectors.f16", "rows.i64", "weights.npy"
FORMAT = 1
PAIRS_A_BLOCK = 128  # between two states
GROWTH = 2  # by which a corpus grows until the baseline counts its words again
TRIES, PAUSE = 40, 0.05  # for a moment in which nobody writes pairs
_pairs = schema.pairs


class VectorState(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of the files count, and up to which pair; ``erased`` is the last withdrawal before them."""

    format: int = FORMAT
    encoder: str
    dimension: int
    rows: int = 0
    seq: int = 0
    pair: str | None = None
    erased: int = 0
    fitted: int = 0  # sentences whose words the baseline has counted


class NearText(msgspec.Struct, frozen=True):
    """A text of a pair, as it was encoded, with its cosine to the query."""

    seq: int
    side: int  # 1 or 2
    digest: int
    cosine: float


@dataclass(frozen=True, slots=True)
class CorpusSearch:
    """The sentences of a corpus that are open for queries."""

    encoder: PoolEncoder
    vectors: VectorSearch
    places: NDArray[np.int64]  # pair, side and digest of each row
    state: VectorState

    def nearest(self, sentence: str, most: int) -> list[NearText]:
        """The nearest texts, from the nearest on; the same words in several pairs are several of them."""
        found = self.vectors.nearest(query_vector(self.encoder, sentence), most)
        texts = []
        for row, cosine in found:
            seq, side, digest = self.places[row].tolist()
            texts.append(NearText(seq, side, digest, cosine))
        return texts


def text_number(text: str) -> int:
    """The digest of a text as the number that the cache has."""
    return int.from_bytes(digest_bytes(text), "little", signed=True)


def corpus_encoder(project: Project) -> PoolEncoder | None:
    """The encoder that the settings name, or the packaged one of the language; None stands for the baseline."""
    name = project.config.nearest_encoder
    if name == TFIDF:
        return None
    if name:
        return EdgeEncoder(encoder_by_name(name))
    try:
        return EdgeEncoder(default_encoder(project.config.lang))
    except (MissingExtra, UsageError):  # none is installed, or there is none for the language
        return None


def is_current(project: Project, search: CorpusSearch) -> bool:
    """Whether a search knows all pairs, and no words that were withdrawn since."""
    newest, _ = newest_state(project)
    return search.state.seq == newest.seq and search.state.erased == _erased(project)


def open_corpus(
    project: Project, encoder: PoolEncoder | None, progress: Progress = lambda done, total: None
) -> CorpusSearch:
    """The sentences of all pairs, of which those that are new since the last time are encoded first."""
    with _alone(project):
        folder = index_folder(project) / FOLDER / (digest_hex(encoder.signature) if encoder else TFIDF)
        return _update(project, folder, encoder, progress)


def _update(project: Project, folder: Path, encoder: PoolEncoder | None, progress: Progress) -> CorpusSearch:
    erased, newest = _erased(project), _settled(project)
    with project.ledger.reading() as connection:
        total = 2 * _count(connection, newest)
        state = _usable_state(connection, folder, erased, total, encoder)
        if state is None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, mode=PRIVATE_FOLDER)
        known = encoder or _baseline(connection, folder, newest)
    state = state or VectorState(
        encoder=known.signature, dimension=known.dimension, erased=erased, fitted=0 if encoder else total
    )
    while block := _next_pairs(project, state.seq, newest):
        state = _append(folder, known, state, block)
        progress(state.rows, total)
    places = np.fromfile(folder / ROWS, np.int64).reshape(-1, 3)[: state.rows] if state.rows else np.empty((0, 3), int)
    shape = (state.rows, state.dimension)
    shards = [np.memmap(folder / VECTORS, np.float16, "r", shape=shape)] if state.rows else []
    query_vector(known, "a")  # models are loaded with their first sentence
    return CorpusSearch(known, VectorSearch(shards, state.dimension), places, state)


def _usable_state(
    connection: Connection, folder: Path, erased: int, total: int, encoder: PoolEncoder | None
) -> VectorState | None:
    """The state of the files; None if there are none, or none that fit the ledger and the encoder."""
    try:
        state = msgspec.json.decode((folder / STATE).read_bytes(), type=VectorState)
    except (OSError, msgspec.MsgspecError):
        return None
    same_encoder = state.encoder == encoder.signature if encoder else total <= GROWTH * state.fitted
    last = connection.execute(select(_pairs.c.id).where(_pairs.c.seq == state.seq)).scalar()
    sizes = {VECTORS: 2 * state.dimension * state.rows, ROWS: 24 * state.rows}
    whole = all((folder / name).is_file() and (folder / name).stat().st_size >= size for name, size in sizes.items())
    fits = state.format == FORMAT and same_encoder and state.erased == erased and last == state.pair
    return state if fits and (whole or not state.rows) else None


def _append(folder: Path, encoder: PoolEncoder, state: VectorState, block: Sequence[Any]) -> VectorState:
    """Encode the texts of some pairs, write their rows behind those that count, then the state."""
    texts = [(row.seq, side, text) for row in block for side, text in ((1, row.text1), (2, row.text2)) if text.strip()]
    vectors = [rows for rows, _ in encoder.encode([[text for _, _, text in texts]])] if texts else []
    numbers = np.array([(seq, side, text_number(text)) for seq, side, text in texts], np.int64).reshape(-1, 3)
    rows = unit_rows(np.concatenate(vectors)).astype(np.float16) if vectors else np.empty((0, state.dimension))
    _write_at(folder / VECTORS, 2 * state.dimension * state.rows, rows.astype(np.float16).tobytes())
    _write_at(folder / ROWS, 24 * state.rows, numbers.tobytes())
    state = msgspec.structs.replace(state, rows=state.rows + len(texts), seq=block[-1].seq, pair=block[-1].id)
    with atomic_write(folder / STATE) as stream:
        stream.write(msgspec.json.encode(state))
    return state


def _write_at(path: Path, place: int, content: bytes) -> None:
    create_private(path)
    with path.open("r+b") as stream:
        stream.truncate(place)
        stream.seek(place)
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _baseline(connection: Connection, folder: Path, newest: int) -> PoolEncoder:
    """TF-IDF with the words that the corpus had when the cache was begun."""
    path = folder / WEIGHTS
    if path.is_file():
        return ThreadedEncoder(HashedTfidf(np.load(path)), 1)
    firsts = select(_pairs.c.text1, _pairs.c.text2).where(PRESENT, _pairs.c.seq <= newest)
    rows = connection.execute(firsts.order_by(_pairs.c.seq).limit(FITTED_TEXTS // 2))
    model = fit_tfidf(text for row in rows for text in row)
    with atomic_write(path) as stream:
        np.save(stream, model.weights)
    return ThreadedEncoder(model, 1)


def _next_pairs(project: Project, after: int, newest: int) -> Sequence[Any]:
    """Some pairs; the ledger is not held while they are encoded, which may take minutes."""
    columns = select(_pairs.c.seq, _pairs.c.id, _pairs.c.text1, _pairs.c.text2).order_by(_pairs.c.seq)
    following = columns.where(_pairs.c.seq > after, _pairs.c.seq <= newest).limit(PAIRS_A_BLOCK)
    with project.ledger.reading() as connection:
        return connection.execute(following).all()


def _count(connection: Connection, newest: int) -> int:
    return int(connection.execute(select(func.count()).select_from(_pairs).where(_pairs.c.seq <= newest)).scalar_one())


def _erased(project: Project) -> int:
    with project.ledger.reading() as connection:
        return int(connection.execute(select(func.max(schema.tombstones.c.seq))).scalar() or 0)


def _settled(project: Project) -> int:
    """The number of the last pair, before which no other can appear."""
    for _ in range(TRIES):
        newest, quiet = newest_state(project)
        if quiet:
            return newest.seq
        time.sleep(PAUSE)
    message = f"{project.folder}: pairs are being written all the time; search again when that is done"
    raise ProjectError(message, code="pairs-changing")


@contextlib.contextmanager
def _alone(project: Project) -> Iterator[None]:
    try:
        project.tables.mkdir(exist_ok=True)
        descriptor = os.open(index_folder(project) / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as problem:
        raise _unwritable(project, problem) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    except OSError as problem:
        raise _unwritable(project, problem) from None
    finally:
        os.close(descriptor)


def _unwritable(project: Project, problem: OSError) -> ProjectError:
    what = problem.strerror or problem
    return ProjectError(
        f"{index_folder(project) / FOLDER}: the vectors cannot be written: {what}", code="vectors-unwritable"
    )
