"""One writer at a time, across processes; the lock goes with its holder."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from otherwords.errors import ProjectError
from otherwords.project import lock
from otherwords.project.lock import NAME, holder, holding, is_held

HOLD = """
import sys
from pathlib import Path
from otherwords.project.lock import holding
with holding(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def another(folder: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until its standard input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_who_comes_second_is_told_who_holds_it(tmp_path: Path) -> None:
    process = another(tmp_path)
    try:
        assert is_held(tmp_path)
        said = rf"in use by process {process.pid} on .* since 2.* \(otherwords .*\); wait for it to end, or add --wait"
        with pytest.raises(ProjectError, match=said), holding(tmp_path):
            pass
    finally:
        process.communicate()
    assert not is_held(tmp_path)
    with holding(tmp_path):
        assert is_held(tmp_path)


def test_the_lock_of_a_killed_process_is_gone(tmp_path: Path) -> None:
    process = another(tmp_path)
    process.kill()
    process.communicate()
    with holding(tmp_path):
        pass


def test_who_waits_gets_it_afterwards(tmp_path: Path) -> None:
    first = another(tmp_path)
    code = HOLD.replace("holding(Path(sys.argv[1]))", "holding(Path(sys.argv[1]), wait=True)")
    second = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert f"process {first.pid} " in holder(tmp_path)
    first.communicate()
    assert second.stdout is not None
    assert second.stdout.readline() == "held\n"
    assert f"process {second.pid} " in holder(tmp_path)
    second.communicate()


def test_a_lock_that_tells_nothing(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    (tmp_path / NAME).write_text("{")
    assert holder(tmp_path) == "in use by another process"


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(lock.os, "open", refused)
    with pytest.raises(ProjectError, match="cannot be written to: Read-only file system"), holding(tmp_path):
        pass


def test_who_holds_it_may_ask_for_it_again(tmp_path: Path) -> None:
    with holding(tmp_path):
        with holding(tmp_path):
            assert is_held(tmp_path)
        assert is_held(tmp_path)
    assert not is_held(tmp_path)


def test_another_thread_of_the_same_process_is_another(tmp_path: Path) -> None:
    with holding(tmp_path), ThreadPoolExecutor(1) as threads, pytest.raises(ProjectError, match="in use by process"):
        threads.submit(lambda: holding(tmp_path).__enter__()).result()
