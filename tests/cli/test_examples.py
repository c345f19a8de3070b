"""``otherwords examples``: a copy of what ships, and never over something else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from otherwords.demo.build import SHIPPED, copy_examples
from tests.cli.conftest import Run


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("arguments", "name"), [([], "examples"), (["deep/copy"], "deep/copy")])
def test_everything_is_copied(run: Run, tmp_path: Path, arguments: list[str], name: str) -> None:
    done = run("examples", *arguments)
    assert (done.returncode, done.stdout) == (0, f"{name}\n"), done.stderr
    assert contents(tmp_path / name) == contents(SHIPPED)
    assert f"{name}/README.md" in done.stderr


def test_what_ships_is_there() -> None:
    shipped = contents(SHIPPED)
    assert {"README.md", "pairs.jsonl", "types.xml"} <= set(shipped)
    assert {name.split("/")[0] for name in shipped} >= {"sources", "judgements", "crowd", "fi", "ru", "ja", "es", "ar"}


def test_json(run: Run, tmp_path: Path) -> None:
    names = json.loads(run("examples", "here", "--json").stdout)
    assert [tmp_path / name for name in names] == sorted(p for p in (tmp_path / "here").rglob("*") if p.is_file())


def test_a_folder_with_files_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "notes.txt").write_text("notes")
    done = run("examples")
    assert done.returncode == 1
    assert "examples: " in done.stderr
    assert contents(tmp_path) == {"examples/notes.txt": b"notes"}


def test_a_file_of_that_name_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "examples").write_text("notes")
    assert run("examples").returncode == 1
    assert contents(tmp_path) == {"examples": b"notes"}


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert copy_examples(tmp_path / "new")[0].is_file()


def test_copies_may_be_changed_though_the_originals_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shipped").mkdir()
    (tmp_path / "shipped" / "a.txt").write_text("a")
    (tmp_path / "shipped" / "a.txt").chmod(0o444)
    monkeypatch.setattr(sys.modules[copy_examples.__module__], "SHIPPED", tmp_path / "shipped")
    [copy] = copy_examples(tmp_path / "copies")
    assert copy.stat().st_mode & 0o200
