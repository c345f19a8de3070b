"""The one writer of a server process: what arrives while it writes goes into the next transaction together.

A disk confirms a few hundred writes a second, however small they are. So a thread takes all that is waiting,
writes it in one transaction, and tells each who waits for it when that is on the disk and not before. What fails
fails alone: every piece of work that is not an answer has a savepoint of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection

from otherwords.annotate.concealing import Concealing
from otherwords.annotate.judging import Edition, Said, SchemeOf, judge
from otherwords.errors import LedgerError, OtherwordsError, Refused
from otherwords.project.ledger import Ledger
from otherwords.records import Judgement

T = TypeVar("T")
MOST_AT_ONCE = 64
MOST_TRIES = 3
A_MOMENT = 0.0002  # seconds; a group costs as much as five answers in it, so those on their way are waited for
Told = tuple["asyncio.Future[Any] | Future[Any]", Any]  # where a result goes, and the result
Who = Callable[[Connection, "list[Answer]"], "list[str | Refused]"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, who says they sent it, and where its result goes."""

    credential: Any
    said: Said
    result: asyncio.Future[Judgement]


@dataclass(frozen=True, slots=True)
class Errand:
    """Any other piece of work, and where its result goes."""

    work: Callable[[Connection], Any]
    result: asyncio.Future[Any] | Future[Any]


class Writer:
    """A thread that writes to a ledger for all requests of a process."""

    def __init__(
        self, ledger: Ledger, who: Who, scheme_of: SchemeOf, edition: Edition, concealing: Concealing | None = None
    ) -> None:
        self._ledger, self._who, self._scheme_of, self._edition = ledger, who, scheme_of, edition
        self._concealing = concealing
        self._waiting: queue.SimpleQueue[Answer | Errand | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def answer(self, credential: Any, said: Said) -> asyncio.Future[Judgement]:
        """Put down an answer, from an event loop; the future has its judgement when it is safe."""
        result: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        self._waiting.put(Answer(credential, said, result))
        return result

    def errand(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Put down a piece of work, from an event loop; the future has its result when that is safe."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put(Errand(work, result))
        return result

    def do(self, work: Callable[[Connection], T]) -> T:
        """Do a piece of work in a transaction and wait until it is safe."""
        result: Future[T] = Future()
        self._waiting.put(Errand(work, result))
        return result.result()

    def close(self) -> None:
        """Finish what is waiting, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, last = [first], False
            self._let_come()
            with contextlib.suppress(queue.Empty):
                while len(group) < MOST_AT_ONCE:
                    following = self._waiting.get_nowait()
                    if following is None:
                        last = True
                        break
                    group.append(following)
            self._write(group)
            if last:
                return

    def _let_come(self) -> None:
        """Wait as long as more is coming in."""
        before = -1
        while before < (waiting := self._waiting.qsize()) < MOST_AT_ONCE:
            before = waiting
            time.sleep(A_MOMENT)

    def _write(self, group: list[Answer | Errand], tries: int = 1) -> None:
        """One transaction for all; the results are given out after it has been confirmed."""
        told: list[Told] = []
        try:
            with self._ledger.writing() as connection:
                told += self._judged(connection, [one for one in group if isinstance(one, Answer)])
                told += [(one.result, _done(connection, one)) for one in group if isinstance(one, Errand)]
        except BaseException as problem:  # noqa: BLE001 - whoever waits has to hear of it
            if len(group) > 1 or (isinstance(problem, LedgerError) and tries < MOST_TRIES):
                for one in group:  # nothing was written: each alone, so that one that fails takes no other with it
                    self._write([one], tries + 1)
                return
            told = [(one.result, problem) for one in group]
        _give_out(told)

    def _judged(self, connection: Connection, answers: list[Answer]) -> list[Told]:
        if not answers:
            return []
        people = self._who(connection, answers)
        known = [(one, name) for one, name in zip(answers, people, strict=True) if isinstance(name, str)]
        told: list[Told] = [
            (one.result, name) for one, name in zip(answers, people, strict=True) if isinstance(name, Refused)
        ]
        said = [(name, one.said) for one, name in known]
        results = judge(connection, said, self._scheme_of, self._edition, self._concealing)
        return told + [(one.result, result) for (one, _), result in zip(known, results, strict=True)]


def _done(connection: Connection, errand: Errand) -> Any:
    """The result of a piece of work, or the error that took back only what it did."""
    connection.exec_driver_sql("SAVEPOINT errand")  # by hand: the library would compile it anew each time
    try:
        result = errand.work(connection)
    except LedgerError:
        raise
    except OtherwordsError as problem:
        connection.exec_driver_sql("ROLLBACK TO SAVEPOINT errand")
        result = problem
    connection.exec_driver_sql("RELEASE SAVEPOINT errand")
    return result


def _give_out(told: list[Told]) -> None:
    """Give all their results; a loop that waits for several of them is woken once."""
    of_loops: dict[asyncio.AbstractEventLoop, list[Told]] = {}
    for future, result in told:
        if isinstance(future, asyncio.Future):
            of_loops.setdefault(future.get_loop(), []).append((future, result))
        else:
            _settle(future, result)
    for loop, results in of_loops.items():
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it whoever waited
            loop.call_soon_threadsafe(_settle_all, results)


def _settle_all(results: list[Told]) -> None:
    for future, result in results:
        if not future.done():  # whoever waited may have gone
            _settle(future, result)


def _settle(future: asyncio.Future[Any] | Future[Any], result: Any) -> None:
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)
