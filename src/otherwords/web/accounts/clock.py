"""The time by which sessions, links, tokens and waits end. It never goes back while the process lives.

A clock that is set back would bring ended sessions back to life and make a wait of a minute last a day. One that is set
forward is followed.
"""

from __future__ import annotations

import threading
import time as system
from collections.abc import Callable


class SteadyClock:
    """Seconds since 1970 by the clock of the machine or, after that was set back, by the time that passed since."""

    def __init__(self, wall: Callable[[], float] = system.time, passed: Callable[[], float] = system.monotonic) -> None:
        self._wall, self._passed = wall, passed
        self._latest, self._at = wall(), passed()
        self._lock = threading.Lock()

    def __call__(self) -> float:
        with self._lock:
            before, self._at = self._at, self._passed()
            self._latest = max(self._latest + self._at - before, self._wall())
            return self._latest


time = SteadyClock()
