"""Killed at any moment, an import and a run lose nothing and double nothing, and a rerun finishes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import create_project, open_project
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.plan import plan
from tests.processes import FORKS, join_all, long_form
from tests.project import crash

SPARE = 1.3  # some kills are meant for the moment after the end


def start_work(project: Path, paths: list[Path]) -> Any:
    process = FORKS.Process(target=crash.work, args=(str(project), [str(path) for path in paths]))
    process.start()
    return process


def finish_work(project: Path, paths: list[Path]) -> float:
    """Let it work to its end; how long that took."""
    start = time.perf_counter()
    process = start_work(project, paths)
    join_all([process])
    assert process.exitcode == 0
    return time.perf_counter() - start


def kill_at_random(kills: int, tmp_path: Path, new_database: Callable[[], str]) -> int:
    """Kill again and again, each time at another moment; how often the work was done in between."""
    paths = crash.write_corpus(tmp_path)
    create_project(tmp_path / "undisturbed", "en", None, new_database())
    most = finish_work(tmp_path / "undisturbed", paths) * SPARE
    wanted = crash.outcome(tmp_path / "undisturbed")
    assert len(wanted["pairs"]) == crash.FILES * crash.TEXTS // 2
    chance = random.Random(kills)
    killed = ended = 0
    while killed < kills:
        project = tmp_path / f"disturbed{ended}"
        if not project.exists():
            create_project(project, "en", None, new_database())
        process = start_work(project, paths)
        process.join(timeout=chance.uniform(0, most))
        if process.is_alive():
            process.kill()
            join_all([process])
            killed += 1
        if killed == kills or process.exitcode == 0:
            finish_work(project, paths)
            assert crash.outcome(project) == wanted
            ended += 1
    return ended


def test_killed_at_random_moments(tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    assert kill_at_random(3, tmp_path, lambda: databases(kind)) >= 1


@pytest.mark.soak
def test_killed_again_and_again(tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    assert kill_at_random(long_form(150), tmp_path, lambda: databases(kind)) >= 1


def test_two_at_once_wait_for_each_other(folder: Path, tmp_path: Path) -> None:
    paths = crash.write_corpus(tmp_path)
    both = [start_work(folder, paths), start_work(folder, paths)]
    join_all(both)
    assert [process.exitcode for process in both] == [0, 0]
    with crash.known(), open_project(folder) as project:
        step = make_step(crash.KIND, "neighbours")
        assert plan(project, step).state == "done"
    state = crash.outcome(folder)
    assert len(state["steps"]) == 2
    assert len(state["pairs"]) == crash.FILES * crash.TEXTS // 2
