"""The whole report of a project of 100,000 pairs with judgements: seconds, memory, and seconds by analysis.

The corpus is invented and seeded: sentences of invented words in a Zipf distribution, of which the second text keeps
more or less. Each pair has two judgements by some of six people. The report runs as its users run it, in a process of
its own, whose peak memory is printed; then every analysis is timed by itself on the same pairs.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from sqlalchemy import insert

from bench.sentences import sentence_pairs
from otherwords.analyse.catalogue import PAIR_ANALYSES, PROJECT_ANALYSES, AnalysisOptions
from otherwords.analyse.pair_batch import PairBatch, pair_batches
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

PAIRS, PEOPLE = 100_000, ("anna", "ben", "cleo", "dora", "emil", "fay")
SECONDS, MEGABYTES = 120.0, 2000.0
LABELS, WEIGHTS = ("4", "4<", "4>", "4s", "4i", "3", "2", "1", "x"), (30, 10, 10, 3, 5, 20, 12, 8, 2)
SOURCES = ("news", "subtitles", "forum", "answers")
ROWS_AT_A_TIME = 5000


def rows() -> Iterator[tuple[Pair, list[Judgement]]]:
    """Pairs with two judgements each, which differ for about one pair in twenty."""
    chance = Random(1)
    for number, (text1, text2) in enumerate(zip(*sentence_pairs(PAIRS), strict=True)):
        name, label = f"p{number}", chance.choices(LABELS, WEIGHTS)[0]
        time = f"2026-{1 + number * 11 // PAIRS:02}-{1 + number % 28:02}T09:00:00.000+00:00"
        fields = {"lang": "en", "source": SOURCES[number % len(SOURCES)], "group": f"g{number // 20}", "time": time}
        values = [label, label if chance.random() < 0.95 else chance.choice(LABELS)]
        judgements = [
            Judgement(
                id=f"j{number}-{place}",
                pair=name,
                value=value,
                annotator=who,
                scheme="turku",
                time=time,
                seconds=20 * chance.random(),
            )
            for place, (who, value) in enumerate(zip(chance.sample(PEOPLE, 2), values, strict=True))
        ]
        yield Pair(id=name, text1=text1, text2=text2, **fields), judgements  # type: ignore[arg-type]


def fill(folder: Path) -> None:
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        stream = rows()
        while some := list(islice(stream, ROWS_AT_A_TIME)):
            with project.ledger.writing() as connection:
                connection.execute(insert(schema.pairs), [row_of(pair) for pair, _ in some])
                connection.execute(
                    insert(schema.judgements), [row_of(judgement) for _, judgements in some for judgement in judgements]
                )


def whole(folder: Path, out: Path) -> bool:
    """The command from beginning to end, with the labels made on the way."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "otherwords", "report", str(folder), "--out", str(out), "--json"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    seconds = time.perf_counter() - begun
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    megabytes = spent.ru_maxrss / 1024
    reached = seconds < SECONDS and megabytes < MEGABYTES
    print(f"  {len(report['findings'])} findings, {report['tables']} tables, {report['figures']} figures")
    print(f"  {seconds:.1f} s (target {SECONDS:.0f} s), of CPU {spent.ru_utime + spent.ru_stime:.1f} s")
    print(f"  {megabytes:,.0f} MB (target {MEGABYTES:,.0f} MB)   {'reached' if reached else 'MISSED'}", flush=True)
    return reached


def by_analysis(folder: Path) -> None:
    """Every analysis by itself. What they share, such as similarities, is paid for by the first that asks for it."""
    corpus = open_corpus(folder)
    spent = dict.fromkeys([*PAIR_ANALYSES.names(), *PROJECT_ANALYSES.names()], 0.0)
    started = {name: PAIR_ANALYSES.get(name)(corpus, AnalysisOptions()) for name in PAIR_ANALYSES.names()}
    for batch in _timed(corpus, spent):
        for name, analysis in started.items():
            begun = time.perf_counter()
            analysis.add(batch)
            spent[name] += time.perf_counter() - begun
    for name, analysis in started.items():
        begun = time.perf_counter()
        analysis.finding()
        spent[name] += time.perf_counter() - begun
    with open_project(folder) as project:
        for name in PROJECT_ANALYSES.names():
            begun = time.perf_counter()
            PROJECT_ANALYSES.get(name)(project, AnalysisOptions())
            spent[name] += time.perf_counter() - begun
    for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"    {name:<14}{seconds:6.1f} s")


def _timed(corpus: Corpus, spent: dict[str, float]) -> Iterator[PairBatch]:
    begun = time.perf_counter()
    for batch in pair_batches(corpus):
        spent["(reading)"] = spent.get("(reading)", 0.0) + time.perf_counter() - begun
        yield batch
        begun = time.perf_counter()


def run() -> bool:
    """Make the corpus and the report; whether both targets were reached."""
    print(f"report: {PAIRS:,} pairs with {2 * PAIRS:,} judgements", flush=True)
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        fill(Path(folder) / "corpus")
        reached = whole(Path(folder) / "corpus", Path(folder) / "report")
        by_analysis(Path(folder) / "corpus")
    return reached
