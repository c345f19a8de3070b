"""Saving judgements on the site, from an empty ledger to 600,000: is it fast, does it stay so, is it ahead of a peer?

Eight annotators with a light client each, on the same machine, on SQLite and on PostgreSQL, every save on the disk
before it is acknowledged. Two projects, one without a judgement and one with 100,000 pairs judged six times each, are
measured in turns. Then the time to the next pair, the export, and the memory of the server. Every answer of the
server is checked, and in the end so is the number of judgements in the ledger.

``OTHERWORDS_BENCH_SMALL=1`` is a short form, to see whether it works; its figures mean little.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import func, select
from tests.web.load import Login, add_history, fill, log_in

from bench.site_ledgers import NewLedger, fsync_ms, ledgers, settle
from bench.site_load import (
    AT_ONCE,
    Site,
    Timed,
    measure_export,
    measure_saves,
    measure_takes,
    memory_mb,
    running,
)
from bench.site_peer import compare
from bench.site_table import Table, Target
from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema

SMALL = bool(os.environ.get("OTHERWORDS_BENCH_SMALL"))
JUDGED, MORE, ASKED = (2_000, 1_500, 6) if SMALL else (100_000, 12_000, 6)  # pairs, and judgements of each
LEDGERS = os.environ.get("OTHERWORDS_BENCH_LEDGERS", "sqlite postgresql").split()
BURSTS = 5 if SMALL else 50  # of 8 × 50 saves
TAKES = 25 if SMALL else 250  # by each annotator
FIRST_TAKES = 5  # by each, on a ledger that was just filled
ANNOTATORS = [f"a{number}" for number in range(8)]
CURATOR = "carl"
ADDITIONS = 10_000_000

SAVES = Target("≥", 900)
SAVE_MS = Target("≤", 15)
GROWTH = Target("≤", 1.2)
NEXT_MS = Target("≤", 25)
EXPORT_SECONDS = Target("≤", 15)
MEMORY_MB = Target("≤", 200)


def filled(folder: Path, url: str, history: int) -> tuple[list[Login], Login]:
    """A project with a large batch, of which the first pairs have been judged; its annotators and its curator."""
    create_project(folder, "en", "turku", url)
    people = dict.fromkeys(ANNOTATORS, "annotator") | {CURATOR: "curator"}
    with open_project(folder) as project:
        fill(project, JUDGED + MORE, ASKED, people)
        if history:
            add_history(project, history, ANNOTATORS)
        *annotators, curator = log_in(project, list(people))
    return annotators, curator


def judgements(folder: Path) -> int:
    with open_project(folder) as project, project.ledger.reading() as connection:
        return connection.execute(select(func.count()).select_from(schema.judgements)).scalar_one()


def measure(folder: Path, new_ledger: NewLedger, table: Table) -> Timed:
    """All figures on one kind of database; the saves on the full ledger, to compare others with."""
    urls = {name: new_ledger(name) for name in ("bare", "full")}
    bare_people, _ = filled(folder / "bare", urls["bare"], 0)
    with running(folder / "bare", bare_people) as bare:
        first = measure_takes(bare, FIRST_TAKES)
    people, curator = filled(folder / "full", urls["full"], JUDGED)
    for url in urls.values():
        settle(url)
    with ExitStack() as stack:
        bare = stack.enter_context(running(folder / "bare", bare_people))
        full = stack.enter_context(running(folder / "full", people))
        empty_saves, full_saves = measure_saves([bare, full], BURSTS)
        takes = measure_takes(full, TAKES)
        tell_saves(table, empty_saves, full_saves)
        table.line("next pair, the ledger just filled: p95, ms", first.ms(0.95), NEXT_MS)
        table.line("next pair, full ledger: p95, ms", takes.ms(0.95), NEXT_MS)
        tell_export(table, full, curator)
        table.line("the server's most memory, MB", max(memory_mb(site, "VmHWM") for site in (bare, full)), MEMORY_MB)
    with running(folder / "full", people, workers=2) as both:
        [two] = measure_saves([both], BURSTS)
    table.line("saves/s, full ledger, --workers 2", two.rate, form=",.0f")
    table.line("… p95, ms", two.ms(0.95))
    table.line("answers that had to be sent again", empty_saves.again + full_saves.again + two.again, form=",.0f")
    annotators = len(ANNOTATORS)
    wanted = JUDGED * ASKED + annotators * (AT_ONCE * 2 * (BURSTS + 1) + TAKES + 1)
    assert judgements(folder / "full") == wanted, f"{judgements(folder / 'full'):,} judgements instead of {wanted:,}"
    return full_saves


def tell_saves(table: Table, empty: Timed, full: Timed) -> None:
    for name, timed in (("empty ledger", empty), ("full ledger", full)):
        table.line(f"saves/s, {name}", timed.rate, SAVES, ",.0f")
        table.line("… p50, ms", timed.median_ms)
        table.line("… p95, ms", timed.ms(0.95), SAVE_MS)
        table.line("… max, ms", timed.ms(1.0))
        table.line("… the server's processor time each, ms", timed.processor_ms, form=",.2f")
    table.line("p95 full / p95 empty", full.ms(0.95) / empty.ms(0.95), GROWTH, ",.2f")


def tell_export(table: Table, site: Site, curator: Login) -> None:
    before = memory_mb(site, "VmRSS")
    rows, seconds = measure_export(site, curator)
    assert rows >= JUDGED * ASKED, f"only {rows:,} judgements were exported"
    table.line(f"export of {rows:,} judgements, s", seconds, EXPORT_SECONDS)
    table.line("memory before the export, MB", before)
    table.line("memory after the export, MB", memory_mb(site, "VmRSS"))


def calibrate(folder: Path) -> None:
    """What this machine is, since machines differ."""
    start, total = time.perf_counter(), 0
    for number in range(ADDITIONS):
        total += number
    seconds = time.perf_counter() - start
    disk = fsync_ms(folder)
    print(f"{os.cpu_count()} cores; {ADDITIONS:,} additions in Python {seconds:.2f} s; one fsync {disk:.2f} ms")


def run() -> bool:
    """Print all figures; whether every target was met."""
    table, saves = Table(), {}
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as a user of its own
        calibrate(Path(name))
        for kind in LEDGERS:
            folder = Path(name) / kind
            folder.mkdir()
            print(f"{kind}: {JUDGED + MORE:,} pairs, {JUDGED * ASKED:,} judgements in the full ledger", flush=True)
            with ledgers(kind, folder) as new_ledger:
                saves[kind] = measure(folder, new_ledger, table)
        compare(Path(name), saves)
    return table.met
