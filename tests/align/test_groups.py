"""Pairs within groups, and their cap."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.align.candidates import TOO_HIGH, Band
from otherwords.align.groups import ALONE, NO_GROUP, group_pairs
from otherwords.records import Document
from tests.errors import raises

LINE = "the old mill by the river turns slowly while grey rain falls upon its wooden wheel all autumn long"
WORDS = LINE.split()


def translation(name: str, group: str | None = "poem", source: str | None = "translations", text: str = "") -> Document:
    rng = random.Random(name)
    return Document(id=name, text=text or " ".join(rng.sample(WORDS, 12)), source=source, group=group)


def members(count: int, **fields: str) -> list[Document]:
    return [translation(f"t{number:02}", **fields) for number in range(count)]


def test_translations_of_one_text_make_at_most_three_pairs() -> None:
    pairs, candidates, counts = group_pairs(members(6))
    assert len(pairs) == 3
    assert candidates.num_rows == 15
    assert candidates.column("reason").to_pylist().count("the group has its 3 pairs") == 12
    assert {(pair.group, pair.method) for pair in pairs} == {("poem", "groups")}
    assert counts == {}


def test_answers_have_no_limit() -> None:
    documents = members(6, source="answers")
    pairs, _, _ = group_pairs(documents)
    expected = combinations([document.id for document in documents], 2)
    assert [(pair.doc1, pair.doc2) for pair in pairs] == list(expected)


def test_a_limit_can_be_set_for_any_source() -> None:
    documents = [*members(4, source="answers"), *[translation(f"s{number}") for number in range(4)]]
    pairs, _, _ = group_pairs(documents, most={"answers": 2})
    assert [pair.doc1[0] for pair in pairs].count("t") == 2
    assert [pair.doc1[0] for pair in pairs].count("s") == 6
    with raises("wrong-limit"):
        group_pairs(documents, most={"answers": 0})


def test_groups_do_not_mix_nor_do_sources() -> None:
    documents = [
        translation("a", "poem"),
        translation("b", "poem"),
        translation("c", "song"),
        translation("d", None),
        translation("e", "poem", "answers"),
    ]
    pairs, _, counts = group_pairs(documents)
    assert [(pair.doc1, pair.doc2) for pair in pairs] == [("a", "b")]
    assert counts == {NO_GROUP: 1, ALONE: 2}


def test_a_pair_outside_the_band_takes_no_place_under_the_cap() -> None:
    documents = [*members(3), translation("u", text=members(3)[0].text)]
    pairs, candidates, _ = group_pairs(documents, Band(0.0, 0.999), most={"translations": 5})
    reasons = {(row["doc1"], row["doc2"]): row["reason"] for row in candidates.to_pylist()}
    assert reasons.pop(("t00", "u")) == TOO_HIGH
    assert set(reasons.values()) == {None}
    assert len(pairs) == 5


def test_the_earlier_document_comes_first() -> None:
    documents = [
        Document(id="a", text="one text", group="g", time="2021-05-02"),
        Document(id="b", text="other text", group="g", time="2021-05-01"),
        Document(id="0", text="third text", group="g"),
    ]
    assert [(pair.doc1, pair.doc2) for pair in group_pairs(documents).pairs] == [("b", "a"), ("b", "0"), ("a", "0")]


@settings(max_examples=15)
@given(st.permutations(range(7)), st.integers(0, 3))
def test_the_draw_depends_on_the_seed_and_not_on_the_order(order: list[int], seed: int) -> None:
    documents = members(7)
    whole = group_pairs(documents, seed=seed)
    again = group_pairs((documents[place] for place in order), seed=seed, threads=2)
    assert again.pairs == whole.pairs
    assert again.candidates.equals(whole.candidates)


def test_another_seed_draws_others_and_a_higher_cap_keeps_them() -> None:
    drawn = [{pair.id for pair in group_pairs(members(8), seed=seed).pairs} for seed in range(4)]
    assert len({frozenset(names) for names in drawn}) > 1
    assert drawn[0] < {pair.id for pair in group_pairs(members(8), most={"translations": 5}).pairs}
