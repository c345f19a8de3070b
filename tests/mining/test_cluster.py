"""Mining on three nodes: the same bytes as here, though a worker and a node die; and a cluster that goes away."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes import SECONDS, next_line, started

ROOT = Path(__file__).resolve().parent.parent.parent
WORDS = ("the old boat", "a quiet harbour", "her brother", "the last train", "some bread", "the wooden bridge")
DEEDS = ("waits for", "belongs to", "was older than", "looked like", "stood beside", "is not worth")

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra cluster is not installed")


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "tests.mining.on_cluster", *words]


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    names = [
        f"{first}{last}" for first in ("Mar", "Lou", "Ted", "Kim", "Sal") for last in ("a", "en", "ina", "o", "us")
    ]
    lines = [f"{name} says {one} {deed} {two}." for name in names for one in WORDS for deed in DEEDS for two in WORDS]
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(lines[:3_000] + lines[:500]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def nodes() -> Iterator[tuple[str, Callable[[str], None]]]:
    """The address of a cluster, and how to kill a part of it."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with started(program("nodes"), cwd=ROOT, text=True, **pipes) as process:
        address = next_line(process).strip()

        def kill(what: str) -> None:
            process.stdin.write(f"{what}\n")
            process.stdin.flush()
            assert next_line(process).strip() == "killed"

        yield address, kill
        process.stdin.close()
        process.wait(SECONDS)


def content(folder: Path) -> dict[str, bytes]:
    """The files of a run, but for what it took."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "mine.json" and path != folder / "pool" / "plan.json"
    }


@needs_ray
def test_three_nodes_give_the_bytes_of_one_machine(
    tmp_path: Path, sentences: Path, nodes: tuple[str, Callable[[str], None]]
) -> None:
    address, kill = nodes
    done = subprocess.run(program("mine", str(sentences), str(tmp_path / "here"), "-"), cwd=ROOT, timeout=SECONDS)
    assert done.returncode == 0
    command = program("mine", str(sentences), str(tmp_path / "there"), address)
    with started(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as run:
        kill("worker")
        while not next_line(run).startswith("encode"):
            pass
        kill("node")
        assert run.communicate(timeout=SECONDS)[0].splitlines()[-1].startswith("mine|")
        assert run.returncode == 0
    assert content(tmp_path / "there") == content(tmp_path / "here")

    # The same cluster goes away in the middle of another run: a clear word, and what is finished is kept.
    again = tmp_path / "again"
    command = program("mine", str(sentences), str(again), address, str(tmp_path / "go"))
    with started(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        while not next_line(run).startswith("neighbours"):
            pass
        kill("head")
        (tmp_path / "go").touch()
        talk = run.communicate(timeout=SECONDS)[1]
        assert run.returncode == 1
    assert "[cluster-lost]" in talk
    assert "goes on from there" in talk
    assert not (again / "pairs.parquet").exists()
    done = subprocess.run(program("mine", str(sentences), str(again), "-"), cwd=ROOT, timeout=SECONDS)
    assert done.returncode == 0
    assert content(again) == content(tmp_path / "here")
