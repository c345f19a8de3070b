"""One writer at a time, across processes; the lock ends with its holder."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from otherwords.project import lock
from otherwords.project.lock import NAME, holder, holding, is_held
from tests.errors import raises
from tests.processes import next_line
from tests.project.locks import hold_elsewhere, locker


def test_a_second_writer_learns_who_holds_the_lock(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path) as process:
        assert is_held(tmp_path)
        message = rf"in use by process {process.pid} on .* since 2.* \(otherwords .*\); wait for it .* --wait"
        with raises("project-in-use", match=message), holding(tmp_path):
            pass
    assert not is_held(tmp_path)
    with holding(tmp_path):
        assert is_held(tmp_path)


def test_the_lock_of_a_killed_process_is_released(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path) as process:
        process.kill()
    with holding(tmp_path):
        pass


def test_whoever_looks_at_the_lock_is_in_nobodys_way(tmp_path: Path) -> None:
    with holding(tmp_path):
        pass
    ended = threading.Event()

    def look() -> set[bool]:
        """Look at it all the time, as processes do that show a project."""
        seen = set()
        while not ended.is_set():
            seen.add(is_held(tmp_path))
        return seen

    with ThreadPoolExecutor(4) as threads:
        looks = [threads.submit(look) for _ in range(4)]
        assert not any(is_held(tmp_path) for _ in range(2000))
        seen_before = [look.done() for look in looks]
        for _ in range(20):
            with holding(tmp_path):
                assert is_held(tmp_path)
        ended.set()
    assert seen_before == [False] * 4


def test_a_waiting_process_gets_the_lock_afterwards(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with hold_elsewhere(tmp_path) as first:
            second = stack.enter_context(locker(tmp_path, "--wait"))
            assert f"process {first.pid} " in holder(tmp_path)
        assert next_line(second) == "held\n"
        assert f"process {second.pid} " in holder(tmp_path)


def test_a_damaged_lock_file(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    (tmp_path / NAME).write_text("{")
    assert holder(tmp_path) == "in use by another process"


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(lock.os, "open", refuse)
    with raises("folder-unwritable", match="Read-only file system"), holding(tmp_path):
        pass


def test_the_holder_may_take_the_lock_again(tmp_path: Path) -> None:
    with holding(tmp_path):
        with holding(tmp_path):
            assert is_held(tmp_path)
        assert is_held(tmp_path)
    assert not is_held(tmp_path)


def test_another_thread_of_the_same_process_is_refused(tmp_path: Path) -> None:
    with holding(tmp_path), ThreadPoolExecutor(1) as threads, raises("project-in-use"):
        threads.submit(lambda: holding(tmp_path).__enter__()).result()
