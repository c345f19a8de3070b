"""The search for near copies: whatever it looks up, it finds what comparing everything finds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from otherwords import _kernels
from otherwords.corpus.leaks.find import compare_parts
from otherwords.records import Pair
from tests.corpus.leaks.test_find import dice
from tests.corpus.splitting import pair

CHANCE = 7


def sentences(count: int, words: list[str], chance: random.Random) -> list[str]:
    return [" ".join(chance.choices(words, k=8)) for _ in range(count)]


def changed(text: str, chance: random.Random) -> str:
    """The text with a letter more, or with a word of another one."""
    words = text.split()
    place = chance.randrange(len(words))
    words[place] += chance.choice(["s", "n", "", "ba"])
    return " ".join(words)


@pytest.mark.parametrize("same_second", [1, 3, 200])
def test_texts_without_rare_trigrams_and_texts_that_everybody_has(same_second: int) -> None:
    """With one second text for all pairs only the first is worth looking up, otherwise both are."""
    chance = random.Random(CHANCE)
    words = ["".join(chance.choices(["ba", "na", "nab", "ab"], k=3)) for _ in range(40)]
    first, second = sentences(200, words, chance), sentences(same_second, words, chance)
    pairs_a = [pair(f"a{number:03}", text, second[number % same_second]) for number, text in enumerate(first)]
    pairs_b = [
        pair(f"b{number:03}", changed(old.text2, chance), changed(old.text1, chance))
        for number, old in enumerate(chance.sample(pairs_a, 60))
    ] + [pair(f"c{number:03}", *sentences(2, words, chance)) for number in range(60)]
    result = compare_parts({"a": pairs_a, "b": pairs_b}, 0.8)["a", "b"]
    near = {row["b"]["id"]: row["similarity"] for row in result.rows("near")}
    known = {row["b"]["id"] for kind in ("exact", "mirrored", "normalised") for row in result.rows(kind)}
    best = {row.id: max(_similarity(row, other) for other in pairs_a) for row in pairs_b if row.id not in known}
    expected = {name: similarity for name, similarity in best.items() if similarity >= 0.8}
    assert near == pytest.approx(expected)
    assert len(expected) > 20


def _similarity(row: Pair, other: Pair) -> float:
    straight = min(dice(row.text1, other.text1), dice(row.text2, other.text2))
    return max(straight, min(dice(row.text2, other.text1), dice(row.text1, other.text2)))


def test_the_kernel_refuses_entries_of_pairs_that_are_not_there() -> None:
    features, starts = np.array([5], np.uint64), np.array([0, 1], np.int64)
    sizes, signatures = np.array([3, 3], np.int32), np.zeros(4, np.uint64)
    one, outside = np.array([1], np.int32), np.array([2], np.int32)
    index = _kernels.near_index(features, starts, one, one, one, sizes, signatures)
    with pytest.raises(ValueError, match="entries of its pairs"):
        _kernels.near_index(features, starts, outside, one, one, sizes, signatures)
    with pytest.raises(ValueError, match="rising starts"):
        _kernels.near_index(features, starts + 1, one, one, one, sizes, signatures)
    with pytest.raises(ValueError, match="the text of a pair"):
        _kernels.near_candidates(index, features, outside, one, sizes, signatures, 0.8)
    with pytest.raises(ValueError, match="a threshold up to 1"):
        _kernels.near_candidates(index, features, one, one, sizes, signatures, float("nan"))
    with pytest.raises(ValueError, match="capsule|Capsule"):
        _kernels.near_candidates(features, features, one, one, sizes, signatures, 0.8)
    with pytest.raises(IndexError):
        _kernels.near_candidates(index)
