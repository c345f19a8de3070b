"""Extracted passages: similar and not verbatim, exact to the code point, each once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherwords.annotate.documents.extracted_pairs import ExtractedPair
from otherwords.annotate.documents.side_by_side import DocumentSide, SideBySide
from otherwords.records import Part
from otherwords.simulate import passages as module
from otherwords.simulate.passages import extract_passages
from otherwords.simulate.visible_texts import similarity
from tests.simulate.texts import ONE, TWO


def documents(text1: str = ONE, text2: str = TWO, lines: list[tuple[int, int, int, int]] | None = None) -> SideBySide:
    first, second = (
        DocumentSide(name, text, "en", None, None, None, None, None, name)
        for name, text in (("d1", text1), ("d2", text2))
    )
    part = Part(start1=0, end1=len(text1), start2=0, end2=len(text2))
    return SideBySide("dp", "news", None, None, 1, "candidate", True, part, first, second, lines, [])


def texts(pair: SideBySide, seed: int) -> list[tuple[str, str]]:
    return [
        (pair.one.text[slice(*passage.span1)], pair.two.text[slice(*passage.span2)])
        for passage in extract_passages(pair, seed)
    ]


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """All candidates are extracted, unchanged."""
    for name, share in (("KEPT", 1.0), ("WITH_NEXT", 0.0), ("PART", 0.0)):
        monkeypatch.setattr(module, name, share)


@pytest.mark.usefixtures("complete")
def test_sentences_that_say_the_same_and_are_not_the_same() -> None:
    pairs = texts(documents(), 0)
    assert pairs == [
        ("The mill at the weir burned down on Friday.", "😀 On Friday fire destroyed the mill by the weir."),
        (
            "Nobody was hurt, but the miller lost his dog, and the roof fell in.",
            "No one was hurt, but the roof fell in, and the miller has no dog any more.",
        ),
        ("Firemen came from three villages.", "From three villages the firemen came."),
        ("They had no water at first.", "At first they had no water."),
    ]
    assert all(0.3 <= similarity(*pair) <= 0.9 for pair in pairs)


def test_not_bound_to_sentences() -> None:
    shapes = {pair for seed in range(60) for pair in texts(documents(), seed)}
    assert any(text1.startswith("Firemen") and text1.endswith("at first.") for text1, _ in shapes)
    assert ("Nobody was hurt", "No one was hurt") in shapes
    assert len({len(texts(documents(), seed)) for seed in range(20)}) > 1


def test_nothing_is_extracted_twice() -> None:
    for seed in range(30):
        spans = [passage.span1 for passage in extract_passages(documents(), seed)]
        for place, (start, end) in enumerate(spans):
            assert not any(start < other_end and other_start < end for other_start, other_end in spans[:place])
    first = extract_passages(documents(), 0)[0]
    known = ExtractedPair("p", *first.span1, *first.span2, "", "", locked=True, why="")
    assert first not in extract_passages(replace(documents(), pairs=[known]), 0)


@pytest.mark.usefixtures("complete")
def test_only_the_part_of_the_document_pair() -> None:
    start1, start2 = ONE.index("Firemen"), TWO.index("From three")
    part = Part(start1=start1, end1=len(ONE), start2=start2, end2=len(TWO))
    found = extract_passages(replace(documents(), part=part), 0)
    assert found
    assert all(passage.span1[0] >= start1 and passage.span2[0] >= start2 for passage in found)


@pytest.mark.usefixtures("complete")
def test_lines_of_subtitles_belong_together() -> None:
    text1, text2 = "Give me the key.\nRun!\nThe same line.", "Hand me that key.\nWhere is it?\nThe same line."
    ends1 = [(0, 16), (17, 21), (22, 36)]
    ends2 = [(0, 17), (18, 30), (31, 45)]
    lines = [(*first, *second) for first, second in zip(ends1, ends2, strict=True)]
    assert texts(documents(text1, text2, lines), 0) == [("Give me the key.", "Hand me that key.")]


@pytest.mark.parametrize(
    ("text1", "text2"), [("", ""), ("Salt.", "Where is my umbrella?"), ("Same.", "Same."), (" \n", "a")]
)
def test_documents_without_paraphrases(text1: str, text2: str) -> None:
    assert extract_passages(documents(text1, text2), 0) == []
