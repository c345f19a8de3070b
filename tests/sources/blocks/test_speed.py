"""Columns are why there are blocks: from Parquet to Parquet they take much less work than records."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.score import score_file, score_pairs
from otherwords.records import Pair
from otherwords.sources.reading import open_records, write_records

ROWS = 4000
LEAST = 2.0  # the ratio is above five where nothing else happens


def best_of_three(work: Callable[[], object]) -> float:
    """The least time of the processors, which other processes hardly change."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def score_records(source: Path, target: Path) -> None:
    with open_records(source) as corpus:
        write_records(score_pairs(corpus.pairs(), SelectedMeasures(["jaccard"]), 1), target)


def test_columns_take_less_work_than_records(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    write_records([Pair(id=str(n), text1=f"a b {n}", text2=f"b c {n % 7}") for n in range(ROWS)], source)
    records = best_of_three(partial(score_records, source, tmp_path / "a.parquet"))
    columns = best_of_three(partial(score_file, source, tmp_path / "b.parquet", ["jaccard"], threads=1))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert records > LEAST * columns, f"{records / columns:.1f}"
