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


def test_many_pairs_lie_on_an_edge(corpus: list[dict[str, str]]) -> None:
    chosen = measure("jaccard:tok=blank")
    assert isinstance(chosen, RatioMeasure)
    ratio = chosen.ratio(*columns(corpus))
    assert np.count_nonzero(10 * ratio.numerator % ratio.denominator == 0) == 365
