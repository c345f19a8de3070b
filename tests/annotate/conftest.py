"""Fixtures of the tests of annotation: a transaction of an empty project, and the handles of its hidden tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.project import Project
from tests.annotate.crowd_batch import with_known_key


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        yield connection


@pytest.fixture
def handles(folder: Path) -> SlotHandles:
    """Handles of a known key, so that chance is the same in every run."""
    return with_known_key(folder)
