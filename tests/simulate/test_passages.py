"""Passages that somebody might extract: alike and not verbatim, exact to the code point, each once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherwords.annotate.extracted import Extracted
from otherwords.annotate.side_by_side import Side, SideBySide
from otherwords.records import Part
from otherwords.simulate import passages as module
from otherwords.simulate.passages import passages
from otherwords.simulate.seen import similarity
from tests.simulate.texts import ONE, TWO


def documents(one: str = ONE, two: str = TWO, lines: list[tuple[int, int, int, int]] | None = None) -> SideBySide:
    first, second = (Side(name, text, "en", None, None, None, None, None) for name, text in (("d1", one), ("d2", two)))
    part = Part(start1=0, end1=len(one), start2=0, end2=len(two))
    return SideBySide("dp", "news", None, None, 1, "candidate", True, part, first, second, lines, [])


def texts(of: SideBySide, seed: int) -> list[tuple[str, str]]:
    return [(of.one.text[slice(*one.one)], of.two.text[slice(*one.two)]) for one in passages(of, seed)]


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that could be extracted is, as it stands."""
    for name, share in (("KEPT", 1.0), ("WITH_NEXT", 0.0), ("PART", 0.0)):
        monkeypatch.setattr(module, name, share)


@pytest.mark.usefixtures("every")
def test_sentences_that_say_the_same_and_are_not_the_same() -> None:
    found = texts(documents(), 0)
    assert found == [
        ("The mill at the weir burned down on Friday.", "😀 On Friday fire destroyed the mill by the weir."),
        (
            "Nobody was hurt, but the miller lost his dog, and the roof fell in.",
            "No one was hurt, but the roof fell in, and the miller has no dog any more.",
        ),
        ("Firemen came from three villages.", "From three villages the firemen came."),
        ("They had no water at first.", "At first they had no water."),
    ]
    assert all(0.3 <= similarity(*one) <= 0.9 for one in found)


def test_not_bound_to_sentences() -> None:
    shapes = {pair for seed in range(60) for pair in texts(documents(), seed)}
    assert any(one.startswith("Firemen") and one.endswith("at first.") for one, _ in shapes)
    assert ("Nobody was hurt", "No one was hurt") in shapes
    assert len({len(texts(documents(), seed)) for seed in range(20)}) > 1


def test_nothing_is_extracted_twice() -> None:
    for seed in range(30):
        found = passages(documents(), seed)
        for place, one in enumerate(found):
            assert not any(one.one[0] < two.one[1] and two.one[0] < one.one[1] for two in found[:place])
    first = passages(documents(), 0)[0]
    known = Extracted("p", *first.one, *first.two, "", "", locked=True, why="")
    assert first not in passages(replace(documents(), pairs=[known]), 0)


@pytest.mark.usefixtures("every")
def test_only_the_part_that_is_meant() -> None:
    of = documents()
    start1, start2 = ONE.index("Firemen"), TWO.index("From three")
    of = replace(of, part=Part(start1=start1, end1=len(ONE), start2=start2, end2=len(TWO)))
    found = passages(of, 0)
    assert found
    assert all(one.one[0] >= start1 and one.two[0] >= start2 for one in found)


@pytest.mark.usefixtures("every")
def test_lines_of_subtitles_belong_together() -> None:
    one, two = "Give me the key.\nRun!\nThe same line.", "Hand me that key.\nWhere is it?\nThe same line."
    ends1 = [(0, 16), (17, 21), (22, 36)]
    ends2 = [(0, 17), (18, 30), (31, 45)]
    lines = [(*first, *second) for first, second in zip(ends1, ends2, strict=True)]
    assert texts(documents(one, two, lines), 0) == [("Give me the key.", "Hand me that key.")]


@pytest.mark.parametrize(
    ("one", "two"), [("", ""), ("Salt.", "Where is my umbrella?"), ("Same.", "Same."), (" \n", "a")]
)
def test_documents_without_paraphrases(one: str, two: str) -> None:
    assert passages(documents(one, two), 0) == []
