"""Scores on all cores.

Rows are scored in stretches, each on one thread and by the same code as on one, so that the values do
not depend on how many threads there are. The kernels release the GIL.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from otherwords.errors import UsageError
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Texts, same_length, text_array

ROWS_A_STRETCH = 4096


def score_columns(
    measures: Sequence[Measure], texts1: Texts, texts2: Texts, threads: int | None = None
) -> dict[str, Floats]:
    """The scores of every measure, by its name."""
    one, two = text_array(texts1), text_array(texts2)
    pairs = same_length(one, two)
    names = [each.name for each in measures]
    if len(set(names)) < len(names):
        raise UsageError(f"a measure is named twice: {', '.join(names)}")
    threads = threads or cores()
    rows = min(ROWS_A_STRETCH, -(-pairs // threads) or 1)
    scores = {name: np.empty(pairs, np.float64) for name in names}

    def score(task: tuple[Measure, int]) -> None:
        each, start = task
        stretch = slice(start, start + rows)
        scores[each.name][stretch] = each.scores(one[stretch], two[stretch])

    tasks = [(each, start) for each in measures for start in range(0, pairs, rows)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(score, tasks))
    return scores


def cores() -> int:
    """How many threads can run at once: those that this process is allowed, not all that the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
