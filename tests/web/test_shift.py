"""The short form of ``python -m bench annotators``: fifty annotators for some seconds, faster than people are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from tests.processes import SECONDS
from tests.serving import site_with
from tests.web.load import TIMES_ASKED, fill, log_in
from tests.web.shift import Pace, Shift

PEOPLE = [f"a{number}" for number in range(50)]
PACE = Pace(answer=1.0, hurried=0.4, burst_every=2.0, burst=0.5, backup_every=1.0)


@pytest.mark.parametrize(("kind", "workers"), [("sqlite", 1), ("postgresql", 2)])
def test_a_shift(kind: str, workers: int, tmp_path: Path, databases: Callable[[str], str]) -> None:
    """Every acknowledged answer is stored once, and a backup restored meanwhile has all that was before it."""
    folder = tmp_path / "corpus"
    create_project(folder, "en", "turku", databases(kind))
    with open_project(folder) as project:
        fill(project, 800, TIMES_ASKED, dict.fromkeys(PEOPLE, "annotator"))
        logins = log_in(project, PEOPLE)
    shift = Shift(site_with(folder, workers), 3.0, PACE, tmp_path, least=3 * len(PEOPLE))
    shift.served.start()
    try:
        with ThreadPoolExecutor(1) as thread:  # a browser that another test opened keeps a loop in this one
            thread.submit(shift.work, logins, SECONDS).result(2 * SECONDS)
    finally:
        shift.served.kill()
    assert shift.twice
    assert all(before for before, _ in shift.backups)
    assert all(shift.check_backups())
