"""Reproducible chance."""

from __future__ import annotations

from statistics import mean, median

from otherwords.simulate.chance import choose, draw, key_of, seconds


def test_a_draw_follows_from_its_names() -> None:
    assert draw("a", 1) == draw("a", 1)
    assert len({draw("a", 1), draw("a", 2), draw("b", 1), draw("a1"), draw("a", "1", "")}) == 5
    assert key_of("a") == key_of("a") != key_of("b")
    assert key_of("\ud800").isprintable()


def test_draws_are_spread_evenly() -> None:
    drawn = [draw("even", number) for number in range(4000)]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert abs(mean(drawn) - 0.5) < 0.02
    chosen = [choose("abcd", number) for number in range(4000)]
    assert all(abs(chosen.count(letter) - 1000) < 120 for letter in "abcd")


def test_seconds_are_log_normal_around_their_median() -> None:
    taken = [seconds(8.0, number) for number in range(4000)]
    assert abs(median(taken) - 8) < 0.3
    assert mean(taken) > median(taken)
    assert abs(sum(8 * 0.6065 < duration < 8 * 1.6487 for duration in taken) / 4000 - 0.683) < 0.03
    assert 1 < min(taken) < max(taken) < 60
