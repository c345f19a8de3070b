"""Mining on three nodes: the same bytes as here, though a worker and a node die; and a cluster that goes away."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from tests.processes import SECONDS, next_line, started

ROOT = Path(__file__).resolve().parent.parent.parent
needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra cluster is not installed")


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "tests.mining.on_cluster", *words]


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


def assert_same_files(folder: Path, expected: Path) -> None:
    """The same names first, then the same bytes, of which only the names are shown."""
    files, expected_files = content(folder), content(expected)
    assert list(files) == list(expected_files)
    assert [name for name, data in files.items() if data != expected_files[name]] == []


def until(stage: str, run: subprocess.Popen[str]) -> None:
    """Wait until a run says that a stage has begun."""
    while not (line := next_line(run)).startswith(stage):
        assert line, f"it has ended before: {run.stderr.read() if run.stderr else ''}"


@needs_ray
def test_three_nodes_give_the_bytes_of_one_machine(
    tmp_path: Path, sentences: Path, nodes: tuple[str, Callable[[str], None]]
) -> None:
    address, kill = nodes
    lines = sentences.read_text(encoding="utf-8").splitlines()
    sentences.write_text("\n".join(lines[:1_000] + lines[:200]) + "\n", encoding="utf-8")
    here, there, again = (str(tmp_path / name) for name in ("here", "there", "again"))
    subprocess.run(program("mine", str(sentences), here, "-"), cwd=ROOT, timeout=SECONDS, check=True)
    command = program("mine", str(sentences), there, address, "encode", "dying")
    with started(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as run:
        until("encode", run)
        kill("node")
        Path(f"{there}.go").touch()
        assert run.communicate(timeout=SECONDS)[0].splitlines()[-1].startswith("mine|")
    assert run.returncode == 0
    assert_same_files(Path(there), Path(here))
    deaths = {"_clean_and_write", "_make_shard", "encode_shard", "join_group", "write_part"}
    assert {path.stem for path in Path(f"{there}.deaths").iterdir()} >= deaths

    # The same cluster goes away in the middle of another run: a clear word, and what is finished is kept.
    command = program("mine", str(sentences), again, address, "neighbours")
    with started(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        until("neighbours", run)
        kill("head")
        Path(f"{again}.go").touch()
        talk = run.communicate(timeout=SECONDS)[1]
    assert run.returncode == 1
    assert "[cluster-lost]" in talk
    assert "goes on from there" in talk
    assert not (Path(again) / "pairs.parquet").exists()
    subprocess.run(program("mine", str(sentences), again, "-"), cwd=ROOT, timeout=SECONDS, check=True)
    assert_same_files(Path(again), Path(here))


@needs_ray
def test_no_cluster_there(tmp_path: Path, sentences: Path) -> None:
    done = subprocess.run(
        program("mine", str(sentences), str(tmp_path / "out"), "auto"),
        cwd=ROOT,
        timeout=SECONDS,
        capture_output=True,
        text=True,
        env={**os.environ, "RAY_TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, "[no-cluster]" in done.stderr) == (1, True)
    assert "ray start" in done.stderr


def test_the_scripts_of_the_guide_have_no_mistake_in_their_syntax() -> None:
    page = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    [script] = re.findall(r"^```bash\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    subprocess.run(["bash", "-n"], input=script, text=True, check=True, timeout=SECONDS)
    [manifest] = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert [part["kind"] for part in yaml.safe_load_all(manifest)] == ["Service", "StatefulSet", "Job"]
