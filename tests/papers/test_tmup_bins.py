"""Suzuki et al. 2017, Table 1: positives and negatives by word overlap, from 0.5 up.

Jaccard of the blank-separated tokens as sets, in ranges cut with whole numbers: more than half of the
pairs lie exactly on an edge. (Below 0.5 the released corpus differs from the table.)
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords.measures import measure
from otherwords.measures.bins import bin_scores
from otherwords.measures.ratio import RatioMeasure

POSITIVES = [34, 38, 53, 81, 73]  # Table 1, [0.5, 0.6) … [0.9, 1.0)
NEGATIVES = [16, 13, 12 + 40, 3 + 80, 3 + 70]  # machine-translated + from Wikipedia


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> list[dict[str, str]]:
    with (shared_data / "tmup" / "tmup.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def columns(corpus: list[dict[str, str]]) -> tuple[list[str], list[str]]:
    return [row["sentence_A_ja"] for row in corpus], [row["sentence_B_ja"] for row in corpus]


def test_the_released_corpus(corpus: list[dict[str, str]]) -> None:
    assert Counter(row["label"] for row in corpus) == {"1": 363, "0": 292}


def test_ranges_from_a_half_up_are_those_of_table_1(corpus: list[dict[str, str]]) -> None:
    places = bin_scores(measure("jaccard", tokeniser="blank"), *columns(corpus))
    counts = Counter(zip((row["label"] for row in corpus), places.tolist(), strict=True))
    assert [counts["1", place] for place in range(5, 11)] == [*POSITIVES, 0]
    assert [counts["0", place] for place in range(5, 11)] == [*NEGATIVES, 0]


def test_a_sample_has_the_shape_of_the_table(shared_data: Path, tmp_path: Path) -> None:
    """As many pairs from each range, positives and negatives in turn, and no more than Table 1 has."""
    options = {"by": "jaccard:tok=blank", "bins": "0.5,0.6,0.7,0.8,0.9,1", "per_bin": 60, "balance": "label"}
    file = shared_data / "tmup" / "tmup.tsv"
    report = otherwords.sample(file, tmp_path / "sample.jsonl", seed=1, format="tmup", **options)
    *ranges, exact = report.table.ranges
    assert [row.range for row in ranges] == ["[0.5, 0.6)", "[0.6, 0.7)", "[0.7, 0.8)", "[0.8, 0.9)", "[0.9, 1.0)"]
    assert [row.available for row in ranges] == [
        {"0": negatives, "1": positives} for positives, negatives in zip(POSITIVES, NEGATIVES, strict=True)
    ]
    assert exact.available == {}
    assert [row.pairs for row in ranges] == [50, 51, 60, 60, 60]
    assert [row.drawn["0"] for row in ranges] == [16, 13, 30, 30, 30]
    assert ranges[0].reason(report.table.classes) == "only 50 pairs in this range; too few of 0: 16 of 30"
    again = otherwords.bins(tmp_path / "sample.jsonl", measure="jaccard:tok=blank")
    assert [row.pairs for row in again.ranges[5:]] == [50, 51, 60, 60, 60, 0]
    assert report.ids == otherwords.sample(file, seed=1, format="tmup", **options).ids
    assert report.ids != otherwords.sample(file, seed=2, format="tmup", **options).ids


def test_many_pairs_lie_on_an_edge(corpus: list[dict[str, str]]) -> None:
    chosen = measure("jaccard:tok=blank")
    assert isinstance(chosen, RatioMeasure)
    ratio = chosen.ratio(*columns(corpus))
    assert np.count_nonzero(10 * ratio.numerator % ratio.denominator == 0) == 365
