"""Random draws: the number asked for, whatever the order; another seed gives another draw."""

from __future__ import annotations

from collections import Counter

from otherwords.analyse.findings.examples import RandomDraw
from otherwords.records import Pair
from tests.analyse.corpora import shuffled

PAIRS = [Pair(id=str(number), text1=f"Boat {number}.", text2=f"Ship {number}.") for number in range(200)]


def drawn(pairs: list[Pair], count: int, seed: int) -> list[str]:
    draw = RandomDraw(count, seed)
    for pair in pairs:
        draw.offer(pair)
    return [pair.id for pair in draw.drawn()]


def test_order_does_not_matter_and_the_seed_does() -> None:
    assert drawn(PAIRS, 5, 0) == drawn(shuffled(PAIRS), 5, 0)
    assert drawn(PAIRS, 5, 0) != drawn(PAIRS, 5, 1)


def test_a_larger_draw_contains_the_smaller() -> None:
    assert drawn(PAIRS, 6, 0)[:5] == drawn(PAIRS, 5, 0)
    assert drawn(PAIRS, 0, 0) == []
    assert sorted(drawn(PAIRS, 500, 0)) == sorted(pair.id for pair in PAIRS)


def test_every_pair_has_the_same_chance() -> None:
    counts = Counter(pair for seed in range(400) for pair in drawn(PAIRS[:10], 3, seed))
    assert all(80 < counts[pair.id] < 160 for pair in PAIRS[:10])  # 120 are expected


def test_repeated_pairs_can_be_drawn_twice() -> None:
    assert drawn([PAIRS[0], PAIRS[0], PAIRS[1]], 3, 0).count("0") == 2
