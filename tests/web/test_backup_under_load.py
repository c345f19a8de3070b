"""A backup that is made while two processes save answers is one moment of the project: nothing is half in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import select

from otherwords.project import create_project, open_project
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from otherwords.project.ledger import schema
from tests.processes import SECONDS
from tests.serving import Served
from tests.web.acknowledged import check
from tests.web.load import TIMES_ASKED, Login, fill, log_in
from tests.web.test_kill import Load, annotate

PEOPLE = [f"a{number}" for number in range(4)]
BACKUPS, BETWEEN = 2, 20


def back_up(folder: Path, target: Path) -> None:
    with open_project(folder) as project:
        backup(project, target)


async def work(load: Load, logins: list[Login], target: Path) -> list[set[str]]:
    """Annotate without a pause; what had been acknowledged when each backup began."""
    acknowledged: list[set[str]] = []

    async def back_up_again_and_again() -> None:
        for number in range(BACKUPS):
            for _ in range(BETWEEN):
                await load.acknowledged.acquire()
            acknowledged.append(set(load.saved))
            await asyncio.to_thread(back_up, load.served.folder, target / f"{number}.tar")
        for _ in range(BETWEEN):
            await load.acknowledged.acquire()
        load.over.set()

    load.up.set()
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as together:
        for login in logins:
            together.create_task(annotate(load, login, 1))
        together.create_task(back_up_again_and_again())
    return acknowledged


def test_a_backup_under_load_is_of_one_moment(kind: str, tmp_path: Path, databases: Callable[[str], str]) -> None:
    folder = tmp_path / "corpus"
    create_project(folder, "en", "turku", databases(kind))
    with open_project(folder) as project:
        fill(project, 2000, TIMES_ASKED, dict.fromkeys(PEOPLE, "annotator"))
        logins = log_in(project, PEOPLE)
    load = Load(Served(folder, workers=2))
    load.served.start()
    try:
        with ThreadPoolExecutor(1) as thread:
            acknowledged = thread.submit(asyncio.run, work(load, logins, tmp_path)).result(2 * SECONDS)
    finally:
        load.served.kill()
    check(folder, load.saved)
    for number, before in enumerate(acknowledged):
        again = tmp_path / f"again-{number}"
        restore(tmp_path / f"{number}.tar", again)
        with open_project(again) as project, project.ledger.reading() as connection:
            inside = set(connection.execute(select(schema.judgements.c.id)).scalars())
        assert before <= inside
        check(again, {name: load.saved[name] for name in inside})
