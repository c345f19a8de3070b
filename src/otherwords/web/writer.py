"""The single writer of a server process: everything that arrives during a transaction goes into the next one together.

A disk confirms a few hundred writes a second, however small they are. So one thread takes everything that is queued,
writes it in one transaction, and resolves the futures of the callers once it is on the disk, not before. A failure
affects nobody else: every piece of work has its own savepoint, except answers and requests that are worked on together,
which are refused one by one before anything is written for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection

from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.work.answers import AnswerBody, HasGuideline, InvalidAnswers, SchemeLoader, save_answers
from otherwords.errors import LedgerError, OtherwordsError, Refused
from otherwords.project.ledger import Ledger
from otherwords.records import Judgement

T = TypeVar("T")
R = TypeVar("R")
MOST_AT_ONCE = 64
MOST_TRIES = 3
PAUSE = 0.0002  # seconds; a transaction costs as much as five answers in it, so waiting for those on their way pays
Settlement = tuple["asyncio.Future[Any] | Future[Any]", Any]  # a future, and the result or exception for it
SenderNames = Callable[[Connection, "list[Answer]"], "list[str | Refused]"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, the credential it came with, and the future for its judgement."""

    credential: Any
    body: AnswerBody
    result: asyncio.Future[Judgement]


@dataclass(frozen=True, slots=True)
class WriteJob:
    """Any other piece of work, and the future for its result."""

    work: Callable[[Connection], Any]
    result: asyncio.Future[Any] | Future[Any]


@dataclass(frozen=True, slots=True)
class JointJob:
    """A request that is worked on together with all others of its kind in a transaction, and the future of its own."""

    work: Callable[[Connection, list[Any]], Sequence[Any]]
    request: Any
    result: asyncio.Future[Any]


Entry = Answer | WriteJob | JointJob


class Writer:
    """A thread that writes to a ledger for all requests of a process."""

    def __init__(
        self,
        ledger: Ledger,
        names_of_senders: SenderNames,
        scheme_of: SchemeLoader,
        edition: HasGuideline,
        test_handles: SlotHandles | None = None,
    ) -> None:
        self._ledger, self._names_of_senders = ledger, names_of_senders
        self._scheme_of, self._edition, self._test_handles = scheme_of, edition, test_handles
        self._invalid = InvalidAnswers()
        self._queue: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def answer(self, credential: Any, body: AnswerBody) -> asyncio.Future[Judgement]:
        """Queue an answer from an event loop; the future gets its judgement when it is on the disk."""
        result: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        self._queue.put(Answer(credential, body, result))
        return result

    def submit(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Queue a piece of work from an event loop; the future gets its result when that is on the disk."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(WriteJob(work, result))
        return result

    def submit_joint(
        self, work: Callable[[Connection, list[R]], Sequence[T | OtherwordsError]], request: R
    ) -> asyncio.Future[T]:
        """Queue a request for a function that works on several of them at once, each of which gets its own result."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(JointJob(work, request, result))
        return result

    def do(self, work: Callable[[Connection], T]) -> T:
        """Do a piece of work in a transaction and wait until it is on the disk."""
        result: Future[T] = Future()
        self._queue.put(WriteJob(work, result))
        return result.result()

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            group, is_last, before = [first], False, -1
            while before < (size := self._queue.qsize()) < MOST_AT_ONCE:  # as long as the queue grows
                before = size
                time.sleep(PAUSE)
            with contextlib.suppress(queue.Empty):
                while len(group) < MOST_AT_ONCE:
                    following = self._queue.get_nowait()
                    if following is None:
                        is_last = True
                        break
                    group.append(following)
            self._write(group)
            if is_last:
                return

    def _write(self, group: list[Entry], tries: int = 1) -> None:
        """Write a group in one transaction; results are handed out after it is confirmed."""
        outcomes: list[Settlement] = []
        try:
            with self._ledger.writing() as connection:
                outcomes += self._judge(connection, [entry for entry in group if isinstance(entry, Answer)])
                outcomes += _run_joint_jobs(connection, [entry for entry in group if isinstance(entry, JointJob)])
                outcomes += [(job.result, _run_job(connection, job)) for job in group if isinstance(job, WriteJob)]
        except BaseException as problem:  # noqa: BLE001 - the caller has to know of it
            if len(group) > 1 or (isinstance(problem, LedgerError) and tries < MOST_TRIES):
                for entry in group:  # nothing was written: each alone, so that a failure affects no other entry
                    self._write([entry], tries + 1)
                return
            outcomes = [(entry.result, problem) for entry in group]
        _resolve(outcomes)

    def _judge(self, connection: Connection, answers: list[Answer]) -> list[Settlement]:
        if not answers:
            return []
        senders = list(zip(answers, self._names_of_senders(connection, answers), strict=True))
        accepted = [(answer, name) for answer, name in senders if isinstance(name, str)]
        bodies = [(name, answer.body) for answer, name in accepted]
        results = save_answers(connection, bodies, self._scheme_of, self._edition, self._test_handles, self._invalid)
        outcomes: list[Settlement] = [(answer.result, name) for answer, name in senders if isinstance(name, Refused)]
        return outcomes + [(answer.result, result) for (answer, _), result in zip(accepted, results, strict=True)]


def _run_joint_jobs(connection: Connection, jobs: list[JointJob]) -> list[Settlement]:
    """The results of requests, those of one kind together."""
    by_work: dict[Any, list[JointJob]] = {}
    for job in jobs:
        by_work.setdefault(job.work, []).append(job)
    outcomes: list[Settlement] = []
    for work, same in by_work.items():
        results = work(connection, [job.request for job in same])
        outcomes += [(job.result, result) for job, result in zip(same, results, strict=True)]
    return outcomes


def _run_job(connection: Connection, job: WriteJob) -> Any:
    """The result of a piece of work, or its error, after which only its own changes are rolled back."""
    try:
        with savepoint(connection):
            return job.work(connection)
    except LedgerError:
        raise
    except OtherwordsError as problem:
        return problem


@contextlib.contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Roll back only what is done inside if it is refused; by hand: the library would compile it anew each time."""
    connection.exec_driver_sql("SAVEPOINT errand")
    try:
        yield
    except LedgerError:
        raise
    except OtherwordsError:
        connection.exec_driver_sql("ROLLBACK TO SAVEPOINT errand")
        connection.exec_driver_sql("RELEASE SAVEPOINT errand")
        raise
    connection.exec_driver_sql("RELEASE SAVEPOINT errand")


def _resolve(outcomes: list[Settlement]) -> None:
    """Resolve all futures; an event loop that waits for several of them is woken once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Settlement]] = {}
    for future, result in outcomes:
        if isinstance(future, asyncio.Future):
            by_loop.setdefault(future.get_loop(), []).append((future, result))
        else:
            _settle([(future, result)])
    for loop, results in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it its callers
            loop.call_soon_threadsafe(_settle, results)


def _settle(outcomes: list[Settlement]) -> None:
    for future, result in outcomes:
        if future.done():  # its caller was cancelled
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)
