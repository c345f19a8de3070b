"""Strata: the draw, what it keeps, and that it does not depend on order."""

from __future__ import annotations

from otherwords.mining.harvest.strata import (
    STRATA,
    PoolDigest,
    StratifiedDraw,
    stratum_edges,
    stratum_name,
    stratum_note,
    stratum_of,
)
from otherwords.records import Pair


def pool(size: int = 300) -> list[Pair]:
    return [
        Pair(
            id=f"p{number}", text1="a", text2="b", scores={"char-cosine": (number % 100) / 100 if number % 3 else 0.01}
        )
        for number in range(size)
    ]


def drawn(pairs: list[Pair], seed: int = 0) -> StratifiedDraw:
    draw = StratifiedDraw(4, "char-cosine", seed)
    for pair in pairs:
        draw.add(pair)
    return draw


def test_edges() -> None:
    assert [stratum_of(value) for value in (0.0, 0.049, 0.05, 0.15, 0.95, 1.0)] == [0, 0, 1, 3, 19, 19]
    assert (stratum_name(stratum_edges(1)[0]), stratum_name(stratum_edges(19)[0])) == ("[0.05, 0.10)", "[0.95, 1.00]")


def test_each_stratum_gives_as_many_and_knows_its_size() -> None:
    draw = drawn(pool())
    notes = [note for pair in draw.pairs() if (note := stratum_note(pair.meta))]
    assert len(notes) == 4 * STRATA
    assert all(note.low <= note.similarity < note.high for note in notes)
    assert sum({note.place: note.population for note in notes}.values()) == 300
    assert [note.part for note in notes[:4]] == ["estimate", "estimate", "choose", "estimate"]


def test_the_draw_follows_from_the_seed_and_not_from_the_order() -> None:
    pairs = pool()
    first = [pair.id for pair in drawn(pairs).pairs()]
    assert [pair.id for pair in drawn(pairs[::-1]).pairs()] == first
    assert [pair.id for pair in drawn(pairs, seed=1).pairs()] != first


def test_a_stratum_with_too_few_says_so() -> None:
    strata = drawn(pool(2)).strata()
    assert [row.reason for row in strata[:2]] == ["only 2 pairs in this stratum", "no pairs in this stratum"]


def test_a_pool_is_known_by_its_ids() -> None:
    digests = [PoolDigest() for _ in range(3)]
    for digest, ids in zip(digests, (["a", "b"], ["b", "a"], ["a", "c"]), strict=True):
        for id in ids:
            digest.add(id)
    assert str(digests[0]) == str(digests[1]) != str(digests[2])
