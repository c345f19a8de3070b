"""Hunting for input that breaks a reader: damaged files, one after the other, within limits of time and memory.

A reader may give what it reads or raise an OtherwordsError. Anything else, more than some seconds of one processor, or
some hundred megabytes more than before, is a find, and Hypothesis makes the damage as small as it can.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from otherwords.errors import OtherwordsError
from tests.fuzz.damage import Damage, Files, damaged, damages

SECONDS_A_CASE = 10.0  # of the processor, so that a busy machine finds nothing that is not there
MEGABYTES_A_CASE = 400
CASES_A_ROUND = 100
Read = Callable[[Path], int]  # how much was in it


@dataclass(slots=True)
class Tally:
    """What a hunt has seen."""

    cases: int = 0
    refused: int = 0
    taken: int = 0  # cases that gave something
    slowest: float = 0.0
    megabytes: int = 0

    def __str__(self) -> str:
        return (
            f"{self.cases:,} cases, {self.refused:,} refused, {self.taken:,} read, slowest {self.slowest:.2f} s, "
            f"{self.megabytes} MB more than before"
        )


class TooSlow(AssertionError):
    """A case that takes longer than any damage excuses."""


def fuzz_seconds() -> float:
    """How long one long hunt takes."""
    return float(os.environ.get("OTHERWORDS_FUZZ_SECONDS", "600"))


def hunt(read: Read, seeds: Sequence[Files], place: Path, examples: int) -> Tally:
    """So many cases, the same ones each time."""
    tally = Tally()
    ask = settings(_settings(examples), derandomize=True)(_law(read, seeds, place, tally))
    ask()
    return tally


def hunt_for(read: Read, seeds: Sequence[Files], place: Path, seconds: float) -> Tally:
    """As many cases as there is time for, other ones each time."""
    tally, end = Tally(), time.monotonic() + seconds
    while time.monotonic() < end:
        number = random.randrange(2**32)
        seed(number)(settings(_settings(CASES_A_ROUND))(_law(read, seeds, place, tally)))()
    return tally


def _settings(examples: int) -> settings:
    phases = (Phase.generate, Phase.shrink)
    return settings(max_examples=examples, database=None, phases=phases, suppress_health_check=list(HealthCheck))


def _law(read: Read, seeds: Sequence[Files], place: Path, tally: Tally) -> Callable[[], None]:
    others = [content for files in seeds for content in files.values()]

    @given(which=st.integers(0, len(seeds) - 1), done=damages)
    def law(which: int, done: list[Damage]) -> None:
        with _counted(tally):
            tally.taken += read(written(damaged(seeds[which], done, others), place)) > 0

    return law  # type: ignore[no-any-return]


@contextlib.contextmanager
def _counted(tally: Tally) -> Iterator[None]:
    tally.cases += 1
    before, start = _peak(), time.process_time()
    try:
        with within_limits():
            yield
    except OtherwordsError:
        tally.refused += 1
    tally.slowest = max(tally.slowest, time.process_time() - start)
    grown = _peak() - before
    tally.megabytes += grown
    assert grown < MEGABYTES_A_CASE, f"one case took {grown} MB"


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@contextlib.contextmanager
def within_limits() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {SECONDS_A_CASE} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_A_CASE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def written(files: Files, place: Path) -> Path:
    """Files on disk, nothing else beside them; the file or the folder that they are."""
    shutil.rmtree(place, ignore_errors=True)
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return place / next(iter(files)).split("/")[0]


def files_of(path: Path) -> Files:
    """A file, or those of a folder, under its own name."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path.parent).as_posix(): file.read_bytes() for file in files}
