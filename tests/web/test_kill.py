"""Killed under load again and again, the site has every judgement that it acknowledged, and none twice.

Eight annotators save without a pause. Whoever gets no answer sends the same again under the same key, and four of
them never wait for one: they send each answer over two connections at once, as a page does that gave up too soon.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from otherwords.digests import keyed_id
from otherwords.project import create_project, open_project
from tests.processes import long_form
from tests.serving import Served, site_with
from tests.web.acknowledged import check
from tests.web.load import TIMES_ASKED, Line, Login, answer_to, fill, log_in, save, take

T = TypeVar("T")
PEOPLE = [f"a{number}" for number in range(8)]
HANDFUL = 5
MOST_BETWEEN = 150  # judgements from one kill to the next
SECONDS_A_KILL = 60.0  # far more than it takes: so that what hangs fails


@dataclass
class Load:
    """What the annotators know: when the server is up, and what it said that it has."""

    served: Served
    up: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    acknowledged: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    saved: dict[str, tuple[str, int]] = field(default_factory=dict)  # by the id of the judgement: who, and which slot
    unanswered: int = 0

    async def insist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask until there is an answer; as long as the server is down, wait."""
        while True:
            await self.up.wait()
            try:
                return await ask()
            except ConnectionError:
                self.unanswered += 1


async def annotate(load: Load, login: Login, connections: int) -> None:
    lines = [Line(load.served.port, login.headers) for _ in range(connections)]
    keys = itertools.count()
    while not load.over.is_set():
        slots = await load.insist(lambda: take(lines[0], HANDFUL))
        assert slots, "the batch was too small for this test"
        for slot in slots:
            key = f"{next(keys)}"
            body = answer_to(slot, key)
            replies = await asyncio.gather(*(load.insist(partial(save, line, body)) for line in lines))
            name = keyed_id("j", login.name, key)
            assert [reply["id"] for reply in replies] == [name] * connections
            load.saved[name] = (login.name, slot)
            load.acknowledged.release()
    for line in lines:
        line.hang_up()


async def disturb(load: Load, kills: int) -> None:
    """Kill the server at moments that nobody expects, and start it again at the same address."""
    chance = random.Random(kills)
    for _ in range(kills):
        for _ in range(chance.randint(1, MOST_BETWEEN)):
            await load.acknowledged.acquire()
        if chance.random() < 0.5:  # or else at once: what was acknowledged just now has to be there
            await asyncio.sleep(chance.uniform(0, 0.02))
        load.up.clear()
        load.served.kill()
        await asyncio.to_thread(load.served.start)
        load.up.set()
    await load.acknowledged.acquire()
    load.over.set()


async def work(load: Load, logins: list[Login], kills: int) -> None:
    load.up.set()
    async with asyncio.timeout(SECONDS_A_KILL * kills), asyncio.TaskGroup() as together:
        for number, login in enumerate(logins):
            together.create_task(annotate(load, login, 1 + number % 2))
        together.create_task(disturb(load, kills))


def kill_under_load(folder: Path, url: str, workers: int, kills: int) -> None:
    create_project(folder, "en", "turku", url)
    with open_project(folder) as project:
        fill(project, kills * MOST_BETWEEN, TIMES_ASKED, dict.fromkeys(PEOPLE, "annotator"))
        logins = log_in(project, PEOPLE)
    load = Load(site_with(folder, workers))
    load.served.start()
    try:
        with ThreadPoolExecutor(1) as thread:  # a browser that another test opened keeps a loop in this one
            thread.submit(asyncio.run, work(load, logins, kills)).result(SECONDS_A_KILL * (kills + 1))
    finally:
        load.served.kill()
    assert len(load.saved) > kills
    assert load.unanswered >= kills  # it was under load when it was killed
    check(folder, load.saved)


@pytest.mark.parametrize(("kind", "workers"), [("sqlite", 1), ("postgresql", 1), ("postgresql", 2)])
def test_killed_under_load(kind: str, workers: int, tmp_path: Path, databases: Callable[[str], str]) -> None:
    kill_under_load(tmp_path / "corpus", databases(kind), workers, kills=3)


@pytest.mark.soak  # with those of tests/project/test_crash.py, a thousand kills
@pytest.mark.parametrize(
    ("kind", "workers", "kills"),
    [("sqlite", 1, 250), ("postgresql", 1, 250), ("sqlite", 2, 100), ("postgresql", 2, 100)],
)
def test_killed_again_and_again(
    kind: str, workers: int, kills: int, tmp_path: Path, databases: Callable[[str], str]
) -> None:
    kill_under_load(tmp_path / "corpus", databases(kind), workers, long_form(kills))
