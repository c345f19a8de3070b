"""The short form of ``python -m bench pages``: every page and its twins, with very many pairs."""

from __future__ import annotations

import time
from pathlib import Path

from starlette.testclient import TestClient

from otherwords.project import open_project
from otherwords.web.app import make_app
from tests.web.large import fill_large, pages
from tests.web.people import logged_in

PAIRS = 20_000
SECONDS = 1.0  # of the processor, for one page; all rows of a table at once would take longer than that
MEGABYTES = 2.0  # of an answer that is not an export


def test_every_page_is_bounded(folder: Path) -> None:
    with open_project(folder) as project:
        fill_large(project, PAIRS)
    with TestClient(make_app(folder), follow_redirects=False) as client:
        ada = logged_in(client, "ada")
        statuses = {}
        for page in pages():
            start = time.process_time()
            answer = ada.get(page)
            took, size = time.process_time() - start, len(answer.content) / 1e6
            statuses[page] = answer.status_code
            assert answer.status_code < 500, (page, answer.text[:300])
            if "/export/" not in page:
                assert took < SECONDS, f"{page} took {took:.1f} s of the processor"
                assert size < MEGABYTES, f"{page} has {size:.1f} MB"
        ordinary = [page for page, status in statuses.items() if status == 200]
        assert len(ordinary) > 50, statuses
