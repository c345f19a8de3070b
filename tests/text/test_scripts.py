"""Scripts and directions of texts."""

from __future__ import annotations

import pytest
import regex

from otherwords.text.scripts import direction, script, scripts, unsegmented


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("a", "Latin"), ("ß", "Latin"), ("ω", "Greek"), ("ж", "Cyrillic"), ("ա", "Armenian"), ("א", "Hebrew"),
        ("ع", "Arabic"), ("ܐ", "Syriac"), ("अ", "Devanagari"), ("অ", "Bengali"), ("ਅ", "Gurmukhi"), ("અ", "Gujarati"),
        ("ଅ", "Oriya"), ("அ", "Tamil"), ("అ", "Telugu"), ("ಅ", "Kannada"), ("അ", "Malayalam"), ("අ", "Sinhala"),
        ("ก", "Thai"), ("ກ", "Lao"), ("ཀ", "Tibetan"), ("က", "Myanmar"), ("ა", "Georgian"), ("한", "Hangul"),
        ("አ", "Ethiopic"), ("ក", "Khmer"), ("ᠠ", "Mongolian"), ("あ", "Hiragana"), ("ア", "Katakana"), ("漢", "Han"),
        ("𠀀", "Han"), (" ", "Common"), ("1", "Common"), ("。", "Common"), ("\u0301", "Common"), ("😀", "Common"),
        ("𐤀", "Other"), ("\U0010ffff", "Other"), ("\0", "Common"),
    ],
)  # fmt: skip
def test_script_of_a_character(char: str, expected: str) -> None:
    assert script(char) == expected


@pytest.mark.parametrize("name", ["Latin", "Arabic", "Han", "Hangul"])
def test_scripts_agree_with_another_table(name: str) -> None:
    all_chars = "".join(chr(point) for point in range(0x32000) if not 0xD800 <= point < 0xE000)
    chars = "".join(regex.findall(rf"\p{{Script={name}}}+", all_chars))
    assert scripts(chars) == {name: len(chars)}


def test_counts() -> None:
    assert scripts("Ελλάδα 2024 ok") == {"Greek": 6, "Common": 6, "Latin": 2}
    assert scripts("") == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", "ltr"),
        ("שלום", "rtl"),
        ("123 سلام", "rtl"),
        ("«سلام» abc", "rtl"),
        ("a سلام", "ltr"),
        ("42", "ltr"),
        ("", "ltr"),
    ],
)
def test_direction(text: str, expected: str) -> None:
    assert direction(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都に住む。", True),
        ("ฉันรัก", True),
        ("한국어 문장", False),
        ("hello", False),
        ("Python言語入門の本です", True),
        ("", False),
    ],
)
def test_unsegmented(text: str, expected: bool) -> None:
    assert unsegmented(text) is expected
