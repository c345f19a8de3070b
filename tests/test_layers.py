"""The house has one direction: a room imports only from the rooms above it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src" / "otherwords"
ROOMS = (
    "errors",
    "records",
    "labels",
    "registry",
    "_kernels",
    "text",
    "measures",
    "sources",
    "align",
    "models",
    "mining",
    "acquire",
    "project",
    "annotate",
    "corpus",
    "analyse",
    "web",
    "simulate",
    "cli",
)
HEAVY = ("numpy", "pyarrow", "rich", "torch", "simplemma", "rapidfuzz", "msgspec", "vl_convert", "fugashi")


def room_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the room"
            names = [node.module or ""]
            if node.module == "otherwords":
                names = [f"otherwords.{alias.name}" for alias in node.names if not alias.name.startswith("__")]
        for name in names:
            if name.startswith("otherwords."):
                yield name.split(".")[1]


@pytest.mark.parametrize("path", sorted(SRC.rglob("*.py")), ids=lambda path: str(path.relative_to(SRC)))
def test_a_room_imports_only_from_rooms_above_it(path: Path) -> None:
    room = room_of(path)
    if room in ("__init__", "__main__"):
        assert set(imported_rooms(path)) <= {"cli"}
        return
    place = ROOMS.index(room)
    for other in imported_rooms(path):
        assert ROOMS.index(other) <= place, f"{room} imports from {other}, which comes after it"


@pytest.mark.parametrize("module", ["otherwords", "otherwords.cli"])
def test_importing_is_cheap(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(name for name in sys.modules if '.' not in name))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(HEAVY) & set(loaded)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom otherwords.cli import cli\n"
        "assert CliRunner().invoke(cli, ['--help']).exit_code == 0\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(HEAVY) & set(loaded)
