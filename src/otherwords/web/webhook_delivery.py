"""Webhooks of a running site: every few seconds one of its processes looks for what is new, and tells it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from otherwords.errors import OtherwordsError
from otherwords.project.webhooks.deliver import deliver_due
from otherwords.project.webhooks.settings import read_webhooks
from otherwords.web.site import Site

SECONDS = 5.0
_log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def webhook_delivery(site: Site) -> AsyncIterator[None]:
    """Deliver until the block ends, if the project has webhooks."""
    settings = read_webhooks(site.project.folder)
    if settings is None:
        yield
        return

    async def forever() -> None:
        while True:
            try:
                await run_in_threadpool(deliver_due, site.project, *settings)
            except (OtherwordsError, OSError) as problem:  # tried again in a moment
                _log.warning("webhooks could not be delivered: %s", problem)
            await asyncio.sleep(SECONDS)

    task = asyncio.create_task(forever())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
