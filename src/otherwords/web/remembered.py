"""Tables that take long to work out, kept for a while: twenty times as long as it took to make them.

So a small corpus is shown as it is this moment, and a large one costs the server no more than a twentieth of its time
however many people look. One request works a table out; others that come meanwhile wait for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
TIMES = 20


class Remembered:
    """Results by name."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, Any]] = {}
        self._locks: dict[str, threading.Lock] = {}

    def get(self, name: str, make: Callable[[], T]) -> T:
        """The result of that name, made anew where the one that is there is too old."""
        with self._locks.setdefault(name, threading.Lock()):
            begun = time.monotonic()
            until, known = self._known.get(name, (0.0, None))
            if begun < until:
                found: T = known
                return found
            made = make()
            now = time.monotonic()
            self._known[name] = (now + TIMES * (now - begun), made)
            return made
