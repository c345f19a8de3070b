"""Deletes what has expired, when a server starts and every hour: sessions, counts of failed logins, old links."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from sqlalchemy import Connection, delete
from starlette.concurrency import run_in_threadpool

from otherwords.errors import OtherwordsError
from otherwords.project.ledger import schema
from otherwords.web.accounts.clock import time
from otherwords.web.accounts.login_backoff import FORGOTTEN_AFTER
from otherwords.web.site import Site

HOUR = 3600.0
LINKS_KEPT = 30 * 86_400.0  # so that somebody who opens an old link still learns that it has expired
_log = logging.getLogger(__name__)


def forget_expired(connection: Connection) -> dict[str, int]:
    """Delete expired sessions, counts of failed logins and links; how many of each, by table."""
    kept_seconds = {schema.sessions: 0.0, schema.attempts: FORGOTTEN_AFTER, schema.invitations: LINKS_KEPT}
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
