"""Marked differences: the pieces join up to the text, and only what differs is marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.analyse.report.differences import LONGEST, differences


def marked(text1: str, text2: str) -> tuple[list[str], list[str]]:
    pieces1, pieces2 = differences(text1, text2)
    return [piece.text for piece in pieces1 if piece.differs], [piece.text for piece in pieces2 if piece.differs]


@pytest.mark.parametrize(
    ("text1", "text2", "marked1", "marked2"),
    [
        ("She keeps bees.", "She keeps bees.", [], []),
        ("She keeps bees.", "she KEEPS bees.", [], []),
        ("She keeps bees.", "She kept two bees.", ["keeps"], ["kept two"]),
        ("A b.", "A b", ["."], []),
        ("", "new", [], ["new"]),
        ("窓を閉める。", "窓を開ける。", ["閉め"], ["開け"]),
        ("وصل القطار اليوم.", "وصل القطار أمس.", ["اليوم"], ["أمس"]),
    ],
)
def test_words_that_differ(text1: str, text2: str, marked1: list[str], marked2: list[str]) -> None:
    assert marked(text1, text2) == (marked1, marked2)


@given(st.text(max_size=60), st.text(max_size=60))
def test_pieces_join_up_to_the_text(text1: str, text2: str) -> None:
    for text, pieces in zip((text1, text2), differences(text1, text2), strict=True):
        assert "".join(piece.text for piece in pieces) == text


def test_very_long_texts_are_not_marked() -> None:
    assert marked("a " * LONGEST, "b") == ([], [])
