"""Tokenisers: tables for our own, equality with sacrebleu for its."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from otherwords import _kernels
from otherwords.text import tokenise
from otherwords.text.tokenise import TOKENISERS, NativeTokeniser, locate_tokens, tokeniser
from tests.errors import raises
from tests.measures.texts import AWKWARD, TEXTS

PEERS = {
    "13a": Tokenizer13a(),
    "intl": TokenizerV14International(),
    "zh": TokenizerZh(),
    "char": TokenizerChar(),
    "none": NoneTokenizer(),
}

WORDS = {
    "Don't stop!": "Don't|stop|!",
    "it’s 5 o'clock": "it’s|5|o'clock",
    "EU:n well-known co‐op col·lega": "EU:n|well-known|co‐op|col·lega",
    "'quoted' -dash- a--b a''b rock 'n' roll": "'|quoted|'|-|dash|-|a|-|-|b|a|'|'|b|rock|'|n|'|roll",
    "3.14 1,000.50 .5 5. 1,a a.b ١٬٠٠٠ ٣.١٤": "3.14|1,000.50|.|5|5|.|1|,|a|a|.|b|١|٬|٠٠٠|٣.١٤",
    "12:30-13:45": "12:30-13:45",
    "snake_case __init__ _-a": "snake_case|__init__|_|-|a",
    "H₂O x² ½ Ⅳ": "H₂O|x²|½|Ⅳ",
    "http://x.org/?a=1&b": "http|:|/|/|x|.|org|/|?|a|=|1|&|b",
    "東京都へ行く。": "東|京|都|へ|行|く|。",
    "コーヒーーを飲む": "コ|ー|ヒ|ー|ー|を|飲|む",
    "Python言語3年": "Python|言|語|3|年",
    "ที่นี่ ๑๒": "ที่|นี่|๑|๒".replace("ที่", "ที่").replace("นี่", "นี่"),
    "ສະບາຍ": "ສ|ະ|ບ|າ|ຍ",
    "ខ្ញុំ": "ខ្|ញុំ",
    "한국어 문장": "한국어|문장",
    "हिन्दी भाषा": "हिन्दी|भाषा",
    "e\u0301le\u0300ve": "e\u0301le\u0300ve",
    "\u0301a": "\u0301a",
    "$\u0301a": "$\u0301|a",
    "می\u200cخواهم": "می\u200cخواهم",
    "co\u00adop\u00ad end\u200d": "co\u00adop|end",
    "\u00ada \u200cb": "a|b",
    "a\u200bb\u2060c\ufeffd\0e\x85f\u061cg": "a|b|c|d|e|f|g",
    "👍🏽👍 👨‍👩‍👧‍👦! ❤️‍🔥": "👍🏽|👍|👨‍👩‍👧‍👦|!|❤️‍🔥",
    "🏽 🙂‍↔️": "🏽|🙂‍↔️",
    "🇫🇮🇸🇪🇫": "🇫🇮|🇸🇪|🇫",
    "1️⃣ ☀️☀": "1️⃣|☀️|☀",
    "😀\u200da 😀\u200d": "😀|a|😀",
    "«Да», — сказал он…": "«|Да|»|,|—|сказал|он|…",
    "\ue000\U0010ffff": "\ue000|\U0010ffff",
    "": "",
    " \t\u3000": "",
}


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    expected = WORDS[text].split("|") if WORDS[text] else []
    assert tokeniser("words").tokens(text) == expected


@given(TEXTS)
@settings(max_examples=300)
def test_words_lose_nothing_but_what_separates(text: str) -> None:
    words = tokeniser("words")
    assert isinstance(words, NativeTokeniser)
    spans = words.spans(text)
    assert [text[start:end] for start, end in spans] == words.tokens(text)
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert tokeniser("words").tokens(text[last:start]) == []
        last = end
    assert tokeniser("words").tokens(text[last:]) == []


@given(TEXTS)
@settings(max_examples=300)
def test_any_text_is_cut_as_by_sacrebleu(text: str) -> None:
    for name, peer in PEERS.items():
        assert tokeniser(name).tokens(text) == peer(text.rstrip()).split(), name


@pytest.mark.parametrize(
    "text",
    [
        *AWKWARD,
        "a..b...c.,d,.",
        "1.2,3.x,4 5.,6",
        "$5.00-6 -7 8--9",
        "&amp;lt; &amp;amp;quot; &quot;x&gt;",
        "-<skipped>\nx <ski<skipped>pped> y-\n",
        "5.\n",
        "foo-\n",
        "  先生、1.5元 。\u3000",
        "x\u2001y\u2a6dz\u2a6e\u2f81\u2fa2",
        "٣.٤ 五.六 ½,x 1,½",
    ],
)
def test_tables_of_sacrebleu(text: str) -> None:
    for name, peer in PEERS.items():
        assert tokeniser(name).tokens(text) == peer(text.rstrip()).split(), name


@pytest.mark.parametrize("letter", ["a", "é", "я", "語", "aé"])
def test_words_of_any_length(letter: str) -> None:
    # the kernels look for the end of a word 64 bytes at a time
    for length in range(1, 140):
        text = f"{letter * length}, {letter * 3}\u00a0{letter}."
        assert tokeniser("13a").tokens(text) == PEERS["13a"](text).split()
        if letter != "語":
            assert tokeniser("words").tokens(text) == [letter * length, ",", letter * 3, letter, "."]


@pytest.mark.parametrize(
    ("name", "stretches"),
    [
        ("13a", [(0, 0x3100)]),
        ("zh", [(0, 0x11000)]),
        ("intl", [(0, 0x20000), (0xE0000, 0xE0200)]),
        ("char", [(0, 0x3100)]),
    ],
)
def test_every_character_is_cut_as_by_sacrebleu(name: str, stretches: list[tuple[int, int]]) -> None:
    points = [point for low, high in stretches for point in range(low, high) if not 0xD800 <= point < 0xE000]
    for start in range(0, len(points), 2048):
        text = "".join(f"a{chr(point)}1{chr(point)}b" for point in points[start : start + 2048])
        assert tokeniser(name).tokens(text) == PEERS[name](text.rstrip()).split()


def test_blank_is_split() -> None:
    text = "".join(f"x{chr(point)}" for point in range(0x3100))
    assert tokeniser("blank").tokens(text) == text.split()
    assert tokeniser("none").name == "blank"


def test_spans_are_code_points() -> None:
    assert _kernels.token_spans("äö 😀b", _kernels.WORDS) == [(0, 2), (3, 4), (4, 5)]
    assert _kernels.token_spans("äö 😀b", _kernels.BLANK) == [(0, 2), (3, 5)]
    with pytest.raises(ValueError, match="no place"):
        _kernels.token_spans("a", _kernels.MTEVAL_13A)
    with pytest.raises(ValueError, match="no tokeniser"):
        _kernels.token_spans("a", 99)


def test_the_unicode_version_is_part_of_the_signature() -> None:
    assert tokeniser("words").signature == f"words-u{_kernels.UNICODE_VERSION}"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ja-mecab", "私は猫が好きです。", "私 は 猫 が 好き です 。"),
        ("ja-mecab", " 東京都に住んでいた\u3000Python 3 ", "東京 都 に 住ん で い た Python 3"),
        ("ja-mecab", "", ""),
        ("ja-mecab", "猫\0犬", "猫 犬"),
        ("ja-unidic", "私は猫が好きです。", "私 は 猫 が 好き です 。"),
        ("ja-unidic", "国立国会図書館", "国立 国会 図書 館"),
    ],
)
def test_japanese(name: str, text: str, expected: str) -> None:
    assert tokeniser(name).tokens(text) == expected.split()
    assert tokeniser(name).native is None


def test_japanese_as_sacrebleu_cuts_it() -> None:
    pytest.importorskip("MeCab", reason="sacrebleu's ja-mecab needs mecab-python3")
    from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab

    peer = TokenizerJaMecab()
    for text in [
        "私は猫が好きです。",
        "昨日、東京タワーへ行きました！",
        "すもももももももものうち",
        "ABC 1.5 ㈱",
        "　全角　",
    ]:
        assert tokeniser("ja-mecab").tokens(text) == peer(text.rstrip()).split()


@pytest.mark.parametrize("name", ["ja-mecab", "ja-unidic"])
def test_a_missing_package_names_the_install_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", None)
    for make in (tokenise.ja_mecab, tokenise.ja_unidic):
        make.cache_clear()
    with raises("missing-extra", match=rf"the tokeniser {name} needs .*otherwords\[ja\]"):
        tokeniser(name)


def test_names() -> None:
    assert list(TOKENISERS) == ["blank", "words", "13a", "intl", "zh", "char", "none", "ja-mecab", "ja-unidic"]
    with raises("unknown-tokeniser", match="did you mean words"):
        tokeniser("word")


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
    assert locate_tokens(text, name) == places


@given(st.text(max_size=30))
def test_words_are_the_tokens_at_their_places(text: str) -> None:
    assert [text[start:end] for start, end in locate_tokens(text, "words")] == tokeniser("words").tokens(text)


@pytest.mark.parametrize("text", ["雨が降る。傘を持つ。", "雨 が\u3000降る", "雨\0が降る", ""])
def test_places_in_japanese(text: str) -> None:
    pytest.importorskip("fugashi")
    places = locate_tokens(text, "ja-mecab")
    assert [text[start:end] for start, end in places] == tokeniser("ja-mecab").tokens(text)
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["13a", "intl", "zh"])
def test_what_rewrites_the_text_has_no_places(name: str) -> None:
    with raises("tokens-without-places", match=f"the tokeniser {name} "):
        locate_tokens("a b", name)
