"""When sessions, links, tokens and waits end, by a clock that never goes back; what has expired is deleted every hour.

A clock that is set back would bring ended sessions back to life and make a wait of a minute last a day. One that is set
forward is followed. Expired sessions, counts of failed logins and old links are deleted when a server starts, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time as system
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete
from starlette.concurrency import run_in_threadpool

from otherwords.errors import OtherwordsError
from otherwords.project.ledger import schema

if TYPE_CHECKING:
    from otherwords.web.site import Site

HOUR = 3600.0
FORGOTTEN_AFTER = 86_400.0  # of counts of failed logins
LINKS_KEPT = 30 * 86_400.0  # so that somebody who opens an old link still learns that it has expired
_log = logging.getLogger(__name__)


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


def forget_expired(connection: Connection) -> dict[str, int]:
    """Delete expired sessions, counts of failed logins and links; how many of each, by table."""
    kept_seconds = {schema.sessions: 0.0, schema.sign_ins: 0.0}
    kept_seconds |= {schema.attempts: FORGOTTEN_AFTER, schema.invitations: LINKS_KEPT}
    moment = time()
    return {
        table.name: connection.execute(delete(table).where(table.c.until <= moment - seconds)).rowcount
        for table, seconds in kept_seconds.items()
    }


@contextlib.asynccontextmanager
async def hourly_expiry(site: Site) -> AsyncIterator[None]:
    """Delete what has expired now, and every hour until the block ends."""
    site.writer.do(forget_expired)
    task = asyncio.create_task(_every_hour(site))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _every_hour(site: Site) -> None:
    while True:
        await asyncio.sleep(HOUR)
        try:
            await run_in_threadpool(site.writer.do, forget_expired)
        except OtherwordsError as problem:  # tried again in an hour
            _log.warning("expired sessions and links could not be deleted: %s", problem)
