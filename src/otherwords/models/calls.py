"""Calls to a backend: as many at a time as it allows, each with a time limit, a failed one again in halves.

Batches go in; each comes out once, as soon as it is done, with the replies of the backend or with what went wrong. One
bad text costs its own answer and not those of its neighbours.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from otherwords.errors import OtherwordsError
from otherwords.models.edges import Edge, Item, RemoteEdge, Reply

Value = TypeVar("Value")
Call = Callable[[Sequence[Item]], Iterable[Reply[Value]]]
Batch = Sequence[Item]
SECONDS_PER_CALL = 120.0


class BackendFailed(OtherwordsError):
    """A backend that could not answer a call: it died, it answered nonsense, it cannot be reached."""


class BackendStopped(BackendFailed):
    """A backend that answers nothing more in this run: its budget is used up, its key is refused."""


class Calls(Generic[Value]):
    """The calls for many batches. ``seconds`` is how long to wait until one of those that are under way has ended."""

    def __init__(self, edge: Edge, call: Call[Value], batches: Iterable[Batch], seconds: float | None = None) -> None:
        remote = edge if isinstance(edge, RemoteEdge) else None
        self.stopped: BackendStopped | None = None
        self._edge, self._call = edge, call
        self._at_once = max(1, remote.at_once) if remote else 1
        self._seconds = seconds or (remote.seconds_per_call if remote else SECONDS_PER_CALL)
        self._batches, self._halves = iter(batches), deque[Batch]()
        self._running: dict[int, Batch] = {}
        self._outcomes: SimpleQueue[tuple[int, list[Reply[Value]] | BaseException]] = SimpleQueue()
        self._numbers = itertools.count()

    def finished(self) -> Iterator[tuple[Batch, list[Reply[Value]] | BackendFailed]]:
        """The batches, each as soon as it is done, with its replies or with the reason why there are none."""
        self._start()
        while self._running:
            try:
                number, outcome = self._outcomes.get(timeout=self._seconds)
            except Empty:
                yield from self._given_up()
            else:
                if number in self._running:  # and has not been given up before
                    yield from self._ended(self._running.pop(number), outcome)
            self._start()
        if self.stopped is not None:
            for batch in itertools.chain(self._halves, self._batches):
                yield batch, self.stopped

    def done_by_now(self) -> Iterator[tuple[Batch, list[Reply[Value]]]]:
        """Batches that are done and have not come out of ``finished``, for somebody who wants no more."""
        while not self._outcomes.empty():
            number, outcome = self._outcomes.get()
            if number in self._running and isinstance(outcome, list):
                yield self._running.pop(number), outcome

    def _start(self) -> None:
        while len(self._running) < self._at_once and self.stopped is None:
            batch = self._halves.popleft() if self._halves else next(self._batches, None)
            if batch is None:
                return
            number = next(self._numbers)
            self._running[number] = batch
            # a daemon, because a backend that hangs must not keep the process from ending
            name = f"call {number} to {self._edge.name}"
            threading.Thread(target=self._run, args=(number, batch), name=name, daemon=True).start()

    def _run(self, number: int, batch: Batch) -> None:
        most = 10 * len(batch) + 100  # of a backend that answers without end, the rest is of no interest
        try:
            self._outcomes.put((number, list(itertools.islice(self._call(batch), most))))
        except BaseException as problem:  # noqa: BLE001 - whoever waits has to know of it
            self._outcomes.put((number, problem))

    def _given_up(self) -> Iterator[tuple[Batch, list[Reply[Value]] | BackendFailed]]:
        """What follows if nothing has ended in time: the backend is closed, and starts anew."""
        batches = list(self._running.values())
        self._running.clear()
        problem = BackendFailed(f"no answer within {self._seconds:g} seconds", code="backend-timeout")
        for batch in batches:
            yield from self._ended(batch, problem)

    def _ended(
        self, batch: Batch, outcome: list[Reply[Value]] | BaseException
    ) -> Iterator[tuple[Batch, list[Reply[Value]] | BackendFailed]]:
        if isinstance(outcome, list):
            yield batch, outcome
        elif isinstance(outcome, BackendStopped):
            self.stopped = self.stopped or outcome
            yield batch, self.stopped
        elif isinstance(outcome, BackendFailed):
            self._edge.close()
            if len(batch) == 1:
                yield batch, outcome
            else:
                half = len(batch) // 2
                self._halves.extendleft([batch[half:], batch[:half]])
        else:
            raise outcome
