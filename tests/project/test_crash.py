"""Killed at any moment, an import and a run lose nothing and double nothing, and a rerun finishes."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import create, opened
from otherwords.project.recipe import Step
from otherwords.project.run import plan
from tests.project import crash

SPARE = 1.3  # some kills are meant for the moment after the end
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.project.crash"])


def begun(project: Path, paths: list[Path]) -> Any:
    process = PROCESSES.Process(target=crash.work, args=(str(project), [str(path) for path in paths]))
    process.start()
    return process


def finished(project: Path, paths: list[Path]) -> float:
    """Let it work to its end; how long that took."""
    start = time.perf_counter()
    process = begun(project, paths)
    process.join()
    assert process.exitcode == 0
    return time.perf_counter() - start


def kill_at_random(kills: int, tmp_path: Path, new_database: Callable[[], str]) -> int:
    """Kill again and again, each time at another moment; how often the work was done in between."""
    paths = crash.write_corpus(tmp_path)
    create(tmp_path / "undisturbed", "en", None, new_database())
    finished(tmp_path / "undisturbed", paths)  # the first takes longer, for the loading of modules
    create(tmp_path / "timed", "en", None, new_database())
    most = finished(tmp_path / "timed", paths) * SPARE
    wanted = crash.outcome(tmp_path / "undisturbed")
    assert len(wanted["pairs"]) == crash.FILES * crash.TEXTS // 2
    chance = random.Random(kills)
    killed = ended = 0
    while killed < kills:
        project = tmp_path / f"disturbed{ended}"
        if not project.exists():
            create(project, "en", None, new_database())
        process = begun(project, paths)
        process.join(timeout=chance.uniform(0, most))
        if process.is_alive():
            process.kill()
            process.join()
            killed += 1
        if killed == kills or process.exitcode == 0:
            finished(project, paths)
            assert crash.outcome(project) == wanted
            ended += 1
    return ended


def test_killed_at_random_moments(tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    assert kill_at_random(5, tmp_path, lambda: databases(kind)) >= 1


@pytest.mark.soak
def test_killed_a_hundred_times(tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    assert kill_at_random(100, tmp_path, lambda: databases(kind)) >= 1


def test_two_at_once_wait_for_each_other(folder: Path, tmp_path: Path) -> None:
    paths = crash.write_corpus(tmp_path)
    both = [begun(folder, paths), begun(folder, paths)]
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    with crash.known(), opened(folder) as project:
        step = Step("neighbours", crash.NEIGHBOURS, crash.WORK.checked({}))
        assert plan(project, step).state == "done"
    told = crash.outcome(folder)
    assert len(told["steps"]) == 2
    assert len(told["pairs"]) == crash.FILES * crash.TEXTS // 2
