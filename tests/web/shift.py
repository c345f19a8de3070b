"""A shift: many annotators at the pace of people, on a real server, while backups are made and restored.

People look at a pair for some seconds, now and then for long. They open pages, lose connections, and some pages send
an answer twice. Now and then everybody hurries at once, as before a meeting. What the site acknowledged is remembered.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from otherwords.digests import keyed_id
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.serving import Served
from tests.web.acknowledged import check
from tests.web.load import BATCH, Line, Login, answer_to, save, take

PAGES = ("/", f"/classify/{BATCH}", f"/api/v1/batches/{BATCH}/progress", f"/api/v1/batches/{BATCH}/recent")
LOOKS, LEAVES, SENDS_TWICE = 0.05, 0.02, 0.05  # chances with each answer
MOST_TAKEN = 5
SPREAD = 0.7  # of the logarithm of the seconds that a pair takes
TRIES = 100


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people are, in seconds."""

    answer: float  # the median
    hurried: float  # in a burst
    burst_every: float
    burst: float
    backup_every: float


@dataclass
class Shift:
    """A site, how long people work on it, and what they saw."""

    served: Served
    seconds: float
    pace: Pace
    folder: Path  # where backups go
    least: int = 0  # answers that are waited for, however slow the machine is, and then a backup
    saved: dict[str, tuple[str, int]] = field(default_factory=dict)  # by the id of the judgement: who, and which slot
    waits: dict[str, list[float]] = field(default_factory=lambda: {"take": [], "save": [], "page": []})
    again: int = 0  # requests that got no answer on their connection and were sent again
    twice: int = 0  # answers that a page sent twice at once
    backups: list[tuple[set[str], Path]] = field(default_factory=list)  # what had been acknowledged before each
    start: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        late = time.monotonic() - self.start >= self.seconds
        return late and len(self.saved) >= self.least and bool(self.backups or not self.least)

    def look(self, chance: random.Random) -> float:
        """How long somebody looks at a pair now."""
        if (time.monotonic() - self.start) % self.pace.burst_every < self.pace.burst:
            return chance.uniform(0, self.pace.hurried)
        return min(chance.lognormvariate(0, SPREAD), 20) * self.pace.answer

    def ms(self, what: str, share: float) -> float:
        """A quantile of how long requests took, by rank."""
        waits = sorted(self.waits[what])
        return waits[min(len(waits) - 1, int(len(waits) * share))] * 1000

    def work(self, logins: Sequence[Login], limit: float) -> None:
        """Let all of them work to the end of the shift, then check the ledger and every backup."""
        asyncio.run(self._work(logins, limit))
        check(self.served.folder, self.saved)

    async def _work(self, logins: Sequence[Login], limit: float) -> None:
        self.start = time.monotonic()
        async with asyncio.timeout(self.seconds + limit), asyncio.TaskGroup() as together:
            for number, login in enumerate(logins):
                together.create_task(self._annotate(login, random.Random(number)))
            together.create_task(self._back_up())

    async def _annotate(self, login: Login, chance: random.Random) -> None:
        lines = [Line(self.served.port, login.headers) for _ in range(2)]
        keys = itertools.count()
        await asyncio.sleep(chance.uniform(0, self.pace.answer))
        while not self.is_over:
            slots = await self._timed("take", lambda: take(lines[0], chance.randint(1, MOST_TAKEN)))
            assert slots, "the batch was too small for this shift"
            for slot in slots:
                await asyncio.sleep(self.look(chance))
                await self._answer(login, lines, slot, f"{self.start}-{next(keys)}", chance)
                if chance.random() < LOOKS:
                    await self._timed("page", lambda: _page(lines[1], chance.choice(PAGES)))
                if self.is_over:
                    break
        for line in lines:
            line.hang_up()

    async def _answer(self, login: Login, lines: list[Line], slot: int, key: str, chance: random.Random) -> None:
        """Send an answer; whoever leaves before it is acknowledged sends it again under the same key."""
        body = answer_to(slot, key)
        if chance.random() < LEAVES:
            leaving = asyncio.ensure_future(save(lines[1], body))
            await asyncio.sleep(chance.uniform(0, 0.01))
            lines[1].hang_up()
            await asyncio.gather(leaving, return_exceptions=True)
            self.again += 1
        senders = lines if chance.random() < SENDS_TWICE else lines[:1]
        self.twice += len(senders) > 1
        replies = await asyncio.gather(*(self._timed("save", lambda line=line: save(line, body)) for line in senders))
        name = keyed_id("j", login.name, key)
        assert {reply["id"] for reply in replies} == {name}
        self.saved[name] = (login.name, slot)

    async def _timed(self, what, ask):  # type: ignore[no-untyped-def]
        """Ask until there is an answer, as pages do; how long that took is remembered."""
        start = time.monotonic()
        for _ in range(TRIES):
            try:
                answer = await ask()
            except ConnectionError:  # the server closes what was silent for seconds
                self.again += 1
                continue
            self.waits[what].append(time.monotonic() - start)
            return answer
        raise AssertionError(f"no answer to {what} in {TRIES} tries")

    async def _back_up(self) -> None:
        """Back up, restore and look at what was restored, by the commands that people use, again and again."""
        for number in itertools.count():
            left = max(0.0, self.start + self.seconds - time.monotonic())
            await asyncio.sleep(min(self.pace.backup_every, left or self.pace.hurried))
            while not self.saved:
                await asyncio.sleep(self.pace.hurried)
            if self.is_over:
                return
            before, restored = set(self.saved), self.folder / f"restored-{number}"
            archive = self.folder / f"{number}.tar.gz"
            await _otherwords("backup", self.served.folder, archive)
            await _otherwords("restore", archive, restored)
            status = json.loads(await _otherwords("status", restored, "--json"))
            assert status["counts"]["judgements"] >= len(before), status
            self.backups.append((before, restored))

    def check_backups(self) -> Iterator[int]:
        """Each is one moment of the project, with all that had been acknowledged when it began; its judgements."""
        for before, restored in self.backups:
            with open_project(restored) as project, project.ledger.reading() as connection:
                inside = set(connection.execute(select(schema.judgements.c.id)).scalars())
            assert before <= inside
            check(restored, {name: self.saved[name] for name in inside})
            yield len(inside)


async def _page(line: Line, path: str) -> None:
    status, _, content = await line.ask("GET", path)
    assert status == 200, (path, content[:300])


async def _otherwords(*arguments: object) -> bytes:
    command = [sys.executable, "-m", "otherwords", *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, problems = await process.communicate()
    assert process.returncode == 0, (command, problems.decode())
    return out
