"""A server that runs for months forgets what has expired, at its start and every hour."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from otherwords.errors import OtherwordsError
from otherwords.web.forgetting import forget_expired
from otherwords.web.site import Site

HOUR = 3600.0
_log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def tidied(site: Site) -> AsyncIterator[None]:
    """Keep a site tidy as long as the block lasts."""
    site.writer.do(forget_expired)
    hourly = asyncio.create_task(_every_hour(site))
    try:
        yield
    finally:
        hourly.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hourly


async def _every_hour(site: Site) -> None:
    while True:
        await asyncio.sleep(HOUR)
        try:
            await run_in_threadpool(site.writer.do, forget_expired)
        except OtherwordsError as problem:  # the next hour comes
            _log.warning("what has expired could not be forgotten: %s", problem)
