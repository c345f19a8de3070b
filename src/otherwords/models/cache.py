"""The answers of models, kept by content: model, parameters and text. What was asked once is not asked again.

One SQLite file, shared by all steps of a project. Only answers with a value are kept. Texts stand beside their answers,
so that a withdrawal can delete everything that follows from a text: its translations, their translations, its vectors.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from otherwords.digests import digest_bytes
from otherwords.errors import ProjectError

Value = TypeVar("Value")
TEXTS_PER_QUERY = 500
SECONDS_TO_WAIT = 30.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, model INTEGER NOT NULL, text TEXT NOT NULL, value BLOB NOT NULL, time TEXT NOT NULL
) WITHOUT ROWID;
"""


class CachedModel(msgspec.Struct, frozen=True):
    """How much of the cache belongs to a model."""

    signature: str
    answers: int
    bytes: int


class AnswerCache:
    """The cache in a file; threads share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._connection = sqlite3.connect(path, timeout=SECONDS_TO_WAIT, check_same_thread=False)
            self._connection.executescript(f"PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON; {SCHEMA}")
        except (OSError, sqlite3.Error) as problem:
            raise ProjectError(f"{path}: the cache cannot be opened: {problem}", code="cache-unusable") from None
        self._lock = threading.Lock()

    def find(self, signature: str, texts: Sequence[str], kind: type[Value]) -> dict[str, Value]:
        """The known answers of a model, by text."""
        decoder = msgspec.msgpack.Decoder(kind, dec_hook=_array)
        found: dict[str, Value] = {}
        with self._lock:
            for start in range(0, len(texts), TEXTS_PER_QUERY):
                keys = {_key(signature, text): text for text in texts[start : start + TEXTS_PER_QUERY]}
                marks = ",".join("?" * len(keys))
                query = f"SELECT key, value FROM answers WHERE key IN ({marks})"  # noqa: S608 (marks only)
                for key, value in self._connection.execute(query, list(keys)):
                    found[keys[key]] = decoder.decode(value)
        return found

    def store(self, signature: str, answers: Mapping[str, object]) -> None:
        """Keep answers; they are on the disk when this returns."""
        if not answers:
            return
        time = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO models (signature) VALUES (?)", (signature,))
            (model,) = connection.execute("SELECT id FROM models WHERE signature = ?", (signature,)).fetchone()
            rows = [
                (_key(signature, text), model, text, msgspec.msgpack.encode(value, enc_hook=_bytes), time)
                for text, value in answers.items()
            ]
            connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", rows)

    def sizes(self) -> list[CachedModel]:
        """How many answers each model has, and their bytes."""
        query = (
            "SELECT signature, count(*), sum(length(text) + length(value)) FROM answers JOIN models ON model = id"
            " GROUP BY model ORDER BY signature"
        )
        with self._lock:
            return [CachedModel(*row) for row in self._connection.execute(query)]

    def forget(self, texts: Collection[str]) -> int:
        """Delete what follows from texts: answers about a text that contains one of them or is part of one.

        An answer that is a text leads to further answers, which are deleted too. The number of deleted answers.
        """
        wanted, deleted = _folded(texts), 0
        with self._writing() as connection:
            while wanted:
                rows = [
                    (key, value)
                    for key, asked, value in _rows(connection)
                    if any(asked in text or text in asked for text in wanted)
                ]
                connection.executemany("DELETE FROM answers WHERE key = ?", [(key,) for key, _ in rows])
                deleted += len(rows)
                wanted = _folded(value for _, value in rows if isinstance(value, str))
        if deleted:
            with self._lock:
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return deleted

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._connection:
                    yield self._connection
            except sqlite3.Error as problem:
                raise ProjectError(f"{self.path}: cannot be written: {problem}", code="cache-unusable") from None


def _rows(connection: sqlite3.Connection) -> Iterable[tuple[bytes, str, object]]:
    for key, text, value in connection.execute("SELECT key, text, value FROM answers").fetchall():
        yield key, " ".join(text.split()), msgspec.msgpack.decode(value)


def _folded(texts: Iterable[str]) -> set[str]:
    """Texts with their white space folded, but for empty ones."""
    return {" ".join(text.split()) for text in texts} - {""}


def _key(signature: str, text: str) -> bytes:
    return digest_bytes(signature, text, size=16)


def _bytes(value: Any) -> object:
    """A vector as bytes; anything else cannot be kept."""
    return value.astype("<f4").tobytes()


def _array(kind: type, value: Any) -> object:
    import numpy as np

    return np.frombuffer(value, "<f4")
