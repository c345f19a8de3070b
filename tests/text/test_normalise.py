from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text.normalise import normalise, plain

# Plain letters seldom meet the characters that matter here, so those are drawn more often.
tricky = st.text(
    st.one_of(
        st.sampled_from(
            "a e\u0301\u0323\u200b\ufeff\u00ad\u2060\u200d\u00a0\u2028\u3000\n\r\t\x1f\x85“„«‹’\u212b\u0344\u1100\u1161"
        ),
        st.characters(),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  two \t words \n", "two words"),
        ("no\u00a0break\u2003em\u3000wide\u2028line\x85next", "no break em wide line next"),
        ("cafe\u0301", "café"),
        ("cafe\u200b\u0301", "café"),  # junk between a letter and its mark
        ("\ufeffstart zero\u200bwidth soft\u00adhyphen word\u2060joiner", "start zerowidth softhyphen wordjoiner"),
        ("می\u200cروم", "می\u200cروم"),  # the non-joiner is Persian spelling
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("क्\u200dष", "क्\u200dष"),
        ("\u1100\u1161", "가"),
        ("“a” ‘b’ „c‟ «d» ‹e›", "“a” ‘b’ „c‟ «d» ‹e›"),
        ("ﬁ ① Å", "ﬁ ① Å"),  # compatibility characters are another matter: NFC, not NFKC
        ("", ""),
        (" \u200b ", ""),
    ],
)
def test_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_quotes_become_straight_on_request() -> None:
    assert normalise("“a” ‘b’ „c‟ «d» ‹e› ‚f‛ don’t ＂g＂ ＇h＇", straight_quotes=True) == (
        "\"a\" 'b' \"c\" \"d\" 'e' 'f' don't \"g\" 'h'"
    )


def test_line_breaks_stay_on_request() -> None:
    text = " one  two \r\n\r\n three\u2028four\tfive\n"
    assert normalise(text, keep_lines=True) == "one two\nthree\nfour five"


@given(tricky, st.booleans(), st.booleans())
def test_twice_is_once(text: str, quotes: bool, lines: bool) -> None:
    once = normalise(text, straight_quotes=quotes, keep_lines=lines)
    assert normalise(once, straight_quotes=quotes, keep_lines=lines) == once


@given(tricky)
def test_the_form_is_nfc_with_single_blanks(text: str) -> None:
    once = normalise(text)
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())


@given(tricky)
def test_equivalent_texts_get_the_same_form(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_gets_the_form_of_any_text(text: str) -> None:
    """A letter outside ASCII, which takes another way through the code, changes nothing before it."""
    assert normalise(f"x {text} é").removesuffix("é").strip() == normalise(f"x {text}")
    assert plain(f"x {text} é").removesuffix("é").strip() == plain(f"x {text}")
