"""What the tests of annotating share: a transaction of an empty project, and what conceals its tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from otherwords.annotate.concealing import Concealing
from otherwords.project import Project


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        yield connection


@pytest.fixture
def of(folder: Path) -> Concealing:
    return Concealing(folder)
