"""Searches for the nearest sentences that a site has open: opened in a thread when they are first needed.

To load an encoder takes seconds, and to encode a corpus minutes; the request that needs it waits for a moment, then
says how far it is. A search that is out of date, after a new pair or a withdrawal, is opened again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from otherwords.engine import Progress
from otherwords.errors import TooMany

if TYPE_CHECKING:
    from otherwords.mining.encode import PoolEncoder

T = TypeVar("T")
PATIENCE = 0.8  # seconds that a request waits for a search to be opened
MOST_SEARCHES, WINDOW = 60, 60.0  # of a person, in so many seconds


@dataclass(slots=True)
class Opening(Generic[T]):
    """A search that is open or being opened, with how far that is."""

    done: int = 0
    total: int | None = None
    result: T | None = None
    problem: BaseException | None = None
    finished: threading.Event = field(default_factory=threading.Event)

    def progress(self, done: int, total: int | None) -> None:
        self.done, self.total = done, total


class Searches:
    """The searches of a site by name, and how often everybody searched."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._openings: dict[str, Opening[Any]] = {}
        self._encoders: dict[str, PoolEncoder | None] = {}
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def get(self, name: str, open_search: Callable[[Progress], T], is_current: Callable[[T], bool]) -> Opening[T]:
        """The search of that name, which may still be opening; why it cannot be opened is raised once."""
        with self._lock:
            opening = self._openings.get(name)
        stale = opening is not None and opening.result is not None and not is_current(opening.result)
        with self._lock:
            if self._openings.get(name) is None or (stale and self._openings[name] is opening):
                opening = self._openings[name] = Opening()
                work = (opening, open_search)
                threading.Thread(target=_open, args=work, name=f"search {name}", daemon=True).start()
            opening = self._openings[name]
        opening.finished.wait(self._patience)
        if opening.problem is not None:
            with self._lock:
                if self._openings.get(name) is opening:  # the next request tries again
                    del self._openings[name]
            raise opening.problem
        return opening

    def encoder(self, name: str, make: Callable[[], PoolEncoder | None]) -> PoolEncoder | None:
        """An encoder that stays loaded when its search is opened again."""
        if name not in self._encoders:
            self._encoders[name] = make()
        return self._encoders[name]

    def count(self, person: str) -> None:
        """Count a search of somebody; too many within a minute are refused."""
        moment = time.monotonic()
        with self._lock:
            times = self._times.setdefault(person, deque())
            while times and times[0] <= moment - WINDOW:
                times.popleft()
            if len(times) >= MOST_SEARCHES:
                seconds = max(1, round(times[0] + WINDOW - moment))
                reason = f"at most {MOST_SEARCHES} searches a minute; try again in {seconds} seconds"
                raise TooMany(reason, seconds, code="too-many-searches")
            times.append(moment)


def _open(opening: Opening[T], open_search: Callable[[Progress], T]) -> None:
    try:
        opening.result = open_search(opening.progress)
    except BaseException as problem:  # noqa: BLE001 - raised where the search is asked for
        opening.problem = problem
    finally:
        opening.finished.set()
