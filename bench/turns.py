"""Systems that do the same work in turns, so that whatever else the machine does meets all of them; and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """The fastest time of a system, and the processor time of its most sparing turn; what it answered at first."""

    answer: Any
    seconds: float
    processor: float


def in_turns(systems: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Turn]:
    """Run every system once to warm it, then all of them in turns."""
    answers = {name: system() for name, system in systems.items()}
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    processor: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(rounds):
        for name, system in systems.items():
            start, used = time.perf_counter(), time.process_time()
            system()
            seconds[name].append(time.perf_counter() - start)
            processor[name].append(time.process_time() - used)
    return {name: Turn(answers[name], min(seconds[name]), min(processor[name])) for name in systems}


def speed(turn: Turn, peer: Turn, rows: int) -> str:
    """Rows a second, and how many times that is of a peer, by the clock and by processor time."""
    ratio, processor = peer.seconds / turn.seconds, peer.processor / turn.processor
    return f"{rows / turn.seconds:>7,.0f} /s {ratio:>5.2f} × ({processor:.2f} × by processor time)"


def resident_mb() -> float:
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def memory_points(work: Callable[[int], object], rows: int, block: int) -> tuple[float, float]:
    """Resident memory after a tenth of the rows and after all, which ``work`` does in blocks; printed as well."""
    sizes = []
    for start in range(0, rows, block):
        work(min(block, rows - start))
        sizes.append(resident_mb())
    tenth = max(1, len(sizes) // 10)
    early, late = sizes[tenth - 1], sizes[-1]
    print(f"  memory after {tenth * block:,} rows {early:,.0f} MB, after {rows:,} {late:,.0f} MB", flush=True)
    return early, late
