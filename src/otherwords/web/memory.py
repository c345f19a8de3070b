"""The memory that a server keeps: the C library has each thread free what it needed into an arena of its own.

By default there are up to eight arenas a core. Each keeps about as much as the largest request that its thread ever
answered, so that a site with many threads grows for hours although nothing in it does. Python runs one thread at a
time, so two arenas are enough.
"""

from __future__ import annotations

import contextlib
import ctypes

ARENAS = 2
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h


def limit_arenas() -> None:
    """Let threads that begin from now on share arenas, where the C library is one that can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, ARENAS)
