"""The short form of ``python -m bench pages``: every page and its twins, with very many pairs.

How long a page takes is for the bench. Here the rows are counted that a page reads from the ledger: one that reads all
of them would take minutes with a million pairs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine.cursor import CursorFetchStrategy
from starlette.testclient import TestClient

from otherwords.project import open_project, search
from otherwords.web.app import make_app
from otherwords.web.server import bind
from tests.processes import SECONDS
from tests.web.large import fill_large, pages
from tests.web.people import logged_in

PAIRS = 20_000
ROWS = PAIRS // 2  # the judgements of a batch are read by pages that measure its agreement, and kept in a cache
TO_START = 100  # rows that a site reads before it answers
MEGABYTES = 2.0  # of an answer that is not an export
LOOK_THROUGH = (  # pages that look through all pairs, up to a limit
    "/batches/new",  # counts what a batch would have, for a second
    "/mining",  # makes tiles of a small project, otherwise it names the command
)


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many rows have come from a ledger since this was asked before."""
    count = 0

    def counted(fetch: Callable[..., Any]) -> Callable[..., Any]:
        def fetched(*given: Any, **options: Any) -> Any:
            nonlocal count
            rows = fetch(*given, **options)
            if not _completes_the_index(threading.current_thread()):
                count += len(rows) if isinstance(rows, list) else rows is not None
            return rows

        return fetched

    def read() -> int:
        nonlocal count
        now, count = count, 0
        return now

    for name in ("fetchone", "fetchmany", "fetchall"):
        monkeypatch.setattr(CursorFetchStrategy, name, counted(getattr(CursorFetchStrategy, name)))
    return read


def _completes_the_index(thread: threading.Thread) -> bool:
    """Whether a thread reads all pairs, once for all pages."""
    return thread.name.startswith("search ")


def test_every_page_is_bounded(folder: Path, rows_read: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "A_PART", ROWS // 2)  # as much smaller than the project as it is with a million pairs
    with open_project(folder) as project:
        fill_large(project, PAIRS)
    rows_read()
    bind(folder, "127.0.0.1", 0).sock.close()
    with TestClient(make_app(folder), follow_redirects=False) as client:
        assert rows_read() < TO_START
        ada = logged_in(client, "ada")
        statuses = {}
        for page in pages():
            rows_read()
            answer = ada.get(page)
            rows, size = rows_read(), len(answer.content) / 1e6
            statuses[page] = answer.status_code
            assert answer.status_code < 500, (page, answer.text[:300])
            if "/export/" not in page:
                assert rows <= ROWS or page.startswith(LOOK_THROUGH), f"{page} read {rows:,} rows"
                assert size < MEGABYTES, f"{page} has {size:.1f} MB"
        ordinary = [page for page, status in statuses.items() if status == 200]
        assert len(ordinary) > 50, statuses
        for thread in filter(_completes_the_index, threading.enumerate()):
            thread.join(SECONDS)
    rows_read()
    with open_project(folder) as project, project.ledger.reading() as connection:
        connection.exec_driver_sql("SELECT id FROM pairs").all()
    assert rows_read() >= PAIRS  # it does count
