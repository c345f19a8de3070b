"""A running site delivers webhooks by itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.annotate.batch_plans.create import change_batch_state
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import create_project
from otherwords.web import app as app_module
from otherwords.web.app import make_app
from tests.processes import SECONDS
from tests.project.webhooks.test_webhooks import Listener, configure, listener

__all__ = ["listener"]  # a fixture


def test_a_site_tells_what_happens(tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "BETWEEN_DELIVERIES", 0.02)
    create_project(tmp_path / "corpus", "en", "turku")
    configure(tmp_path / "corpus", listener.url)
    app = make_app(tmp_path / "corpus")
    with TestClient(app):
        end, number = time.monotonic() + SECONDS, 0
        while not listener.heard:  # what happens before its first look is not told
            assert time.monotonic() < end
            with app.state.site.ledger.writing() as connection:
                insert_batch(connection, f"b{number}", [BatchItem("p1")], scheme="turku")
                change_batch_state(connection, f"b{number}", "closed")
            number += 1
            time.sleep(0.1)
    assert {event for event, _ in listener.events} == {"batch.closed"}
