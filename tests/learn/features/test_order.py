"""Word order on pairs that can be counted by hand, and its laws."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.learn.features.extractor import FeatureExtractor
from otherwords.learn.features.lexical import Rarity
from otherwords.learn.features.matching import match_words
from otherwords.learn.features.order import order_features
from otherwords.learn.features.permutations import permutations_of
from otherwords.learn.features.words import WordNumbers
from otherwords.text.packs import pack

ORDERS = st.integers(0, 12).flatmap(lambda size: st.permutations(range(size)))


def features(text1: str, text2: str, lang: str = "en") -> dict[str, float]:
    numbers = WordNumbers(pack(lang))
    words1, words2 = numbers.read([text1]), numbers.read([text2])
    columns = order_features(words1, words2, match_words(words1, words2))
    return {name: float(column[0]) for name, column in columns.items()}


@pytest.mark.parametrize(
    ("text1", "text2", "expected"),
    [
        (
            "on Monday Ann met Ben",
            "on Monday Ann met Ben",
            {"kendall": 1, "inversions": 0, "blocks": 1, "moved words": 0, "swapped words": 0, "same beginning": 5},
        ),
        (  # two names change places: a b c d e → a b e d c
            "on Monday Ann met Ben",
            "on Monday Ben met Ann",
            {
                "inversions": 3,
                "kendall": 1 - 2 * 3 / 10,
                "subsequence share": 3 / 5,
                "swapped names": 2,
                "distance of swapped words": 2,
                "single names": 2,
                "same beginning": 2,
                "same end": 0,
                "words in place": 3 / 5,
            },
        ),
        (  # a phrase moves as a whole: a b c d e → c d e a b
            "on Monday Ann met Ben",
            "Ann met Ben on Monday",
            {"inversions": 6, "blocks": 2, "longest block": 3, "mean block": 2.5, "blocks of one word": 0},
        ),
        (
            "we saw red boats",
            "we saw boats red",
            {"swapped neighbours": 1, "inversions": 1, "swapped content words": 2, "swapped names": 0},
        ),
        (
            "she paid 20 crowns",
            "she never paid 30 crowns",
            {
                "numbers only in A": 1,
                "numbers only in B": 1,
                "numbers only in one": 2,
                "difference of negations": 1,
                "matched words": 3,
                "place of words only in A": 5 / 8,
            },
        ),
        ("the boats sailed", "the boat sailed", {"matched words": 3, "matched by stem": 1, "matched share": 1}),
        ("", "a word", {"matched words": 0, "kendall": 1, "blocks": 0, "matched share": 0}),
    ],
)
def test_counted_by_hand(text1: str, text2: str, expected: dict[str, float]) -> None:
    found = features(text1, text2)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_equal_words_are_matched_by_their_neighbours() -> None:
    numbers = WordNumbers(pack("en"))
    words1, words2 = numbers.read(["the cat and the dog"]), numbers.read(["the dog and the cat"])
    matched = match_words(words1, words2)
    assert dict(zip(matched.first.tolist(), matched.second.tolist(), strict=True)) == {0: 3, 1: 4, 2: 2, 3: 0, 4: 1}


@given(st.lists(ORDERS, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_permutations_agree_with_plain_counting(orders: list[list[int]]) -> None:
    """All permutations of a block at once, against one after the other."""
    numbers = WordNumbers(pack("en"))
    names = [f"w{number}x" for number in range(12)]
    first = numbers.read([" ".join(names[: len(order)]) for order in orders])
    second = numbers.read([" ".join(names[number] for number in order) for order in orders])
    permutations = permutations_of(match_words(first, second), len(orders))
    for number, order in enumerate(orders):
        places = [order.index(word) for word in range(len(order))]
        assert permutations.inversions[number] == sum(a > b for a, b in combinations(places, 2))
        longest = [1] * len(places)
        for end in range(len(places)):
            longest[end] += max((longest[start] for start in range(end) if places[start] < places[end]), default=0)
        assert permutations.longest[number] == max(longest, default=0)


def extractor(threads: int | None = None) -> FeatureExtractor:
    texts = ["Ann met Ben", "Ben met Ann", "nobody came"]
    return FeatureExtractor("en", Rarity.of_texts(texts, pack("en")), threads=threads)


def test_values_do_not_depend_on_threads_or_on_the_pairs_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    texts1 = pa.array([f"Ann {number} met Ben and {'more ' * (number % 7)}people" for number in range(50)])
    texts2 = pa.array([f"Ben met {'few ' * (number % 3)}people and Ann {number // 2}" for number in range(50)])
    whole = extractor(1).tables(texts1, texts2)
    monkeypatch.setattr("otherwords.learn.features.extractor.PAIRS_PER_BLOCK", 7)
    in_parts = extractor(3).tables(texts1, texts2)
    assert all(np.array_equal(one, many) for one, many in zip(whole, in_parts, strict=True))
    assert whole[0].shape == (50, len(extractor().names))


def test_the_second_table_is_that_of_the_swapped_pairs() -> None:
    texts1, texts2 = pa.array(["Ann met Ben yesterday", "nobody"]), pa.array(["Ben met Ann", "somebody came 2 times"])
    forward, backward = extractor().tables(texts1, texts2)
    swapped, again = extractor().tables(texts2, texts1)
    assert np.array_equal(backward, swapped)
    assert np.array_equal(forward, again)
    assert not np.array_equal(forward, backward)


def test_no_pairs_and_empty_texts() -> None:
    nothing = pa.array([], pa.large_string())
    assert extractor().tables(nothing, nothing)[0].shape == (0, len(extractor().names))
    empty = pa.array(["", "…"])
    assert np.isfinite(extractor().tables(empty, empty)[0]).all()


def test_rare_words_weigh_more() -> None:
    rarity = Rarity.of_texts(["a boat", "a lamp", "a boat", "a boat and a lamp"], pack("en"))
    assert rarity == Rarity(3, {"a": 3, "boat": 2, "lamp": 2})
    numbers = WordNumbers(pack("en"))
    numbers.read(["a boat zebra"])
    assert rarity.weights(numbers).tolist() == pytest.approx([1.0, np.log(4 / 3) + 1, np.log(2) + 1])
