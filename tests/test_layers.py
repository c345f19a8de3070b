"""The house has one direction: a room imports only from the rooms above it, and folders of a room not from each other.

What a registry names is imported as well, only later; so its targets count like imports.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.processes import SECONDS
from tests.rooms import ROOMS

SRC = Path(__file__).resolve().parent.parent / "src" / "otherwords"
MODULES = sorted(SRC.rglob("*.py"))
HEAVY = ("numpy", "pyarrow", "rich", "torch", "simplemma", "rapidfuzz", "msgspec", "vl_convert", "fugashi")
TARGET = re.compile(r"otherwords(?:\.\w+)+(?=:)")  # as registries spell it


def module_name(path: Path) -> str:
    """The dotted name of a module, without that of the package."""
    return ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a module imports or names as targets of a registry, without the name of the package."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("otherwords.") for alias in node.names if "otherwords." in alias.name)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the room"
            if (node.module or "").partition(".")[0] == "otherwords":
                yield from _imported_from(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (target.removeprefix("otherwords.") for target in TARGET.findall(node.value))


def _imported_from(node: ast.ImportFrom) -> Iterator[str]:
    package = (node.module or "").removeprefix("otherwords").removeprefix(".")
    for alias in node.names:
        whole = f"{package}.{alias.name}".removeprefix(".")
        is_module = (SRC / whole.replace(".", "/")).is_dir() or (SRC / f"{whole.replace('.', '/')}.py").is_file()
        if is_module or whole == "_kernels":
            yield whole
        elif package:
            yield package


def folder_of(module: str) -> tuple[str, str]:
    """The room of a module, and the folder of that room in which it is; a module of the room itself is in none."""
    room, _, rest = module.partition(".")
    folder = rest.partition(".")[0]
    return room, folder if folder and (SRC / room / folder).is_dir() else ""


def test_a_room_imports_only_from_rooms_above_it() -> None:
    wrong = []
    for path in MODULES:
        room = module_name(path).partition(".")[0]
        if room in ("", "__init__", "__main__"):
            continue  # the package itself hands out what is public
        above = ROOMS[: ROOMS.index(room) + 1]
        wrong += [f"{path.relative_to(SRC)}: {name}" for name in imported(path) if name.partition(".")[0] not in above]
    assert not wrong, "these import from rooms below their own"


def test_folders_of_a_room_do_not_import_each_other() -> None:
    graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in MODULES:
        room, folder = folder_of(module_name(path))
        for other in imported(path):
            other_room, other_folder = folder_of(other)
            if room == other_room and folder and other_folder and folder != other_folder:
                graphs[room][folder].add(other_folder)
    for room, graph in graphs.items():
        try:
            list(TopologicalSorter(graph).static_order())
        except CycleError as problem:
            pytest.fail(f"{room}: {' → '.join(problem.args[1])}")


@pytest.mark.parametrize("module", ["otherwords", "otherwords.cli"])
def test_importing_is_cheap(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(name for name in sys.modules if '.' not in name))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom otherwords.cli import cli\n"
        "assert CliRunner().invoke(cli, ['--help']).exit_code == 0\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)
