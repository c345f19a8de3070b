"""Build the guide as ``make docs`` does, into another folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.processes import SECONDS
from tests.shared_folders import shared_folder


def build_guide(out: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run mkdocs on the configuration in a folder. A warning makes it fail, because the configuration is strict."""
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--config-file",
        str(root / "mkdocs.yml"),
        "--site-dir",
        str(out),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)


def built_guide(factory: pytest.TempPathFactory) -> Path:
    """The guide of the repository, built once in a run."""

    def fill(folder: Path) -> None:
        done = build_guide(folder / "docs")
        assert done.returncode == 0, done.stderr

    return shared_folder(factory, "guide", fill) / "docs"
