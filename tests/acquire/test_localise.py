"""Carrying pairs over: what each stage drops, which version is nearest, and counts that add up."""

from __future__ import annotations

import pytest

from otherwords.acquire.localise import (
    AFTER,
    CHARACTERS,
    NOT_FLUENT,
    NOT_SIMILAR,
    SAME,
    UNTRANSLATED,
    CleanOptions,
    Dropped,
    Version,
    carried_over,
    clean,
    nearest,
    stage_counts,
)
from otherwords.records import Pair, Passage


def pair(name: str, text1: str = "The sea is calm.", text2: str = "Calm is the sea.", **fields: object) -> Pair:
    return Pair(id=name, text1=text1, text2=text2, lang="en", **fields)  # type: ignore[arg-type]


def test_other_characters_are_dropped_before_and_not_after() -> None:
    pairs = [pair("a"), pair("b", text2="The café is open.")]
    kept, dropped = clean(pairs, CleanOptions(), None, None)
    assert [each.id for each in kept] == ["a"]
    assert [(row.pair, row.stage) for row in dropped] == [("b", CHARACTERS)]
    assert "é" in dropped[0].reason
    assert len(clean(pairs, CleanOptions(), None, None, AFTER)[0]) == 2
    assert len(clean(pairs, CleanOptions(ascii=False), None, None)[0]) == 2


def test_a_pair_is_as_fluent_as_its_worse_side() -> None:
    pairs = [pair(f"p{n}", f"first {n}", f"second {n}") for n in range(10)]
    fluency: dict[str, float | None] = {f"first {n}": -1.0 for n in range(10)}
    fluency |= {f"second {n}": -2.0 - n for n in range(10)}
    kept, dropped = clean(pairs, CleanOptions(least_fluent=0.2), fluency, None)
    assert [row.pair for row in dropped] == ["p8", "p9"]
    assert {row.stage for row in dropped} == {NOT_FLUENT}
    assert len(kept) == 8
    fluency["first 0"] = None
    assert ("p0", NOT_FLUENT) in [row[:2] for row in clean(pairs, CleanOptions(least_fluent=0), fluency, None)[1]]


def test_pairs_that_are_not_similar_are_dropped() -> None:
    pairs = [pair("a"), pair("b"), pair("c")]
    kept, dropped = clean(pairs, CleanOptions(least_similar=0.9), None, {"a": 0.9, "b": 0.89, "c": None})
    assert [each.id for each in kept] == ["a"]
    assert [(row.pair, row.stage) for row in dropped] == [("b", NOT_SIMILAR), ("c", NOT_SIMILAR)]


def test_the_nearest_version_wins_and_the_first_of_equals() -> None:
    versions = [Version("one", "a", 0.5), Version("two", "b", 0.7), Version("three", "c", 0.7)]
    assert nearest(versions) == versions[1]
    assert nearest([]) is None


def test_the_new_pair_names_its_original_and_not_its_label() -> None:
    original = pair("a", label="1", source="paws", licence="CC0-1.0", doc1=Passage(id="d", start=0, end=16))
    moved = carried_over(original, Version("x", "La mar está en calma.", 0.8), Version("y", "Calmada está.", 0.6), "es")
    assert isinstance(moved, Pair)
    assert (moved.label, moved.lang, moved.source, moved.licence) == (None, "es", "paws", "CC0-1.0")
    assert moved.meta["made"] == {"original": "a", "systems": ["x", "y"]}
    assert moved.scores == {"closeness": 0.6}
    assert moved.doc1 == Passage(id="d")


@pytest.mark.parametrize(
    ("best", "stage"),
    [
        ((None, Version("x", "b", 1.0)), UNTRANSLATED),
        ((Version("x", "Una  cosa.", 1.0), Version("y", "una cosa.", 1.0)), SAME),
    ],
)
def test_what_cannot_be_carried_over(best: tuple[Version | None, Version | None], stage: str) -> None:
    result = carried_over(pair("a"), *best, "es")
    assert isinstance(result, Dropped)
    assert result.stage == stage


def test_the_counts_of_the_stages_add_up() -> None:
    dropped = [Dropped("a", CHARACTERS, ""), Dropped("b", SAME, ""), Dropped("c", NOT_SIMILAR + AFTER, "")]
    counts = stage_counts(10, dropped)
    assert list(counts.values()) == [10, 9, 9, 9, 9, 8, 8, 7]
