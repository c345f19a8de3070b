"""A million pairs in every page: each page of the site, its twins, and each GET of its API, once cold and once warm.

The ledger is filled by a few statements. Each page is opened as an admin on a real server; what is measured is the
processor time of the server, which other work on the machine changes least, and the memory that it needed more.
``OTHERWORDS_BENCH_PAIRS`` says how many pairs (1,000,000), ``OTHERWORDS_BENCH_LEDGERS`` on what.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import tempfile
from pathlib import Path

from tests.web.large import fill_large, pages
from tests.web.load import Login, log_in

from bench.site_ledgers import ledgers, settle
from bench.site_load import LIMIT_SECONDS, Site, memory_mb, processor_seconds, running
from bench.site_table import Table, Target
from otherwords.project import create_project, open_project

SMALL = bool(os.environ.get("OTHERWORDS_BENCH_SMALL"))
PAIRS = int(os.environ.get("OTHERWORDS_BENCH_PAIRS", "20000" if SMALL else "1000000"))
LEDGERS = os.environ.get("OTHERWORDS_BENCH_LEDGERS", "sqlite postgresql").split()
BLOCK = 2**20

PAGE_SECONDS = Target("≤", 5)
PAGE_MB = Target("≤", 2)
MEMORY_MB = Target("≤", 300)


def opened(site: Site, login: Login, page: str) -> tuple[int, int]:
    """The status and the bytes of a page."""
    connection = http.client.HTTPConnection("127.0.0.1", site.served.port, timeout=LIMIT_SECONDS)
    connection.request("GET", page, headers=login.headers)
    with contextlib.closing(connection), connection.getresponse() as response:
        size = 0
        while block := response.read(BLOCK):
            size += len(block)
        return response.status, size


def measure(folder: Path, url: str, table: Table) -> None:
    """All pages on one kind of database."""
    create_project(folder, "en", "turku", url)
    with open_project(folder) as project:
        fill_large(project, PAIRS)
        [admin] = log_in(project, ["ada"])
    settle(url)
    seconds: dict[str, tuple[float, float]] = {}
    with running(folder, [admin]) as site:
        table.line("to start, s of the processor", processor_seconds(site), PAGE_SECONDS)
        largest, failed = 0, 0
        for page in pages():
            times = []
            for _ in range(2):
                before = processor_seconds(site)
                status, size = opened(site, admin, page)
                times.append(processor_seconds(site) - before)
                failed += status >= 500
            if "/export/" in page:
                table.line(f"{page}, s of the processor", times[1])
            else:
                seconds[page] = (times[0], times[1])
                largest = max(largest, size)
            most = memory_mb(site, "VmHWM")
            print(f"    {times[0]:6.2f} s, then {times[1]:6.2f} s, {most:4.0f} MB   {page}", flush=True)
        table.line("pages, twins and parts of the API", len(seconds), form=",.0f")
        table.line("… that failed", failed, Target("≤", 0), ",.0f")
        table.line("… the largest answer, MB", largest / 1e6, PAGE_MB, ",.2f")
        table.line("the slowest, first time, s", max(first for first, _ in seconds.values()), PAGE_SECONDS)
        table.line("the server's most memory, MB", memory_mb(site, "VmHWM"), MEMORY_MB)


def run() -> bool:
    """Print all figures; whether every target was met."""
    table = Table()
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as a user of its own
        for kind in LEDGERS:
            (Path(name) / kind).mkdir()
            print(f"{kind}: {PAIRS:,} pairs, {PAIRS // 5 * 2:,} judgements", flush=True)
            with ledgers(kind, Path(name) / kind) as new_ledger:
                measure(Path(name) / kind / "corpus", new_ledger("pages"), table)
    return table.met
