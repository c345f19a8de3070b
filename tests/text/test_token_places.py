"""Where tokens lie: as the tokeniser cuts them, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import UsageError
from otherwords.text.token_places import token_places, tokeniser_of
from otherwords.text.tokenise import tokeniser


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("Wait, please.", "words", [(0, 4), (4, 5), (6, 12), (12, 13)]),
        ("Wait, please.", "blank", [(0, 5), (6, 13)]),
        ("𝒜b c", "char", [(0, 1), (1, 2), (3, 4)]),
        ("", "words", []),
        (" \n", "blank", []),
    ],
)
def test_places(text: str, name: str, places: list[tuple[int, int]]) -> None:
    assert token_places(text, name) == places


@given(st.text(max_size=30))
def test_words_are_the_tokens_at_their_places(text: str) -> None:
    assert [text[start:end] for start, end in token_places(text, "words")] == tokeniser("words").tokens(text)


@pytest.mark.parametrize("text", ["雨が降る。傘を持つ。", "雨 が\u3000降る", "雨\0が降る", ""])
def test_japanese(text: str) -> None:
    pytest.importorskip("fugashi")
    places = token_places(text, "ja-mecab")
    assert [text[start:end] for start, end in places] == tokeniser("ja-mecab").tokens(text)
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["13a", "intl", "zh"])
def test_what_rewrites_the_text_has_no_places(name: str) -> None:
    with pytest.raises(UsageError, match=f"the tokeniser {name} rewrites the text"):
        token_places("a b", name)


def test_the_tokeniser_of_a_language() -> None:
    assert [tokeniser_of(lang) for lang in ("en", "jpn", None)] == ["words", "ja-mecab", "words"]
