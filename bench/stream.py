"""A large file through ``otherwords score`` and ``otherwords filter``: pairs per second, and memory that does not grow.

Scoring in blocks stands beside scoring record by record, in the same run and with the same bytes, and beside the
kernels alone, which no way can beat. The time of the processors is printed too, as it says more where others use the
machine. Memory is that of the commands, for a fifth of the rows and for all of them. Also why JSON Lines are read with
msgspec: the three candidates on the same lines.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from bench.sentences import sentence_pairs
from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.filters import DEFAULT_RULES
from otherwords.acquire.filters.run import filter_file
from otherwords.acquire.score import score_file, score_pairs
from otherwords.measures import measure, score_columns
from otherwords.records import Pair
from otherwords.sources.blocks.block import ColumnBlock
from otherwords.sources.blocks.reading import write_pair_blocks
from otherwords.sources.reading import open_records, write_records

ROWS = int(os.environ.get("OTHERWORDS_BENCH_ROWS", 5_000_000))
MEASURES = ("char-cosine", "jaccard", "bleu")
TARGETS = {  # pairs per second
    ("score", ".parquet"): 200_000,
    ("score", ".jsonl"): 120_000,
    ("filter", ".parquet"): 200_000,
    ("filter", ".jsonl"): 200_000,
}
MOST_GROWTH = 1.1  # of the memory from a fifth of the rows to all of them
RUNS = 3  # the best counts
PARSED_ROWS = 200_000
DISTINCT = 50_000
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
    block = list(zip(*sentence_pairs(DISTINCT), strict=True))
    for number in range(count):
        text1, text2 = block[number % len(block)]
        stream.write(
            json.dumps({"id": str(number), "text1": text1, "text2": text2}, ensure_ascii=False).encode() + b"\n"
        )


def _columns(count: int) -> Iterator[ColumnBlock]:
    """The same rows as columns."""
    text1, text2 = map(pa.array, sentence_pairs(DISTINCT))
    for start in range(0, count, DISTINCT):
        rows = min(DISTINCT, count - start)
        ids = pa.array([str(number) for number in range(start, start + rows)])
        yield ColumnBlock({"id": ids, "text1": text1[:rows], "text2": text2[:rows]}, {})


def _peak(command: str, path: Path) -> int:
    """The most memory that a command had, in MB."""
    arguments = [command, str(path), "--out", str(path.with_suffix(f".out{path.suffix}"))]
    for name in MEASURES if command == "score" else ():
        arguments += ["--measure", name]
    done = subprocess.run([sys.executable, "-c", REPORTED, *arguments], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


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


def _best(pairs: int, work: Callable[[], object]) -> Took:
    return min((_took(pairs, work) for _ in range(RUNS)), key=lambda took: took.seconds)


def _ways(path: Path, count: int) -> bool:
    """The same pairs by all ways, from JSON Lines and from Parquet; whether blocks are as fast as they have to be."""
    table = path.with_suffix(".parquet")
    write_pair_blocks(_columns(count), table)
    texts = pq.read_table(table, columns=["text1", "text2"])
    chosen = [measure(name) for name in MEASURES]
    print(f"  kernels alone            {_best(count, lambda: score_columns(chosen, texts['text1'], texts['text2']))}")
    reached = []
    for file in (path, table):
        out, beside = file.with_suffix(f".out{file.suffix}"), file.with_suffix(f".records{file.suffix}")
        records = _took(count, partial(_score_records, file, beside))
        print(f"  score  {file.suffix:<9} records {records}")
        reached.append(_compared("score", file.suffix, _best(count, partial(score_file, file, out, MEASURES))))
        if out.read_bytes() != beside.read_bytes():
            raise SystemExit(f"{out} and {beside}: not the same bytes")
        filtered = _best(count, partial(filter_file, file, DEFAULT_RULES, out=out))
        reached.append(_compared("filter", file.suffix, filtered))
    return all(reached)


def _compared(command: str, suffix: str, took: Took) -> bool:
    target = TARGETS[command, suffix]
    reached = took.pairs / took.seconds >= target
    print(
        f"  {command:<6} {suffix:<9} blocks  {took}   target {target:,} {'reached' if reached else 'MISSED'}",
        flush=True,
    )
    return reached


def _memory(folder: Path) -> bool:
    """The memory of both commands for both formats; whether it stays the same."""
    peaks: dict[tuple[str, str], list[int]] = {key: [] for key in TARGETS}
    counts = max(1, ROWS // 5), ROWS
    for count in counts:
        lines, table = folder / "memory.jsonl", folder / "memory.parquet"
        with lines.open("wb") as stream:
            _lines(count, stream)
        write_pair_blocks(_columns(count), table)
        for command, suffix in TARGETS:
            peaks[command, suffix].append(_peak(command, table if suffix == table.suffix else lines))
    for (command, suffix), (few, many) in peaks.items():
        within = "reached" if many <= MOST_GROWTH * few else "MISSED"
        print(f"  {command:<6} {suffix:<9} {few:>5,} MB for {counts[0]:,}, {many:>5,} MB for {counts[1]:,}   {within}")
    return all(many <= MOST_GROWTH * few for few, many in peaks.values())


def run() -> bool:
    """Print speed and memory; whether all targets were reached."""
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as folder:
        path = Path(folder) / "pairs.jsonl"
        count = max(1, ROWS // 10)
        with path.open("wb") as stream:
            _lines(count, stream)
        print("reading JSON Lines")
        _parsers(path)
        print(f"otherwords score with {', '.join(MEASURES)}, otherwords filter with its usual rules: {count:,} pairs")
        fast = _ways(path, count)
        print(f"memory of these commands, which may grow by {MOST_GROWTH - 1:.0%}")
        return _memory(Path(folder)) and fast
