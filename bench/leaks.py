"""Splitting a million pairs, and looking for leaks between 100,000 pairs and 100,000 others.

The pairs are made of a small vocabulary, so that many are similar by chance and the search has work to do; one in a
hundred is a near copy on purpose. Time and memory are those of the whole work, reading included. The command runs in a
process of its own, whose peak of memory includes the interpreter and all libraries.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from otherwords.corpus.leaks.find import compare_parts
from otherwords.corpus.splits.columns import columns_of_pairs
from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.split import split_corpus
from otherwords.records import Pair
from otherwords.sources.reading import write_records

SYLLABLES = [first + vowel + last for first in "bdfghklmnprstvw" for vowel in "aeiou" for last in ("", "n", "s", "t")]
COMPARED, NEAR, COMPARED_SECONDS = 100_000, 0.9, 60.0
LARGE = 137_000
SMALL = {1_600: (8.0, 300.0), 42_000: (30.0, 400.0)}  # seconds and MB for comparing LARGE pairs with so many
SPLIT, SPLIT_SECONDS, SPLIT_MEGABYTES = 1_000_000, 20.0, 1024.0


def pairs(count: int, seed: int) -> Iterator[Pair]:
    """Pairs of invented words, some frequent and most rare; texts of a pair share half of theirs."""
    chance = random.Random(seed)
    words = ["".join(random.Random(number).choices(SYLLABLES, k=2 + number % 3)) for number in range(8000)]
    for number in range(count):
        drawn = [words[int(8000 * chance.random() ** 3)] for _ in range(12)]
        label = "1234"[number * 7 % 4]
        text1, text2 = " ".join(drawn[:8]), " ".join(drawn[4:])
        yield Pair(id=f"{seed}-{number}", text1=text1, text2=text2, label=label, group=f"g{number // 9}")


def copied(count: int, seed: int) -> Iterator[Pair]:
    """Pairs of another seed, and now and then one of the first with a letter more."""
    others = pairs(count, 1)
    for number, pair in enumerate(pairs(count, seed)):
        original = next(others)
        yield Pair(id=pair.id, text1=original.text2 + "s", text2=original.text1) if number % 100 == 0 else pair


def _leaks() -> bool:
    start = time.perf_counter()
    found = compare_parts({"a": pairs(COMPARED, 1), "b": copied(COMPARED, 2)}, NEAR)["a", "b"]
    seconds = time.perf_counter() - start
    print(f"  {COMPARED:,} × {COMPARED:,} pairs, near {NEAR}, in {seconds:.1f} s (limit {COMPARED_SECONDS:g})")
    print(f"    {found.counts}")
    return seconds <= COMPARED_SECONDS and found.counts["near"] >= COMPARED // 100


def _command() -> bool:
    """The command in a process of its own."""
    reached = True
    with tempfile.TemporaryDirectory() as folder:
        large = str(Path(folder) / "large.jsonl")
        write_records(pairs(LARGE, 1), large)
        for count, (most_seconds, megabytes) in SMALL.items():  # ascending: the peak is that of all processes so far
            small = str(Path(folder) / f"{count}.jsonl")
            write_records(copied(count, 2), small)
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [sys.executable, "-m", "otherwords", "leaks", large, small], capture_output=True, check=False
            )
            seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            peak = after.ru_maxrss / 1024
            took = f"{seconds:.1f} s (limit {most_seconds:g}; {busy:.1f} s of processor)"
            print(f"  {LARGE:,} × {count:,} pairs in {took}, {peak:.0f} MB (limit {megabytes:g})")
            reached &= peak <= megabytes and seconds <= most_seconds
    return reached


def _split(options: SplitOptions) -> bool:
    rows = list(pairs(SPLIT, 3))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    split = split_corpus(columns_of_pairs(lambda: rows), options)
    seconds = time.perf_counter() - start
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    sizes = ", ".join(f"{part['part']} {part['pairs']:,}" for part in split.summary["sizes"])
    asked = f"by {options.by}{' with components' if options.components else ''}"
    print(f"  {SPLIT:,} pairs {asked} in {seconds:.1f} s (limit {SPLIT_SECONDS:g}), {more:.0f} MB more: {sizes}")
    return seconds <= SPLIT_SECONDS and more <= SPLIT_MEGABYTES


def run() -> bool:
    """Print times and memory; whether the targets are reached."""
    print("splits and leaks")
    reached = [_command(), _split(SplitOptions(by="group")), _split(SplitOptions(by="pair", components=True)), _leaks()]
    return all(reached)
