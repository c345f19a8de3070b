"""Hard negatives: near, of another cluster, and not nearer than the margin allows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from otherwords.learn.encoders import hard_negatives
from otherwords.learn.encoders.hard_negatives import AT_RANDOM, MISSING, SAME_CLUSTER, TOO_CLOSE, mine_hard_negatives
from otherwords.learn.encoders.mixes import TrainingMix
from otherwords.records import Pair

TEXTS = {"anchor": 0, "positive": 25, "sibling": 5, "close": 10, "near": 40, "far": 80, "farther": 85}  # degrees


def vectors(texts: list[str]) -> np.ndarray:
    angles = np.radians([TEXTS[text] for text in texts])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def mix() -> TrainingMix:
    ends = [("anchor", "positive"), ("anchor", "sibling"), ("close", "near"), ("far", "farther")]
    pairs = [Pair(id=str(number), text1=first, text2=second) for number, (first, second) in enumerate(ends)]
    clusters1, clusters2 = np.array([0, 0, 1, 3]), np.array([0, 0, 2, 4])
    return TrainingMix(pairs, np.array([True, True, False, False]), clusters1, clusters2, Counter())


def test_what_is_nearer_than_the_margin_is_skipped_and_counted() -> None:
    found = mine_hard_negatives(mix(), 1, 0.95, 0, vectors)
    assert found.texts == [("near",), ("near",), (), ()]  # cos 40 = 0.77 < 0.95 cos 25 = 0.86 < cos 10 = 0.98
    assert found.clusters == [(2,), (2,), (), ()]
    assert found.counts == {TOO_CLOSE: 2, SAME_CLUSTER: 4}


def test_a_margin_of_one_takes_what_is_no_nearer_than_the_positive() -> None:
    wide = mine_hard_negatives(mix(), 1, 1.0, 0, vectors)
    assert wide.texts[1] == ("close",)  # its positive is at 5 degrees
    assert wide.texts[0] == ("near",)


def test_too_few_are_filled_up_at_random_below_the_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hard_negatives, "LOOKED_AT", 1)  # the anchor itself
    found = mine_hard_negatives(mix(), 1, 0.95, 0, vectors)
    assert found.counts[AT_RANDOM] == 2
    assert {text for texts in found.texts for text in texts} <= {"near", "far", "farther"}


def test_what_is_missing_is_counted() -> None:
    found = mine_hard_negatives(mix(), 4, 0.95, 0, vectors)
    assert [set(texts) for texts in found.texts] == [{"near", "far", "farther"}] * 2 + [set()] * 2
    assert found.counts[MISSING] == 2
