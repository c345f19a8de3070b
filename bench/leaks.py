"""Splitting a million pairs, and looking for leaks between 100,000 pairs and 100,000 others.

The pairs are made of a small vocabulary, so that many are similar by chance and the search has work to do; one in a
hundred is a near copy on purpose. Time and memory are those of the whole work, reading included.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator

from otherwords.corpus.leaks import leaks_between
from otherwords.corpus.split import split_of
from otherwords.corpus.split_columns import of_pairs
from otherwords.corpus.split_wishes import Wishes
from otherwords.records import Pair

SYLLABLES = [first + vowel + last for first in "bdfghklmnprstvw" for vowel in "aeiou" for last in ("", "n", "s", "t")]
COMPARED, NEAR, COMPARED_SECONDS = 100_000, 0.9, 60.0
SPLIT, SPLIT_SECONDS, SPLIT_MEGABYTES = 1_000_000, 20.0, 1024.0


def pairs(count: int, seed: int) -> Iterator[Pair]:
    """Pairs of made-up words, some frequent and most rare; texts of a pair share half of theirs."""
    chance = random.Random(seed)
    words = ["".join(random.Random(number).choices(SYLLABLES, k=2 + number % 3)) for number in range(8000)]
    for number in range(count):
        drawn = [words[int(8000 * chance.random() ** 3)] for _ in range(12)]
        label = "1234"[number * 7 % 4]
        one, two = " ".join(drawn[:8]), " ".join(drawn[4:])
        yield Pair(id=f"{seed}-{number}", text1=one, text2=two, label=label, group=f"g{number // 9}")


def copied(count: int, seed: int) -> Iterator[Pair]:
    """Pairs of another seed, and now and then one of the first with a letter more."""
    others = pairs(count, 1)
    for number, one in enumerate(pairs(count, seed)):
        first = next(others)
        yield Pair(id=one.id, text1=first.text2 + "s", text2=first.text1) if number % 100 == 0 else one


def _leaks() -> bool:
    start = time.perf_counter()
    found = leaks_between({"a": pairs(COMPARED, 1), "b": copied(COMPARED, 2)}, NEAR)["a", "b"]
    seconds = time.perf_counter() - start
    print(f"  {COMPARED:,} × {COMPARED:,} pairs, near {NEAR}, in {seconds:.1f} s (limit {COMPARED_SECONDS:g})")
    print(f"    {found.counts}")
    return seconds <= COMPARED_SECONDS and found.counts["near"] >= COMPARED // 100


def _split(wishes: Wishes) -> bool:
    rows = list(pairs(SPLIT, 3))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    made = split_of(of_pairs(lambda: rows), wishes)
    seconds = time.perf_counter() - start
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    told = ", ".join(f"{one['part']} {one['pairs']:,}" for one in made.summary["sizes"])
    asked = f"by {wishes.by}{' with components' if wishes.components else ''}"
    print(f"  {SPLIT:,} pairs {asked} in {seconds:.1f} s (limit {SPLIT_SECONDS:g}), {more:.0f} MB more: {told}")
    return seconds <= SPLIT_SECONDS and more <= SPLIT_MEGABYTES


def run() -> bool:
    """Print times and memory; whether the targets are reached."""
    print("splits and leaks")
    reached = [_split(Wishes(by="group")), _split(Wishes(by="pair", components=True)), _leaks()]
    return all(reached)
