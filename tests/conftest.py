"""What every test may use: the fixtures of the repository and, where they are, the real corpora."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of small files written for the tests."""
    return ROOT / "tests" / "fixtures"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora; a test that needs it is skipped where it is not."""
    folder = Path(os.environ.get("OTHERWORDS_CORPORA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the real corpora are not here (set OTHERWORDS_CORPORA to their folder)")
    return folder
