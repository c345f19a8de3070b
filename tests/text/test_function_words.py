from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from otherwords.text import pack
from otherwords.text.function_words import function_word_source, function_words

OURS = ("en", "es", "fi", "ja", "ru", "sv")


@pytest.fixture
def fresh() -> Iterator[None]:
    """Lists are cached for the process; these tests change where they come from."""
    function_words.cache_clear()
    function_word_source.cache_clear()
    yield
    function_words.cache_clear()
    function_word_source.cache_clear()


@pytest.mark.parametrize(
    ("lang", "grammar", "meaning"),
    [
        ("en", "the those whom underneath although weren't she's would n't", "house run quickly blue day"),
        ("es", "el aquellas conmigo según aunque estábamos habrían del", "casa correr azul día"),
        ("fi", "minulle jossa eivätkä olisivat koska kanssa myös tuolle", "talo juosta sininen päivä"),
        ("ja", "は から ませ なかっ です これ しかし 居る", "家 走る 青い 東京 行く 食べ"),
        ("ru", "меня нашими которых из-за чтобы были ли её ее", "дом бежать синий день"),
        ("sv", "honom dessa bland eftersom skulle inte er", "hus springa blå dag"),
    ],
)
def test_grammar_is_in_and_meaning_is_out(lang: str, grammar: str, meaning: str) -> None:
    words = function_words(lang)
    assert set(grammar.split()) <= words
    assert words.isdisjoint(meaning.split())


@pytest.mark.parametrize("lang", OURS)
def test_our_lists_are_lower_case_composed_words(lang: str) -> None:
    words = function_words(lang)
    assert 100 <= len(words) <= 400
    assert all(word == word.lower() == unicodedata.normalize("NFC", word) for word in words)
    assert all(any(char.isalpha() for char in word) for word in words)
    assert function_word_source(lang) == "otherwords"


def test_case_and_apostrophe_do_not_matter() -> None:
    english = pack("en")
    assert [english.is_function_word(token) for token in ("The", "DON’T", "it's", "house", ",")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_every_cut_of_a_japanese_verb_chain_is_grammar() -> None:
    japanese = pack("ja")
    tokens = japanese.tokens("食べませんでしたけれども")
    assert [token for token in tokens if not japanese.is_function_word(token)] == ["食べ"]


@pytest.mark.usefixtures("fresh")
def test_other_languages_take_stopwords_iso(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {"no": {"og", "Jeg", ".", "3"}}
    package = SimpleNamespace(stopwords=lambda lang: lists.get(lang, set()))
    monkeypatch.setitem(sys.modules, "stopwordsiso", package)
    assert function_words("nb") == {"og", "jeg"}
    assert function_word_source("nb") == "stopwords-iso"
    assert function_word_source("xx") == "none"
    assert "og" not in function_words("sv")


@pytest.mark.usefixtures("fresh")
def test_without_that_package_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    assert function_words("de") == frozenset()
    assert function_word_source("de") == "none"


@pytest.mark.usefixtures("fresh")
def test_the_real_package_knows_german() -> None:
    pytest.importorskip("stopwordsiso")
    assert {"und", "der", "nicht"} <= function_words("de")
