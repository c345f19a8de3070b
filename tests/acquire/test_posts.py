"""Which sentences of a group are paired: the numbers of the paper, and draws that can be repeated."""

from __future__ import annotations

import pytest

from otherwords.acquire.posts import RankedSentence, first_pairs, more_pairs, more_wanted, seed_pairs


def group(size: int) -> list[RankedSentence]:
    return [RankedSentence(f"d{rank}", 0, 9, f"sentence {rank}", rank) for rank in range(1, size + 1)]


def test_each_of_the_top_two_is_paired_with_ten_of_the_top_twenty() -> None:
    pairs = first_pairs("storm", group(60), seed=0)
    assert len(pairs) == 20
    for seed in (1, 2):
        partners = [second.rank for first, second in pairs if first.rank == seed]
        assert len(set(partners)) == 10
        assert all(3 <= rank <= 20 for rank in partners)


@pytest.mark.parametrize(("size", "expected"), [(0, 0), (1, 0), (2, 1), (3, 2), (7, 10), (12, 20), (13, 20)])
def test_a_small_group_gives_what_it_has(size: int, expected: int) -> None:
    pairs = first_pairs("storm", group(size), seed=0)
    assert len(pairs) == expected
    assert len({frozenset((first.rank, second.rank)) for first, second in pairs}) == expected


@pytest.mark.parametrize(
    ("paraphrases", "more"),
    [(0, 0), (3, 0), (4, 20), (6, 20), (7, 30), (9, 30), (10, 40), (12, 40), (13, 50), (20, 50)],
)
def test_how_many_more_follow_from_the_first_round(paraphrases: int, more: int) -> None:
    assert more_wanted(paraphrases) == more
    pairs = more_pairs("storm", group(60), more, seed=0)
    assert len(pairs) == more
    assert {first.rank for first, _ in pairs} <= set(range(1, 6))
    assert {second.rank for _, second in pairs} <= set(range(6, 51))
    assert len({(first.rank, second.rank) for first, second in pairs}) == more


def test_the_draw_follows_from_seed_and_group() -> None:
    sentences = group(60)
    assert first_pairs("storm", sentences, 1) == first_pairs("storm", sentences, 1)
    assert first_pairs("storm", sentences, 1) != first_pairs("storm", sentences, 2)
    assert first_pairs("storm", sentences, 1) != first_pairs("flood", sentences, 1)


def test_a_picked_seed_meets_the_other_ten() -> None:
    sentences = group(30)
    pairs = seed_pairs(sentences, sentences[3].place)
    assert [second.rank for _, second in pairs] == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert {first.rank for first, _ in pairs} == {4}
    assert seed_pairs(sentences, ("gone", 0, 1)) == []
