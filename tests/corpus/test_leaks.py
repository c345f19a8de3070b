"""Leaks: every kind of copy under its own name, once, whatever the order; and none missed that is near enough."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.corpus.corpora import corpus_of
from otherwords.corpus.leaks import Leaks, leaks, leaks_between
from otherwords.corpus.leaks_plain import plain
from otherwords.errors import UsageError
from otherwords.records import Pair
from otherwords.sources.reading import write
from tests.corpus.splitting import pair

WORDS = ["The", "river", "froze", "early", "that", "year,", "and", "nobody", "crossed", "it", "before", "spring;", "we"]
KEPT = pair("kept", "The river froze early that year, they said.", "They said the river had frozen early.")


def between(one: list[Pair], two: list[Pair], near: float | None = 0.85) -> Leaks:
    return leaks_between({"a": one, "b": two}, near)["a", "b"]


def mirror(one: Pair) -> Pair:
    return msgspec.structs.replace(one, text1=one.text2, text2=one.text1)


def found(told: Leaks) -> dict[str, Any]:
    """What was found, without the order in which it is told."""
    rows = {kind: list(told.rows(kind)) for kind in ("exact", "mirrored", "normalised", "near")}
    ids = {kind: [(row["a"]["id"], row["b"]["id"], row.get("similarity")) for row in rows[kind]] for kind in rows}
    return ids | {"shared": [(row["text"], row["a"], row["b"]) for row in told.rows("shared_texts")]}


@pytest.mark.parametrize(
    ("text1", "text2", "kind"),
    [
        (KEPT.text1, KEPT.text2, "exact"),
        (KEPT.text2, KEPT.text1, "mirrored"),
        ("they said the river had frozen early", "THE RIVER froze early that year; they said!", "mirrored"),
        ("the river froze early that year they said", KEPT.text2.upper(), "normalised"),
        ("“The river froze early that year”, they said", KEPT.text2 + "\u200b  ", "normalised"),
        ("The river froze early this year, they said.", KEPT.text2, "near"),
        ("They said the rivers had frozen early.", "The rivre froze erly htat year, they said.", None),
        ("They said the rivers had frozen early.", "The river froze early that year, they say.", "near"),
        (KEPT.text1, "Nobody saw it coming.", None),
        ("Nothing was said.", "Nobody spoke of the river.", None),
    ],
)
def test_kinds(text1: str, text2: str, kind: str | None) -> None:
    told = between([pair("other"), KEPT], [pair("copy", text1, text2)])
    counts = {name: count for name, count in told.counts.items() if name != "shared_texts"}
    assert counts == {name: int(name == kind) for name in ("exact", "mirrored", "normalised", "near")}
    if kind:
        (row,) = told.rows(kind)
        assert row["a"] == {"id": "kept", "text1": KEPT.text1, "text2": KEPT.text2}
        assert row["b"] == {"id": "copy", "text1": text1, "text2": text2}
        assert ("similarity" in row) == (kind == "near")


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("Don’t go!", "dont GO", True),
        ("well-known", "well known", True),
        ("Straße", "STRASSE", True),
        ("e\u0301te\u0301", "été", True),
        ("これは本です。", "これは本です", True),
        ("हिन्दी", "हनद", False),
        ("4.5 litres", "45 litres", False),
        ("$5", "€5", False),
        ("?!", "…", False),
        ("👍", "👎", False),
    ],
)
def test_what_copies_may_differ_in(one: str, two: str, same: bool) -> None:
    assert (plain(one) == plain(two)) is same


def test_shared_sentences_have_the_pairs_they_are_in() -> None:
    one = [pair("a1", "It rained.", "Rain fell."), pair("a2", "Rain fell!", "it rained")]
    two = [pair("b1", "We left.", "IT RAINED"), pair("b2", "Off we went.", "Away we went.")]
    told = between(one, two)
    assert list(told.rows("shared_texts")) == [
        {"text": "IT RAINED", "a": ["a1", "a2"], "b": ["b1"], "in_a": 2, "in_b": 1}
    ]
    assert told.counts == {"exact": 0, "mirrored": 0, "normalised": 0, "near": 0, "shared_texts": 1}
    assert told
    assert not between(one, two[1:])


def test_a_pair_is_counted_once_beside_the_first_of_its_copies() -> None:
    copies = [msgspec.structs.replace(KEPT, id=name) for name in ("z", "m", "c")]
    told = between([mirror(copies[2]), *copies[:2]], [KEPT, msgspec.structs.replace(KEPT, id="again")])
    assert found(told)["exact"] == [("m", "again", None), ("m", "kept", None)]
    assert told.counts["mirrored"] == told.counts["near"] == 0


TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12).map(
    lambda rows: [pair(f"p{number}", one, two) for number, (one, two) in enumerate(rows)]
)


@settings(max_examples=60, deadline=None)
@given(PAIRS)
def test_a_corpus_leaks_wholly_into_itself(pairs: list[Pair]) -> None:
    told = between(pairs, pairs)
    assert told.counts["exact"] == len(pairs)
    assert told.counts["shared_texts"] == len({plain(text) for one in pairs for text in (one.text1, one.text2)})


@settings(max_examples=60, deadline=None)
@given(PAIRS)
def test_mirroring_moves_exact_copies_to_mirrored_ones(pairs: list[Pair]) -> None:
    there = {(one.text1, one.text2) for one in pairs}
    told = between(pairs, [mirror(one) for one in pairs])
    still = sum((one.text2, one.text1) in there for one in pairs)
    assert (told.counts["exact"], told.counts["mirrored"]) == (still, len(pairs) - still)


@settings(max_examples=40, deadline=None)
@given(PAIRS, PAIRS, st.randoms(use_true_random=False), st.sampled_from([0.6, 0.8, 0.9, 1.0]))
def test_near_copies_are_those_that_comparing_everything_finds(
    one: list[Pair], two: list[Pair], chance: random.Random, least: float
) -> None:
    two += [pair(f"q{n}", each.text2, each.text1 + chance.choice(["", "s", " again"])) for n, each in enumerate(one)]
    told = between(one, two, least)
    known = {row["b"]["id"] for kind in ("exact", "mirrored", "normalised") for row in told.rows(kind)}
    expected = {}
    for each in two:
        best = max(max(similarity(each, other), similarity(mirror(each), other)) for other in one)
        if best >= least and each.id not in known:
            expected[each.id] = best
    assert {row["b"]["id"]: row["similarity"] for row in told.rows("near")} == pytest.approx(expected)
    before = found(told)
    chance.shuffle(one)
    chance.shuffle(two)
    assert found(between(one, two, least)) == before


def similarity(one: Pair, two: Pair) -> float:
    return min(dice(one.text1, two.text1), dice(one.text2, two.text2))


def dice(one: str, two: str) -> float:
    sets = []
    for text in (one, two):
        marked = "^" + plain(text).replace(" ", "_") + "$"
        sets.append({marked[start : start + 3] for start in range(len(marked) - 2)})
    return 2 * len(sets[0] & sets[1]) / (len(sets[0]) + len(sets[1]))


def test_parts_are_compared_two_by_two_from_streams() -> None:
    parts = {"train": iter([KEPT, pair("x")]), "dev": iter([pair("y")]), "test": iter([mirror(KEPT)]), "none": iter([])}
    told = leaks_between(parts)
    assert list(told) == [
        *(("train", "dev"), ("train", "test"), ("train", "none")),
        *(("dev", "test"), ("dev", "none"), ("test", "none")),
    ]
    assert [names for names, one in told.items() if one] == [("train", "test")]
    assert told["train", "test"].counts["mirrored"] == 1


def test_corpora(tmp_path: Path) -> None:
    write([KEPT, pair("x")], tmp_path / "a.jsonl")
    write([msgspec.structs.replace(KEPT, text1=KEPT.text1.replace("that", "this"))], tmp_path / "b.tsv")
    one, two = corpus_of(tmp_path / "a.jsonl"), corpus_of(tmp_path / "b.tsv")
    told = leaks(one, two)
    assert (told.counts["near"], told.between) == (1, ["a", "b"])
    assert told.signature is not None
    assert "dice|n:3|tok:char" in told.signature
    without = leaks(one, two, near=None)
    assert (without.counts["near"], without.signature) == (0, None)


@pytest.mark.parametrize("near", [0.2, 1.5, float("nan")])
def test_a_threshold_that_cannot_be(near: float) -> None:
    with pytest.raises(UsageError, match="give a similarity from 0.5 to 1"):
        between([], [], near)
