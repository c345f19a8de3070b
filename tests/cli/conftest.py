"""The command line in an empty folder: in this process, or in one of its own where that makes a difference."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import Done, otherwords
from tests.processes import SECONDS

Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``otherwords`` in an empty folder."""
    return partial(otherwords, cwd=tmp_path)


@pytest.fixture
def run_process(tmp_path: Path) -> Run:
    """The same in a process of its own."""

    def start(*arguments: object) -> Done:
        command = [sys.executable, "-m", "otherwords", *map(str, arguments)]
        options = {"capture_output": True, "text": True, "check": False}
        return subprocess.run(command, cwd=tmp_path, timeout=SECONDS, **options)  # type: ignore[call-overload, no-any-return]

    return start


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that draws figures is not installed."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "altair" else find(name))
