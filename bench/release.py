"""A release of a million pairs with two judgements each: seconds, and memory that does not grow with the corpus.

The project is filled with invented sentences by a seeded generator; the release labels it, splits it, checks it and
writes all its files, with the card, as the command does.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bench.sentences import ALPHABETS, Language, reworded, written
from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema

PAIRS = int(os.environ.get("OTHERWORDS_BENCH_PAIRS", 1_000_000))
FRACTION = 4  # memory is compared with that of a quarter
SECONDS, GROWTH = 180.0, 1.5
PAIRS_A_GROUP = 25
PEOPLE = ("anna", "ben", "cleo")
LABELS = ("4", "4<", "4>", "4s", "4i", "3", "2")
ROWS_AT_ONCE = 10_000
# The peak since the program began; what getrusage tells includes the process it was forked from.
REPORTED = """
import sys
from pathlib import Path
from otherwords.cli import cli
cli.main(sys.argv[1:], standalone_mode=False)
[peak] = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(int(peak) // 1024)
"""


def sentences(count: int) -> Iterator[tuple[str, str]]:
    """Pairs of sentences of about ten words, no two alike."""
    rng = random.Random(7)
    language = Language(ALPHABETS[0], rng)
    for number in range(count):
        words = language.words(rng.randint(6, 14))
        yield f"{written(words, rng)} {number}", f"{number} {written(reworded(words, language, rng), rng)}"


def rows(count: int) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Pairs as the ledger has them, each with two judgements, which differ for one pair in a hundred."""
    rng = random.Random(8)
    empty = {"scores": {}, "meta": {}}
    for number, (text1, text2) in enumerate(sentences(count)):
        pair = {"id": f"pair-{number}", "text1": text1, "text2": text2, "lang": "en", "source": "invented"}
        pair |= {"group": f"group-{number // PAIRS_A_GROUP}", "licence": "CC-BY-SA-4.0", **empty}
        label = rng.choice(LABELS)
        values = [label, label if number % 100 else "3"]
        people = rng.sample(PEOPLE, 2)
        yield pair, [_judgement(number, who, value) for who, value in zip(people, values, strict=True)]


def _judgement(number: int, who: str, value: str) -> dict[str, Any]:
    judgement: dict[str, Any] = {
        "id": f"judgement-{number}:{who}",
        "pair": f"pair-{number}",
        "value": value,
        "annotator": who,
    }
    judgement |= {"unit": "pair", "scheme": "turku", "purpose": "agreement", "kind": "individual", "round": 1}
    return judgement | {"unsure": False, "rewrites": [], "meta": {}, "time": "2024-03-04T09:00:00.000+00:00"}


def fill(folder: Path, count: int) -> None:
    create_project(folder, "en", "turku")
    waiting = rows(count)
    with open_project(folder) as project:
        while block := list(islice(waiting, ROWS_AT_ONCE)):
            with project.ledger.writing() as connection:
                connection.execute(insert(schema.pairs), [pair for pair, _ in block])
                connection.execute(
                    insert(schema.judgements), [judgement for _, judgements in block for judgement in judgements]
                )


def released(folder: Path) -> tuple[float, float, int]:
    """Seconds, those of the processor, and the peak in MB."""
    arguments = ["release", str(folder), "--version", "1.0", "--licence", "CC-BY-SA-4.0"]
    start, before = time.perf_counter(), os.times()
    done = subprocess.run([sys.executable, "-c", REPORTED, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    seconds, after = time.perf_counter() - start, os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, busy, int(done.stdout.split()[-1])


def run() -> bool:
    print(f"release: {PAIRS:,} pairs, two judgements each")
    peaks, seconds = [], 0.0
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as place:
        for count in (max(1, PAIRS // FRACTION), PAIRS):
            folder = Path(place) / str(count)
            fill(folder, count)
            seconds, busy, peak = released(folder)
            peaks.append(peak)
            speed = f"{seconds:>7.1f} s ({busy:.1f} s of processor) {count / seconds:>9,.0f} pairs/s"
            print(f"  {count:>10,} pairs {speed} {peak:>6,} MB")
    growth = peaks[1] / peaks[0]
    print(f"  target {SECONDS:.0f} s; memory for {FRACTION} times as many pairs: {growth:.2f} times (limit {GROWTH})")
    return seconds < SECONDS and growth < GROWTH
