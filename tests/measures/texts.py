"""Texts that measures have to stand: strategies for hypothesis, and a table of awkward ones."""

from __future__ import annotations

from hypothesis import strategies as st

AWKWARD = [
    "",
    " ",
    "\0",
    "a\0b \0",
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0",
    "one\u2003two\u3000three\u1680four\u2028five\x85six",
    "İstanbul'da IŞIK ıssız",
    "ΟΔΟΣ ΣΟΦΟΣ Σ",
    "straße STRASSE ẞ",
    "𐐀𐐨 𞤀𞤢 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "👨‍👩‍👧‍👦 👍🏽 🇫🇮🇸🇪 ❤️‍🔥",
    "東京都に住んでいます。",
    "ฉันรักเธอ",
    "a.b,c 3.14 1,000 5-6 -7 x-\ny &amp;lt; &quot; <skipped>",
    "e\u0301le\u0300ve",
    "\ufeffbyte order",
    "na\u200cme co\u00adoperate",
]

CHARACTERS = st.characters(exclude_categories=["Cs"])
LETTERS = st.sampled_from("abcABCäÖßİΣσςжЖ日本ก๑٣0123.,-'’:&<>$\n\t \u3000\u200d👍🏽😀𐐀\0")
TEXTS = st.one_of(
    st.text(LETTERS, max_size=40),
    st.text(CHARACTERS, max_size=20),
    st.sampled_from(AWKWARD),
    st.lists(st.sampled_from(["the", "cat", "sat", "Cat", "mat.", "a-b", "3.5", "кот", "猫が"]), max_size=12).map(
        " ".join
    ),
)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12)
