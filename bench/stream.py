"""A large file through ``otherwords score`` and ``otherwords filter``: pairs per second, and memory that does not grow.

Scoring in blocks stands beside scoring record by record, in the same run and with the same bytes, and beside the
kernels alone, which no way can beat. The time of the processors is printed too, as it says more where others use the
machine. Also why JSON Lines are read with msgspec: the three candidates on the same lines.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import pyarrow.json
import pyarrow.parquet as pq

from bench.sentences import sentence_pairs
from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.filters import DEFAULT_RULES
from otherwords.acquire.filters.run import filter_file
from otherwords.acquire.score import score_file, score_pairs
from otherwords.measures import measure, score_columns
from otherwords.records import Pair
from otherwords.sources.reading import open_records, write_records

ROWS = int(os.environ.get("OTHERWORDS_BENCH_ROWS", 5_000_000))
MEASURES = ("char-cosine", "jaccard", "bleu")
LIMIT_MB = 600
PARSED_ROWS = 200_000
# The peak since the program began; what getrusage tells includes the process it was forked from.
REPORTED = """
import sys
from pathlib import Path
from otherwords.cli import cli
cli.main(sys.argv[1:], standalone_mode=False)
[peak] = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(int(peak) // 1024)
"""


def _lines(count: int, stream: io.BufferedWriter) -> None:
    """Rows that repeat a block of distinct pairs; each row has its own id."""
    block = list(zip(*sentence_pairs(50_000), strict=True))
    for number in range(count):
        text1, text2 = block[number % len(block)]
        stream.write(
            json.dumps({"id": str(number), "text1": text1, "text2": text2}, ensure_ascii=False).encode() + b"\n"
        )


def _score(path: Path) -> tuple[float, int]:
    arguments = ["score", str(path), "--out", str(path.with_suffix(".out.jsonl"))]
    for name in MEASURES:
        arguments += ["--measure", name]
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", REPORTED, *arguments], capture_output=True, text=True, check=True)
    return time.perf_counter() - start, int(done.stdout.split()[-1])


def _parsers(path: Path) -> None:
    with path.open("rb") as stream:
        lines = list(islice(stream, PARSED_ROWS))
    whole = b"".join(lines)
    decoder = msgspec.json.Decoder(Pair)
    for name, parse in (
        ("json", lambda: [json.loads(line) for line in lines]),
        ("pyarrow.json", lambda: pyarrow.json.read_json(io.BytesIO(whole))),
        ("msgspec, typed records", lambda: [decoder.decode(line) for line in lines]),
    ):
        start = time.perf_counter()
        parse()
        print(f"  {name:<24} {len(lines) / (time.perf_counter() - start):>12,.0f} rows/s")


@dataclass(frozen=True, slots=True)
class Took:
    """How long work on so many pairs took, by the clock and by the processors together."""

    pairs: int
    seconds: float
    processor_seconds: float

    def __str__(self) -> str:
        return f"{self.pairs / self.seconds:>9,.0f} pairs/s {1e6 * self.processor_seconds / self.pairs:>5.1f} µs/pair"


def _took(pairs: int, work: Callable[[], object]) -> Took:
    start, used = time.perf_counter(), time.process_time()
    work()
    return Took(pairs, time.perf_counter() - start, time.process_time() - used)


def _score_records(path: Path, target: Path) -> None:
    with open_records(path) as corpus:
        write_records(score_pairs(corpus.pairs(), SelectedMeasures(MEASURES)), target)


def _ways(path: Path, count: int) -> None:
    """The same pairs by all ways, from JSON Lines and from Parquet."""
    table = path.with_suffix(".parquet")
    with open_records(path) as corpus:
        write_records(corpus.pairs(), table)
    texts = pq.read_table(table, columns=["text1", "text2"])
    chosen = [measure(name) for name in MEASURES]
    kernels = _took(count, lambda: score_columns(chosen, texts["text1"], texts["text2"]))
    print(f"  kernels alone            {kernels}")
    for file in (path, table):
        out, beside = file.with_suffix(f".out{file.suffix}"), file.with_suffix(f".records{file.suffix}")
        blocks = _took(count, partial(score_file, file, out, MEASURES))
        records = _took(count, partial(_score_records, file, beside))
        if out.read_bytes() != beside.read_bytes():
            raise SystemExit(f"{out} and {beside}: not the same bytes")
        ratio = records.processor_seconds / blocks.processor_seconds
        print(f"  score  {file.suffix:<9} records {records}\n{'':<17} blocks  {blocks}   ×{ratio:.1f}")
        filtered = _took(count, partial(filter_file, file, DEFAULT_RULES, out=out))
        print(f"  filter {file.suffix:<9} blocks  {filtered}")


def run() -> bool:
    """Print speed and memory for a tenth of the rows and for all of them; whether the limit holds."""
    within = True
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as folder:
        for count in (max(1, ROWS // 10), ROWS):
            path = Path(folder) / f"{count}.jsonl"
            with path.open("wb") as stream:
                _lines(count, stream)
            if count < ROWS:
                print("reading JSON Lines")
                _parsers(path)
                print(f"otherwords score with {', '.join(MEASURES)}, otherwords filter with its usual rules")
                _ways(path, count)
            seconds, peak = _score(path)
            within &= peak < LIMIT_MB
            print(f"  {count:>10,} pairs {count / seconds:>10,.0f} pairs/s {peak:>6,} MB resident (limit {LIMIT_MB})")
    return within
