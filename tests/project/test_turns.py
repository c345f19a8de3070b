"""Writers of one ledger come in the order in which they asked, from threads and processes alike."""

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
from sqlalchemy import func, insert, select

from otherwords.errors import LedgerError
from otherwords.project import Project, create, opened, schema
from otherwords.project import ledger as ledger_module
from otherwords.project.backup import backup
from otherwords.project.ledger import Ledger
from otherwords.project.migrating import migrate
from otherwords.project.turns import queue_of

LOCKS = Path("/proc/locks")
WRITES = 40
WRITE = """
import sys, threading
from tests.project.test_turns import write_many
threads = [threading.Thread(target=write_many, args=(sys.argv[1], f"{sys.argv[2]}-{number}")) for number in range(2)]
print("ready", flush=True)
sys.stdin.readline()
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def write_many(folder: str, name: str) -> None:
    """Read a number and write the next one: two who do it at once would write the same one."""
    one = schema.events
    with opened(folder) as project:
        for _ in range(WRITES):
            with project.ledger.writing() as connection:
                count = connection.execute(select(func.count()).select_from(one)).scalar()
                connection.execute(insert(one).values(time=f"{count}", actor=name, action="write", detail={}))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Project]:
    create(tmp_path / "corpus", "en")
    with opened(tmp_path / "corpus") as project:
        yield project


def queue(project: Project) -> Path:
    return project.folder / "ledger.db.queue"


def is_free(path: Path) -> bool:
    """Whether somebody else would get their turn at once."""
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
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.communicate("go\n", timeout=120)
    assert [process.returncode for process in both] == [0, 0]
    with opened(folder) as project, project.ledger.reading() as connection:
        rows = connection.execute(select(schema.events.c.time, schema.events.c.actor).order_by(schema.events.c.seq))
        found = rows.all()
    assert len(found) == 4 * WRITES
    if "sqlite" in project.ledger.url:
        assert [int(row.time) for row in found] == list(range(4 * WRITES))


@pytest.mark.skipif(not LOCKS.exists(), reason="this system does not tell who waits for a lock")
def test_who_asked_first_is_first(corpus: Project) -> None:
    """Each of the waiting has its place in the queue before the next one comes."""
    order: list[int] = []

    def write(number: int) -> None:
        with corpus.ledger.writing():
            order.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    with corpus.ledger.writing():
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_for_waiting(queue(corpus), number)
    for thread in threads:
        thread.join()
    assert order == list(range(6))


def wait_for_waiting(path: Path, wanted: int) -> None:
    """Until the system knows of so many who wait for a lock of a file."""
    inode, deadline = f":{path.stat().st_ino} ", time.monotonic() + 30
    while time.monotonic() < deadline:
        if sum("->" in line and inode in line for line in LOCKS.read_text().splitlines()) >= wanted:
            return
    raise TimeoutError


@pytest.mark.parametrize("trouble", [ZeroDivisionError, KeyboardInterrupt, LedgerError])
def test_nothing_is_left_locked(corpus: Project, trouble: type[BaseException]) -> None:
    def fails() -> None:
        with corpus.ledger.writing():
            assert not is_free(queue(corpus))
            raise trouble

    with pytest.raises(trouble):
        fails()
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


def test_writing_while_writing_is_an_error_and_does_not_wait_for_ever(
    corpus: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "BUSY_MS", 50)
    with (
        contextlib.closing(Ledger.open(corpus.ledger.url)) as other,
        corpus.ledger.writing(),
        pytest.raises(LedgerError, match="database is locked"),
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
def test_what_has_a_queue(url: str, name: str | None) -> None:
    assert queue_of(url) == (Path(name) if name else None)


def test_links_to_a_ledger_have_its_queue(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "ledger.db")
    assert queue_of(f"sqlite:///{tmp_path / 'link.db'}") == tmp_path / "ledger.db.queue"


def test_a_ledger_in_memory() -> None:
    with contextlib.closing(Ledger("sqlite://")) as ledger, ledger.writing() as connection:
        migrate(connection)


def test_without_a_file_to_lock_the_database_says_what_is_wrong(tmp_path: Path) -> None:
    with (
        contextlib.closing(Ledger(f"sqlite:///{tmp_path / 'nowhere' / 'ledger.db'}")) as ledger,
        pytest.raises(LedgerError, match="unable to open database file"),
        ledger.writing(),
    ):
        pass


def test_without_a_file_to_lock_the_work_goes_on(corpus: Project) -> None:
    queue(corpus).unlink()
    queue(corpus).mkdir()
    with corpus.ledger.writing() as connection:
        connection.execute(insert(schema.events).values(time="now", action="write", detail={}))
    with contextlib.closing(sqlite3.connect(corpus.folder / "ledger.db")) as found:
        assert found.execute("SELECT count(*) FROM events").fetchone() == (1,)


def test_the_queue_stays_where_it_is(corpus: Project, tmp_path: Path) -> None:
    backup(corpus, tmp_path / "corpus.tar")
    assert b".queue" not in (tmp_path / "corpus.tar").read_bytes()
