"""Work that hashes a password has threads of its own, so that a crowd at the door does not keep others from working.

Hashing is slow on purpose. Whoever comes while two are at it waits without a thread; when too many wait, the next is
asked to come back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

from otherwords.errors import TooMany

T = TypeVar("T")
AT_ONCE = 2
MOST_WAITING = 200
SECONDS = 5
_door: RunVar[CapacityLimiter] = RunVar("door")


async def slowly(work: Callable[[], T]) -> T:
    """The result of work that hashes a password."""
    door = _door.get(None)
    if door is None:
        door = CapacityLimiter(AT_ONCE)
        _door.set(door)
    if door.statistics().tasks_waiting >= MOST_WAITING:
        raise TooMany("many people want to come in at this moment; try again in a few seconds", SECONDS)
    return await to_thread.run_sync(work, limiter=door)
