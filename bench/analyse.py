"""All analyses of 100,000 labelled pairs in one pass, with their figures, and two such corpora beside each other.

The sentences are put together from a small list of words; they mean nothing, but are as long as those of subtitles.
The report does all this and more in two minutes, so the analyses alone are given one.
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from pathlib import Path

from otherwords.analyse.catalogue import COMPARISONS, PAIR_ANALYSES, AnalysisOptions, run_analyses
from otherwords.analyse.report.export import write_findings
from otherwords.corpus.corpus import open_corpus

PAIRS = 100_000
SECONDS, MEGABYTES = 60.0, 2_000.0
LABELS = ("4", "4", "4<", "4>", "4s", "3", "3", "2", "1")
WORDS = [
    start + end
    for start in ("bar", "del", "fin", "gor", "hal", "kem", "lur", "mas", "nel", "pod", "ras", "sil", "tov", "vem")
    for end in ("a", "en", "ing", "o", "is", "ula", "ert", "am", "ys", "ond", "ki", "est", "ra", "ub", "iva")
]


def sentence(chance: random.Random) -> list[str]:
    return [chance.choice(WORDS) for _ in range(chance.randint(3, 14))]


def row(number: int, chance: random.Random) -> dict[str, object]:
    first = sentence(chance)
    kept = [word if chance.random() < 0.5 else chance.choice(WORDS) for word in first]
    texts = {f"text{side}": " ".join(words).capitalize() + "." for side, words in ((1, first), (2, kept))}
    label, source = chance.choice(LABELS), chance.choice(("subtitles", "news", "forum"))
    return {"id": str(number), "lang": "en", "source": source, "group": f"g{number // 20}", "label": label, **texts}


def write(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row(number, chance)) + "\n" for number in range(PAIRS))


def run() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{name}.jsonl" for name in "ab"]
        for seed, path in enumerate(paths):
            write(path, seed)
        begun = time.perf_counter()
        found = run_analyses([open_corpus(paths[0])], AnalysisOptions(), PAIR_ANALYSES.names())
        seconds = time.perf_counter() - begun
        files = write_findings(found, Path(folder) / "out")
        drawn = time.perf_counter() - begun - seconds
        begun = time.perf_counter()
        run_analyses([open_corpus(path) for path in paths], AnalysisOptions(), COMPARISONS.names())
        compared = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"analyse: {PAIRS:,} pairs")
    print(f"  {len(found[0].findings)} analyses in one pass {seconds:.1f} s, {files} files {drawn:.1f} s")
    print(f"  two such corpora beside each other {compared:.1f} s")
    print(f"  target {SECONDS:.0f} s for the first two together; peak memory {peak:,.0f} MB (target {MEGABYTES:,.0f})")
    return seconds + drawn < SECONDS and peak < MEGABYTES
