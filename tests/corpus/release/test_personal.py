"""Personal data is found; dates, prices, scores and versions are not taken for it."""

from __future__ import annotations

import pytest

from otherwords.corpus.release.personal_data import may_have_personal_data, personal_data

PERSONAL = [
    ("Write to mari.laine+x@posti.example.fi today.", "e-mail address"),
    ("MARI@EXAMPLE.ORG", "e-mail address"),
    ("Pay to GB82 WEST 1234 5698 7654 32 now", "bank account"),
    ("FI2112345600000785", "bank account"),
    ("the card 4012 8888 8888 1881 was lost", "card number"),
    ("4111111111111111", "card number"),
    ("hetu 131052-308T.", "Finnish personal identity code"),
    ("811218-9876", "Swedish personal number"),
    ("12345678Z", "Spanish identity number"),
    ("RSSMRA85T10A562S", "Italian tax code"),
    ("PESEL 44051401359", "Polish PESEL"),
    ("СНИЛС 112-233-445 95", "Russian SNILS"),
    ("SSN 219-09-9999", "American social security number"),
    ("from 81.2.69.142 at night", "IP address"),
    ("2001:4860:4860::8888", "IP address"),
    ("Call +358 40 123 4567!", "phone number"),
    ("call 040-123 4567", "phone number"),
    ("(09) 1234 5678", "phone number"),
    ("555-123-4567", "phone number"),
]
HARMLESS = [
    "On 12.3.2024 at 14:30:15 it rained.",
    "2024-03-12, 12/03/2024 and 12-03-2024",
    "It cost 1,234,567.89 euros, or 1 234 567,89.",
    "They won 3:2:1, then 10-0.",
    "Version 1.2.3.4 of the program",
    "ISBN 978-3-16-148410-0",
    "in the years 1914-1918 and 1939-1945",
    "pi is 3.14159265358979",
    "GB82 WEST 1234 5698 7654 33",
    "4012 8888 8888 1882",
    "131052-308U",
    "811218-9875",
    "12345678A",
    "44051401358",
    "at 127.0.0.1 and ::1",
    "300.400.500.600",
    "10 000 000 000 stars",
    "std::vector and a::b",
    "meet me @ the harbour",
    "@laituri wrote that",
    "000-12-3456",
    "flight AY 1234, gate 22, seat 14C",
    "1234567890123456789012345",
]


@pytest.mark.parametrize(("text", "kind"), PERSONAL)
def test_personal_data(text: str, kind: str) -> None:
    assert [match.kind for match in personal_data(text)] == [kind]


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_texts(text: str) -> None:
    assert personal_data(text) == []


def test_several_in_one_text() -> None:
    matches = personal_data("Mari (mari@example.org, +358 40 123 4567) logged in from 81.2.69.142.")
    assert [match.kind for match in matches] == ["e-mail address", "IP address", "phone number"]
    assert [match.text for match in matches] == ["mari@example.org", "81.2.69.142", "+358 40 123 4567"]


@pytest.mark.parametrize("digits", ["0123456789", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９"])
def test_the_fast_filter_misses_nothing(digits: str) -> None:
    texts = [
        text.translate(str.maketrans("0123456789", digits)) for text in [*(text for text, _ in PERSONAL), *HARMLESS]
    ]
    candidates = may_have_personal_data(texts)
    assert all(candidate for candidate, text in zip(candidates, texts, strict=True) if personal_data(text))
    assert sum(bool(personal_data(text)) for text in texts) >= 5  # phones and addresses, in whatever digits
    assert may_have_personal_data(["The tide is out.", "In 1914 and 1939", "at 14:30"]) == [False, False, False]
