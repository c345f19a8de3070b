"""Near and random candidates: the range, where the two come from, a draw that can be repeated, and all similar sets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.acquire.candidates import MADE
from otherwords.acquire.near import (
    BEYOND,
    NOT_WITHIN,
    OUTSIDE,
    SAME_TEXT,
    SIMILARITY,
    NearOptions,
    near_pairs,
    random_pairs,
    similar_sets,
)
from otherwords.measures import measure
from otherwords.records import Document, Pair
from tests.conftest import EXAMPLES

POOL = [
    Document(id=f"s{number:03}", text=line, lang="en", source="sentences", group=f"g{number % 7}")
    for number, line in enumerate((EXAMPLES / "sources/sentences/harbour.txt").read_text().splitlines())
]
SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=25)
THRESHOLDS = st.sampled_from([Fraction(tenths, 10) for tenths in range(1, 11)] + [Fraction(1, 3), Fraction(2, 3)])


def similarity(pair: Pair) -> float:
    return float(measure(SIMILARITY, lang="en").scores([pair.text1], [pair.text2])[0])


def test_all_pairs_within_the_range_are_found() -> None:
    texts = [document.text for document in POOL]
    pairs = list(combinations(range(len(POOL)), 2))
    scores = measure(SIMILARITY, lang="en").scores([texts[a] for a, _ in pairs], [texts[b] for _, b in pairs])
    expected = {
        (POOL[first].id, POOL[second].id)
        for (first, second), score in zip(pairs, scores, strict=True)
        if 0.25 <= score <= 0.5
    }
    result = near_pairs(POOL, NearOptions(low=0.25, high=0.5, most=10_000))
    found = {(pair.doc1.id, pair.doc2.id) for pair in result.pairs if pair.doc1 and pair.doc2}
    assert found == expected
    assert expected
    assert result.seen == len(found) + result.reasons.total()


def test_scores_and_provenance_are_those_of_the_measure() -> None:
    for pair in near_pairs(POOL, NearOptions(low=0.2, most=20, seed=4)).pairs:
        assert pair.scores[SIMILARITY] == similarity(pair)
        low = float(pair.meta[MADE]["range"][1:4])
        assert low <= similarity(pair) < low + 0.1
        assert pair.meta[MADE]["seed"] == 4
        assert pair.label is None


def test_the_draw_is_the_same_for_any_order_and_another_for_another_seed() -> None:
    options = NearOptions(low=0.2, most=20)
    first = near_pairs(POOL, options)
    ids = {pair.id for pair in first.pairs}
    assert len(ids) == 20
    assert first.reasons[BEYOND] == first.seen - 20 - (first.reasons.total() - first.reasons[BEYOND])
    assert {pair.id for pair in near_pairs(POOL, NearOptions(low=0.2, most=20, seed=1)).pairs} != ids
    assert [pair.id for pair in near_pairs(POOL, options).pairs] == [pair.id for pair in first.pairs]


@pytest.mark.parametrize("find", [near_pairs, random_pairs])
def test_both_of_one_group_or_of_two(find: object) -> None:
    assert callable(find)
    groups = {document.id: document.group for document in POOL}
    for within, same in (("group", True), ("other-groups", False)):
        result = find(POOL, NearOptions(low=0.15, most=15, within=within))  # type: ignore[arg-type]
        assert result.pairs
        for pair in result.pairs:
            assert (groups[pair.doc1.id] == groups[pair.doc2.id]) is same
        if find is near_pairs:
            assert result.reasons[NOT_WITHIN[within]]


def test_copies_are_no_candidates() -> None:
    copies = [
        Document(id=name, text=text) for name, text in (("a", "Seals rest on rocks."), ("b", "seals rest on  rocks."))
    ]
    result = near_pairs(copies, NearOptions(low=0.1))
    assert not result.pairs
    assert result.reasons == {SAME_TEXT: 1}


def test_a_pool_smaller_than_the_draw_gives_what_it_has() -> None:
    result = random_pairs(POOL[:4], NearOptions(low=0.0, most=50))
    assert len(result.pairs) == 6
    assert len({frozenset((pair.doc1.id, pair.doc2.id)) for pair in result.pairs if pair.doc1 and pair.doc2}) == 6


def test_a_range_that_nothing_is_in_gives_reasons() -> None:
    result = random_pairs(POOL, NearOptions(low=0.95, high=1.0, most=2))
    assert not result.pairs
    assert result.reasons[OUTSIDE] + result.reasons[SAME_TEXT] == result.seen


def test_a_draw_per_range_takes_the_first_of_each() -> None:
    result = near_pairs(POOL, NearOptions(low=0.1, per_range=3, seed=2))
    everything = near_pairs(POOL, NearOptions(low=0.1, most=100_000, seed=2))
    chosen = Counter(pair.meta[MADE]["range"] for pair in result.pairs)
    found = Counter(pair.meta[MADE]["range"] for pair in everything.pairs)
    assert chosen == {name: min(3, count) for name, count in found.items()}
    firsts: dict[str, list[str]] = {}
    for pair in everything.pairs:  # in the order of the draw
        firsts.setdefault(pair.meta[MADE]["range"], []).append(pair.id)
    for pair in result.pairs:
        assert pair.id in firsts[pair.meta[MADE]["range"]][:3]
    assert {name: row["chosen"] for name, row in result.ranges.items() if row["chosen"]} == chosen
    assert sum(row["pairs"] for row in result.ranges.values()) == result.seen


def test_each_range_gives_as_many_as_are_wanted_of_it() -> None:
    found = near_pairs(POOL, NearOptions(low=0.1, per_range=3, seed=2)).ranges
    wanted = (0, 2, 0, 1, *[0] * 7)
    result = near_pairs(POOL, NearOptions(low=0.1, by_range=wanted, seed=2))
    expected = [min(most, row["pairs"]) for most, row in zip(wanted, found.values(), strict=True)]
    assert [row["chosen"] for row in result.ranges.values()] == expected
    assert sum(expected) == len(result.pairs) == 3


@given(SETS, THRESHOLDS)
def test_it_finds_what_comparing_all_finds(sets: list[frozenset[str]], least: Fraction) -> None:
    expected = {
        (first, second, len(a & b), len(a | b))
        for (first, a), (second, b) in combinations(enumerate(sets), 2)
        if a and b and Fraction(len(a & b), len(a | b)) >= least
    }
    found = list(similar_sets(sets, least))
    assert {tuple(match) for match in found} == expected
    assert len(found) == len(expected)


def test_a_similarity_on_the_edge_counts() -> None:
    seven = frozenset("abcdefg")
    assert [tuple(match) for match in similar_sets([seven, seven | set("hij")], Fraction("0.7"))] == [(0, 1, 7, 10)]


def test_a_threshold_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        list(similar_sets([], Fraction(0)))
