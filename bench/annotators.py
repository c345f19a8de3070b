"""Fifty simulated annotators at the pace of people on a real server, for an hour: is everything there, once?

They look at each pair for some seconds, all hurry at times, lose connections, send answers twice and open pages;
every ten minutes, meanwhile, a backup is made and restored. In the end the ledger must have exactly what was
acknowledged, and every backup what had been acknowledged before it began. SQLite with one process, and PostgreSQL
with two. ``OTHERWORDS_BENCH_MINUTES`` says how long (10), ``OTHERWORDS_BENCH_LEDGERS`` on what.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.serving import Served
from tests.web.load import TIMES_ASKED, fill, log_in
from tests.web.shift import Pace, Shift

from bench.site_ledgers import ledgers
from bench.site_load import group_memory_mb
from bench.site_table import Table, Target
from otherwords.project import create_project, open_project

SMALL = bool(os.environ.get("OTHERWORDS_BENCH_SMALL"))
MINUTES = float(os.environ.get("OTHERWORDS_BENCH_MINUTES", "0.5" if SMALL else "10"))
LEDGERS = os.environ.get("OTHERWORDS_BENCH_LEDGERS", "sqlite postgresql").split()
WORKERS = {"sqlite": 1, "postgresql": 2}
PEOPLE = [f"a{number}" for number in range(50)]
PACE = Pace(answer=5.0, hurried=1.0, burst_every=300.0, burst=20.0, backup_every=min(600.0, MINUTES * 20))
PAIRS_A_MINUTE = 400  # more than fifty people answer three times each
LIMIT_SECONDS = 600.0  # that the last answers and the last backup may take

SAVE_MS = Target("≤", 500)  # the end of what feels immediate, on a machine with other work
GROWTH_MB = Target("≤", 50)


def measure(folder: Path, kind: str, url: str, table: Table) -> None:
    """A shift on one kind of database."""
    project_folder = folder / "corpus"
    create_project(project_folder, "en", "turku", url)
    with open_project(project_folder) as project:
        fill(project, int(PAIRS_A_MINUTE * MINUTES) + 1000, TIMES_ASKED, dict.fromkeys(PEOPLE, "annotator"))
        logins = log_in(project, PEOPLE)
    served = Served(project_folder, WORKERS[kind])
    served.start()
    try:
        shift = Shift(served, min(60.0, MINUTES * 6), PACE, folder)
        shift.work(logins, LIMIT_SECONDS)  # what is loaded once, whoever comes first
        before = group_memory_mb(served)
        shift = Shift(served, MINUTES * 60, PACE, folder / "backups", saved=shift.saved)
        shift.folder.mkdir()
        first = len(shift.saved)
        shift.work(logins, LIMIT_SECONDS)
        after = group_memory_mb(served)
    finally:
        served.stop()
    table.line("answers acknowledged, each stored once", len(shift.saved) - first, form=",.0f")
    table.line("… sent twice at once", shift.twice, form=",.0f")
    table.line("requests sent again, their connection lost", shift.again, form=",.0f")
    for what in ("save", "take", "page"):
        table.line(f"{what}, p50, ms", shift.ms(what, 0.5))
        table.line("… p95, ms", shift.ms(what, 0.95), SAVE_MS)
        table.line("… max, ms", shift.ms(what, 1.0))
    table.line("backups restored, each of one moment", len(list(shift.check_backups())), Target("≥", 1), ",.0f")
    table.line("memory of the site after a minute, MB", before)
    table.line("… growth to the end, MB", after - before, GROWTH_MB)


def run() -> bool:
    """Print all figures; whether every target was met. What is lost or doubled ends it at once."""
    table = Table()
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as a user of its own
        for kind in LEDGERS:
            folder = Path(name) / kind
            folder.mkdir()
            print(f"{kind}, {WORKERS[kind]} process(es): {len(PEOPLE)} annotators for {MINUTES:g} minutes", flush=True)
            with ledgers(kind, folder) as new_ledger:
                measure(folder, kind, new_ledger("shift"), table)
    return table.met
