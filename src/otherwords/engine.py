"""Apply a function to many shards, on the cores of this machine.

Results come in the order of the shards, so that one worker and many give the same bytes. Threads are for code that
releases the GIL (kernels, Arrow, databases), processes for code that does not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Literal, Protocol, TypeVar

Shard = TypeVar("Shard")
Result = TypeVar("Result")
Progress = Callable[[int, int | None], None]  # how many are done, and the total if it is known


class ShardEngine(Protocol):
    """Whatever applies a function to shards: the workers of this machine, or those of a cluster."""

    def map(self, function: Callable[[Shard], Result], shards: Iterable[Shard]) -> Iterator[Result]:
        """The results in the order of the shards."""
        ...


def cores() -> int:
    """The number of cores that this process may use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Engine:
    """Workers on this machine; ``jobs`` is their number, by default that of the cores."""

    jobs: int | None = None
    workers: Literal["threads", "processes"] = "threads"

    def map(self, function: Callable[[Shard], Result], shards: Iterable[Shard]) -> Iterator[Result]:
        """The results in the order of the shards, of which no more are read ahead than there are workers."""
        jobs = self.jobs or cores()
        if jobs == 1:
            yield from map(function, shards)
            return
        if self.workers == "threads":
            executor: Executor = ThreadPoolExecutor(jobs)
        else:
            executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
        with executor:
            pending: deque[Future[Result]] = deque()
            try:
                for shard in shards:
                    pending.append(executor.submit(function, shard))
                    if len(pending) > jobs:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            finally:
                for future in pending:
                    future.cancel()
