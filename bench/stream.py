"""A large file through ``otherwords score``: pairs per second, and memory that does not grow with the file.

Also why JSON Lines are read with msgspec: the three candidates on the same lines.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import msgspec
import pyarrow.json

from bench.sentences import sentence_pairs
from otherwords.records import Pair

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
                print(f"otherwords score with {', '.join(MEASURES)}")
            seconds, peak = _score(path)
            within &= peak < LIMIT_MB
            print(f"  {count:>10,} pairs {count / seconds:>10,.0f} pairs/s {peak:>6,} MB resident (limit {LIMIT_MB})")
    return within
