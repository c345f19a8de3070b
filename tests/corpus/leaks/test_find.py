"""Leaks: every kind of copy is counted once, under its own name, in any order; no near copy is missed."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.corpus.leaks.find import Leaks, compare_parts
from otherwords.corpus.leaks.paths import find_leaks
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.text.normalise import plain
from tests.corpus.splitting import pair
from tests.errors import raises

WORDS = ["The", "river", "froze", "early", "that", "year,", "and", "nobody", "crossed", "it", "before", "spring;", "we"]
KEPT = pair("kept", "The river froze early that year, they said.", "They said the river had frozen early.")


def between(pairs_a: list[Pair], pairs_b: list[Pair], near: float | None = 0.85) -> Leaks:
    return compare_parts({"a": pairs_a, "b": pairs_b}, near)["a", "b"]


def mirror(original: Pair) -> Pair:
    return msgspec.structs.replace(original, text1=original.text2, text2=original.text1)


def leaked_ids(result: Leaks) -> dict[str, Any]:
    """The ids of all leaks by kind, with similarities, and the shared sentences."""
    rows = {kind: list(result.rows(kind)) for kind in ("exact", "mirrored", "normalised", "near")}
    ids = {kind: [(row["a"]["id"], row["b"]["id"], row.get("similarity")) for row in rows[kind]] for kind in rows}
    return ids | {"shared": [(row["text"], row["a"], row["b"]) for row in result.rows("shared_texts")]}


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
    result = between([pair("other"), KEPT], [pair("copy", text1, text2)])
    counts = {name: count for name, count in result.counts.items() if name != "shared_texts"}
    assert counts == {name: int(name == kind) for name in ("exact", "mirrored", "normalised", "near")}
    if kind:
        (row,) = result.rows(kind)
        assert row["a"] == {"id": "kept", "text1": KEPT.text1, "text2": KEPT.text2}
        assert row["b"] == {"id": "copy", "text1": text1, "text2": text2}
        assert ("similarity" in row) == (kind == "near")


@pytest.mark.parametrize(
    ("text", "other", "same"),
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
def test_what_copies_may_differ_in(text: str, other: str, same: bool) -> None:
    assert (plain(text) == plain(other)) is same


def test_shared_sentences_have_the_pairs_they_are_in() -> None:
    pairs_a = [pair("a1", "It rained.", "Rain fell."), pair("a2", "Rain fell!", "it rained")]
    pairs_b = [pair("b1", "We left.", "IT RAINED"), pair("b2", "Off we went.", "Away we went.")]
    result = between(pairs_a, pairs_b)
    assert list(result.rows("shared_texts")) == [
        {"text": "IT RAINED", "a": ["a1", "a2"], "b": ["b1"], "in_a": 2, "in_b": 1}
    ]
    assert result.counts == {"exact": 0, "mirrored": 0, "normalised": 0, "near": 0, "shared_texts": 1}
    assert result
    assert not between(pairs_a, pairs_b[1:])


def test_a_pair_is_counted_once_beside_the_first_of_its_copies() -> None:
    copies = [msgspec.structs.replace(KEPT, id=name) for name in ("z", "m", "c")]
    result = between([mirror(copies[2]), *copies[:2]], [KEPT, msgspec.structs.replace(KEPT, id="again")])
    assert leaked_ids(result)["exact"] == [("m", "again", None), ("m", "kept", None)]
    assert result.counts["mirrored"] == result.counts["near"] == 0


TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12).map(
    lambda rows: [pair(f"p{number}", *texts) for number, texts in enumerate(rows)]
)


@settings(max_examples=60)
@given(PAIRS)
def test_a_corpus_leaks_wholly_into_itself(pairs: list[Pair]) -> None:
    result = between(pairs, pairs)
    assert result.counts["exact"] == len(pairs)
    assert result.counts["shared_texts"] == len({plain(text) for row in pairs for text in (row.text1, row.text2)})


@settings(max_examples=60)
@given(PAIRS)
def test_mirroring_moves_exact_copies_to_mirrored_ones(pairs: list[Pair]) -> None:
    texts = {(row.text1, row.text2) for row in pairs}
    result = between(pairs, [mirror(row) for row in pairs])
    still = sum((row.text2, row.text1) in texts for row in pairs)
    assert (result.counts["exact"], result.counts["mirrored"]) == (still, len(pairs) - still)


@settings(max_examples=40)
@given(PAIRS, PAIRS, st.randoms(use_true_random=False), st.sampled_from([0.6, 0.8, 0.9, 1.0]))
def test_near_copies_are_those_that_comparing_everything_finds(
    pairs_a: list[Pair], pairs_b: list[Pair], chance: random.Random, threshold: float
) -> None:
    endings = ["", "s", " again"]
    pairs_b += [pair(f"q{n}", row.text2, row.text1 + chance.choice(endings)) for n, row in enumerate(pairs_a)]
    result = between(pairs_a, pairs_b, threshold)
    known = {row["b"]["id"] for kind in ("exact", "mirrored", "normalised") for row in result.rows(kind)}
    expected = {}
    for row in pairs_b:
        best = max(max(similarity(row, other), similarity(mirror(row), other)) for other in pairs_a)
        if best >= threshold and row.id not in known:
            expected[row.id] = best
    assert {row["b"]["id"]: row["similarity"] for row in result.rows("near")} == pytest.approx(expected)
    before = leaked_ids(result)
    chance.shuffle(pairs_a)
    chance.shuffle(pairs_b)
    assert leaked_ids(between(pairs_a, pairs_b, threshold)) == before


def test_memory_follows_the_smaller_side() -> None:
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(3000)]
    rows = [pair(f"p{number}", *(" ".join(chance.choices(words, k=9)) for _ in "12")) for number in range(12_000)]
    tracemalloc.start()
    try:
        result = between(rows, [pair("copy", rows[7000].text1 + "s", rows[7000].text2)])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.counts["near"] == 1
    assert peak < 40e6  # some twenty megabytes of blocks; an index of the larger side would take a hundred more


def similarity(first: Pair, second: Pair) -> float:
    return min(dice(first.text1, second.text1), dice(first.text2, second.text2))


def dice(first: str, second: str) -> float:
    sets = []
    for text in (first, second):
        marked = "^" + plain(text).replace(" ", "_") + "$"
        sets.append({marked[start : start + 3] for start in range(len(marked) - 2)})
    return 2 * len(sets[0] & sets[1]) / (len(sets[0]) + len(sets[1]))


def test_parts_are_compared_two_by_two_from_streams() -> None:
    parts = {"train": iter([KEPT, pair("x")]), "dev": iter([pair("y")]), "test": iter([mirror(KEPT)]), "none": iter([])}
    results = compare_parts(parts)
    assert list(results) == [
        *(("train", "dev"), ("train", "test"), ("train", "none")),
        *(("dev", "test"), ("dev", "none"), ("test", "none")),
    ]
    assert [names for names, result in results.items() if result] == [("train", "test")]
    assert results["train", "test"].counts["mirrored"] == 1


def test_corpora(tmp_path: Path) -> None:
    write_records([KEPT, pair("x")], tmp_path / "a.jsonl")
    write_records([msgspec.structs.replace(KEPT, text1=KEPT.text1.replace("that", "this"))], tmp_path / "b.tsv")
    names = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.tsv")]
    (result,) = find_leaks(*names)
    assert (result.counts["near"], result.between) == (1, names)
    assert result.signature is not None
    assert "dice|n:3|tok:char" in result.signature
    (without,) = find_leaks(*names, near=None)
    assert (without.counts["near"], without.signature) == (0, None)


@pytest.mark.parametrize("near", [0.2, 1.5, float("nan")])
def test_a_threshold_out_of_range(near: float) -> None:
    with raises("similarity-out-of-range"):
        between([], [], near)
