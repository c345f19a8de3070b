"""Writers of a ledger, threads and processes alike, write in the order in which they asked."""

from __future__ import annotations

import contextlib
import fcntl
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from otherwords.errors import LedgerError
from otherwords.project import Project, create_project, open_project
from otherwords.project import ledger as ledger_module
from otherwords.project.exchange.backup import backup
from otherwords.project.ledger import Ledger, migrate, schema
from otherwords.project.ledger.write_queue import queue_of
from tests.errors import raises
from tests.processes import SECONDS, join_all, next_line
from tests.project.ledger.writers import WRITES

LOCKS = Path("/proc/locks")
WRITE = """
import sys, threading
from tests.project.ledger.writers import write_many
threads = [threading.Thread(target=write_many, args=(sys.argv[1], f"{sys.argv[2]}-{number}")) for number in range(2)]
print("ready", flush=True)
sys.stdin.readline()
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project:
        yield project


def queue(project: Project) -> Path:
    return project.folder / "ledger.db.queue"


def is_free(path: Path) -> bool:
    """Whether another writer would not have to wait."""
    with path.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_threads_of_two_processes_write_at_once(folder: Path) -> None:
    command = [sys.executable, "-c", WRITE, str(folder)]
    both = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    for process in both:
        assert next_line(process) == "ready\n"
    for process in both:
        process.communicate("go\n", timeout=SECONDS)
    assert [process.returncode for process in both] == [0, 0]
    with open_project(folder) as project, project.ledger.reading() as connection:
        rows = connection.execute(select(schema.events.c.time, schema.events.c.actor).order_by(schema.events.c.seq))
        written = rows.all()
    assert len(written) == 4 * WRITES
    if "sqlite" in project.ledger.url:
        assert [int(row.time) for row in written] == list(range(4 * WRITES))


@pytest.mark.skipif(not LOCKS.exists(), reason="this system does not list who waits for a lock")
def test_the_first_to_ask_is_the_first_to_write(corpus: Project) -> None:
    """Each thread is in the queue before the next one begins."""
    order: list[int] = []

    def write(number: int) -> None:
        with corpus.ledger.writing():
            order.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    with corpus.ledger.writing():
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_for_queue(queue(corpus), number)
    join_all(threads)
    assert order == list(range(6))


def wait_for_queue(path: Path, wanted: int) -> None:
    """Wait until the system lists that many waiting for the lock of a file."""
    inode, deadline = f":{path.stat().st_ino} ", time.monotonic() + 30
    while time.monotonic() < deadline:
        if sum("->" in line and inode in line for line in LOCKS.read_text().splitlines()) >= wanted:
            return
    raise TimeoutError


@pytest.mark.parametrize("trouble", [ZeroDivisionError, KeyboardInterrupt, LedgerError])
def test_nothing_is_left_locked(corpus: Project, trouble: type[BaseException]) -> None:
    def fail() -> None:
        with corpus.ledger.writing():
            assert not is_free(queue(corpus))
            raise trouble("on purpose")

    with pytest.raises(trouble):
        fail()
    assert is_free(queue(corpus))
    with corpus.ledger.erasing():
        assert not is_free(queue(corpus))
    corpus.ledger.scrub()
    assert is_free(queue(corpus))
    with corpus.ledger.reading():
        assert is_free(queue(corpus))


def test_a_process_forked_meanwhile_does_not_keep_the_turn(corpus: Project) -> None:
    stop = multiprocessing.get_context("fork").Event()
    with corpus.ledger.writing():
        child = os.fork()
        if child == 0:
            stop.wait(60)
            os._exit(0)
    try:
        assert is_free(queue(corpus))
    finally:
        stop.set()
        os.waitpid(child, 0)


def test_a_second_transaction_of_a_thread_is_an_error_and_does_not_wait_forever(
    corpus: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "BUSY_MS", 50)
    with (
        contextlib.closing(Ledger.open(corpus.ledger.url)) as other,
        corpus.ledger.writing(),
        raises("ledger-unavailable", match="database is locked"),
        other.writing(),
    ):
        pass
    assert is_free(queue(corpus))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////somewhere/ledger.db", "/somewhere/ledger.db.queue"),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("sqlite:///file:ledger.db?uri=true", None),
        ("postgresql+psycopg://me@host/name", None),
    ],
)
def test_only_a_file_has_a_queue(url: str, name: str | None) -> None:
    assert queue_of(url) == (Path(name) if name else None)


def test_links_to_a_ledger_have_its_queue(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "ledger.db")
    assert queue_of(f"sqlite:///{tmp_path / 'link.db'}") == tmp_path / "ledger.db.queue"


def test_a_ledger_in_memory() -> None:
    with contextlib.closing(Ledger("sqlite://")) as ledger, ledger.writing() as connection:
        migrate(connection)


def test_an_error_of_the_database_is_reported_without_a_queue_file(tmp_path: Path) -> None:
    with (
        contextlib.closing(Ledger(f"sqlite:///{tmp_path / 'nowhere' / 'ledger.db'}")) as ledger,
        raises("ledger-unavailable", match="unable to open database file"),
        ledger.writing(),
    ):
        pass


def test_writing_works_without_a_queue_file(corpus: Project) -> None:
    queue(corpus).unlink()
    queue(corpus).mkdir()
    with corpus.ledger.writing() as connection:
        connection.execute(insert(schema.events).values(time="now", action="write", detail={}))
    with contextlib.closing(sqlite3.connect(corpus.folder / "ledger.db")) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (1,)


def test_a_backup_does_not_include_the_queue(corpus: Project, tmp_path: Path) -> None:
    backup(corpus, tmp_path / "corpus.tar")
    assert b".queue" not in (tmp_path / "corpus.tar").read_bytes()
