"""What the bench does to a running site: eight annotators at once, each with a kept connection and a session."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import os
import re
import statistics
import time
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.serving import Served
from tests.web.load import Line, Login, answer_to, save, take

AT_ONCE = 50  # slots that an annotator takes at a time: as many as the site gives
EXPORT = "/api/v1/export/judgements.jsonl"
LIMIT_SECONDS = 1200.0  # of any one measurement: what hangs ends
BLOCK = 2**20
_keys = itertools.count()


@dataclass
class Timed:
    """How long each request took, all of them together, and the server's own processor time for them, in seconds."""

    each: list[float] = field(default_factory=list)
    together: float = 0.0
    processor: float = 0.0
    again: int = 0  # answers that were sent a second time, since their line had been closed

    @property
    def rate(self) -> float:
        return len(self.each) / self.together

    def ms(self, share: float) -> float:
        """A quantile, by rank."""
        return sorted(self.each)[min(len(self.each) - 1, int(len(self.each) * share))] * 1000

    @property
    def processor_ms(self) -> float:
        """The server's processor time for one: what else the machine does changes that least."""
        return self.processor / len(self.each) * 1000

    @property
    def median_ms(self) -> float:
        return statistics.median(self.each) * 1000


@dataclass
class Site:
    """A site that runs, and its annotators."""

    served: Served
    logins: Sequence[Login]
    lines: list[Line] = field(default_factory=list)

    def call(self) -> None:
        """Everybody on a new line; among several workers the kernel decides who gets which."""
        self.hang_up()
        self.lines = [Line(self.served.port, login.headers) for login in self.logins]

    def hang_up(self) -> None:
        for line in self.lines:
            line.hang_up()

    @property
    def pid(self) -> int:
        assert self.served.process is not None
        return self.served.process.pid


@contextlib.contextmanager
def running(folder: Path, logins: Sequence[Login], workers: int = 1) -> Iterator[Site]:
    served = Served(folder, workers, patience=LIMIT_SECONDS)
    served.start()
    try:
        yield Site(served, logins)
    finally:
        served.stop()


async def bounded(work: Awaitable[None]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        await work


def measure_saves(sites: Sequence[Site], bursts: int) -> list[Timed]:
    """Save in bursts, on all sites in turns, so that what else the machine does meets them all; taking is not timed."""
    timed = [Timed() for _ in sites]

    async def work() -> None:
        for site in sites:
            await _burst(site, Timed())  # what is made once, whoever comes first
        for _ in range(bursts):
            for site, times in zip(sites, timed, strict=True):
                await _burst(site, times)
        for site in sites:
            site.hang_up()

    asyncio.run(bounded(work()))
    return timed


async def _burst(site: Site, timed: Timed) -> None:
    """Everybody takes a handful; then, together, all save what they have."""
    site.call()  # the server closes a line that was silent for seconds, and this one was while others had their turn
    handfuls = await asyncio.gather(*(take(line, AT_ONCE) for line in site.lines))
    start, busy = time.perf_counter(), processor_seconds(site)
    await asyncio.gather(*(_save_all(line, slots, timed) for line, slots in zip(site.lines, handfuls, strict=True)))
    timed.together += time.perf_counter() - start
    timed.processor += processor_seconds(site) - busy


async def _save_all(line: Line, slots: list[int], timed: Timed) -> None:
    assert len(slots) == AT_ONCE, "the batch is too small for this bench"
    for slot in slots:
        body = answer_to(slot, str(next(_keys)))
        start = time.perf_counter()
        try:
            await save(line, body)
        except ConnectionError:  # as a page does: the same again under the same key
            timed.again += 1
            await save(line, body)
        timed.each.append(time.perf_counter() - start)


def measure_takes(site: Site, takes: int) -> Timed:
    """Take one pair, answer it, take the next; only the taking is timed."""
    timed = Timed()

    async def work() -> None:
        site.call()
        await asyncio.gather(*(_one_by_one(line, 1, Timed()) for line in site.lines))
        start = time.perf_counter()
        await asyncio.gather(*(_one_by_one(line, takes, timed) for line in site.lines))
        timed.together = time.perf_counter() - start
        site.hang_up()

    asyncio.run(bounded(work()))
    return timed


async def _one_by_one(line: Line, takes: int, timed: Timed) -> None:
    for _ in range(takes):
        start = time.perf_counter()
        [slot] = await take(line, 1)
        timed.each.append(time.perf_counter() - start)
        await save(line, answer_to(slot, str(next(_keys))))


def measure_export(site: Site, curator: Login) -> tuple[int, float]:
    """Read all judgements as a curator gets them; how many, and in how many seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", site.served.port, timeout=LIMIT_SECONDS)
    start, rows = time.perf_counter(), 0
    connection.request("GET", EXPORT, headers=curator.headers)
    with contextlib.closing(connection), connection.getresponse() as response:
        assert response.status == 200, response.read(1000)
        while block := response.read(BLOCK):
            rows += block.count(b"\n")
    return rows, time.perf_counter() - start


def processor_seconds(site: Site) -> float:
    """The processor time of the server so far; of several workers, that of the one that watches them."""
    fields = Path(f"/proc/{site.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(site: Site, what: str) -> float:
    """What the kernel says of a process: VmRSS is its memory now, VmHWM the most that it ever was."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{site.pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def group_memory_mb(served: Served) -> float:
    """The memory of a site with all its workers, which are of one process group."""
    assert served.process is not None
    pages = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            if int(path.read_text().rpartition(")")[2].split()[2]) == served.process.pid:
                pages += int(path.with_name("statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
