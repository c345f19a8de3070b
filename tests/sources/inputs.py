"""The fixtures of the pair formats, as inputs for tests that hold for all of them."""

from __future__ import annotations

from pathlib import Path

from otherwords.sources.formats import FORMATS
from tests.conftest import ROOT

OURS = ("parquet", "jsonl", "csv", "tsv")  # without fixtures; tests write them from the records of other formats
FIXTURES = ROOT / "tests" / "fixtures"


def inputs() -> list[tuple[str, Path]]:
    """Format and path of each input: a file or folder directly under the folder of its format."""
    return [(name, path) for name in FORMATS if name not in OURS for path in sorted((FIXTURES / name).glob("*"))]


def input_name(case: tuple[str, Path]) -> str:
    return f"{case[0]}/{case[1].name}"
