"""Every verdict, and what sampling explains, against plain counting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from otherwords.analyse.reproduce.item import PaperItem
from otherwords.analyse.reproduce.recomputed import Recomputed, among, count_value, ratio_value, share_value
from otherwords.analyse.reproduce.verdict import BEYOND, UNKNOWN, decide, parse_printed

ITEM = PaperItem("Table 1", "row", "column", "2.22", lambda data: None, "the file")
PART = Recomputed(2.0, 400, whole=856, low=1.5, high=2.5)


@pytest.mark.parametrize(
    ("printed", "number", "equal"),
    [
        ("2.22", 2.2249, True), ("2.22", 2.2151, True), ("2.22", 2.2251, False), ("86,170", 86170.4, True),
        ("98%", 97.5, True), ("98%", 97.4, False), ("<1%", 0.99, True), ("<1%", 1.0, False), ("0.60", 0.6, True),
    ],
)  # fmt: skip
def test_equal_at_the_printed_precision(printed: str, number: float, equal: bool) -> None:
    assert parse_printed(printed).equals(number) is equal


def test_a_printed_number_may_be_rounded_more_than_its_digits_say() -> None:
    assert parse_printed("4300", step=100).equals(4349)
    assert not parse_printed("4300").equals(4349)


@pytest.mark.parametrize(
    ("item", "value", "verdict", "reason"),
    [
        (ITEM, Recomputed(2.2222, 856, whole=856), "equal", ""),
        (ITEM, Recomputed(2.2222, 856), "equal", ""),
        (ITEM, Recomputed(2.3, 856, whole=856), "different", UNKNOWN),
        (replace(ITEM, because="quotes are doubled", within=0.1), Recomputed(2.3, 856), "close", "quotes are doubled"),
        (replace(ITEM, because="quotes are doubled", within=0.01), Recomputed(2.3, 856),
         "different", "quotes are doubled"),
        (ITEM, PART, "close", "on 400 of 856 pairs: sampling explains 1.500 to 2.500"),
        (ITEM, replace(PART, number=2.22), "close", "on 400 of 856 pairs: sampling explains 1.500 to 2.500"),
        (ITEM, replace(PART, high=2.1), "different",
         f"on 400 of 856 pairs: sampling explains 1.500 to 2.100; {BEYOND}"),
        (ITEM, replace(PART, high=2.1, because="other films"), "different",
         "on 400 of 856 pairs: sampling explains 1.500 to 2.100; other films"),
        (ITEM, replace(PART, low=None), "not here", "on 400 of 856 pairs"),
        (ITEM, Recomputed(2.22, 900, whole=856), "equal", "900 pairs are released, 856 are in the paper"),
        (ITEM, None, "not here", "the file"),
        (replace(ITEM, compute=None), None, "not released", "the file"),
        (replace(ITEM, printed=None), Recomputed(2.0, 5), "drawn", ""),
        (replace(ITEM, printed=None), None, "not here", "the file"),
        (replace(ITEM, printed=None, compute=None), None, "not released", "the file"),
    ],
)  # fmt: skip
def test_verdict(item: PaperItem, value: Recomputed | None, verdict: str, reason: str) -> None:
    result = decide(item, value)
    assert (result.verdict, result.reason) == (verdict, reason)
    assert (result.ours is None) is (value is None)


def test_a_part_of_the_data_is_never_equal_however_near_it_comes() -> None:
    assert decide(ITEM, replace(PART, number=2.22, low=2.2199, high=2.2201)).verdict == "close"


def width(value: Recomputed) -> float:
    assert value.low is not None
    assert value.high is not None
    return value.high - value.low


def test_nearly_all_of_the_data_leave_little_to_chance() -> None:
    half, nearly = among(50, 100, 200), among(50, 100, 101)
    assert width(half) == pytest.approx(200 * 2 * 1.96 * 0.05 * 0.5**0.5, rel=0.02)
    assert width(nearly) < 0.2 * width(half)
    assert among(50, 200, 200) == Recomputed(50, 200, whole=200)


def test_the_interval_covers_the_whole_as_often_as_it_says() -> None:
    """Clusters of unequal size, drawn from a finite population: in about 95 of 100 draws the truth is inside."""
    random = np.random.default_rng(5)
    sizes = random.integers(1, 30, 300)
    shares = random.beta(2, 2, 300)
    hits = random.binomial(sizes, shares)
    truth, inside = 100 * hits.sum() / sizes.sum(), 0
    for _ in range(300):
        drawn = random.choice(300, 120, replace=False)
        value = ratio_value(((str(place), float(hits[place]), float(sizes[place])) for place in drawn), 120, 300, 100.0)
        assert value is not None
        inside += abs(value.number - truth) <= width(value) / 2
    assert 0.91 <= inside / 300 <= 0.985


def test_a_count_is_multiplied_up_and_says_so() -> None:
    value = count_value(((str(place), 3.0) for place in range(40)), 40, 100)
    assert (value.number, value.low, value.high) == (300, 300, 300)
    assert value.note == "120 here, 300 if the rest is alike"


def test_a_share_of_nothing_is_none() -> None:
    assert share_value(0, 0, 0, 100) is None
