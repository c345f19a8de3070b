"""What tests of mining share."""

from __future__ import annotations

from pathlib import Path

import pytest

WORDS = ("the old boat", "a quiet harbour", "her brother", "the last train", "some bread", "the wooden bridge")
DEEDS = ("waits for", "belongs to", "was older than", "looked like", "stood beside", "is not worth")


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    """A file of some thousand sentences, some of them twice."""
    names = [
        f"{first}{last}" for first in ("Mar", "Lou", "Ted", "Kim", "Sal") for last in ("a", "en", "ina", "o", "us")
    ]
    lines = [f"{name} says {one} {deed} {two}." for name in names for one in WORDS for deed in DEEDS for two in WORDS]
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(lines[:3_000] + lines[:500]) + "\n", encoding="utf-8")
    return path
